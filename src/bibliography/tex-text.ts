/** Text as TeX that reads the same: signs that TeX takes for itself are escaped, all others stay as they are (UTF-8). */
export function texText(text: string): string {
  return text
    .split(/(<\/?(?:i|b|sup|sub)>|<span style="font-variant: ?small-caps;">|<\/span>)/)
    .map((part, index) => (index % 2 === 1 ? (commands[part] ?? smallCaps(part)) : escaped(part)))
    .join('')
}

/**
 * As {@link texText}, with words that have a capital in braces: styles write titles in small letters, and names and acronyms
 * must not be. The first word is left alone unless there is more than its first letter.
 */
export function texTitle(text: string): string {
  const isBalanced = (text.match(/<\w/g) ?? []).length === (text.match(/<\//g) ?? []).length
  return (isBalanced ? texText(text) : escaped(text)).replace(
    /(^|[\s(:“‘/-])([\p{L}\d]*\p{Lu}[\p{L}\d]*)(?![^\s]*\\)/gu,
    (whole, before: string, word: string, at: number) =>
      at === 0 && before === '' && word.slice(1) === word.slice(1).toLowerCase()
        ? whole
        : `${before}{${word}}`,
  )
}

const commands: Readonly<Record<string, string>> = {
  '<i>': '\\textit{',
  '<b>': '\\textbf{',
  '<sup>': '\\textsuperscript{',
  '<sub>': '\\textsubscript{',
  '</i>': '}',
  '</b>': '}',
  '</sup>': '}',
  '</sub>': '}',
  '</span>': '}',
}

function smallCaps(tag: string): string {
  return tag.startsWith('<span') ? '\\textsc{' : tag
}

const signs: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Two hyphens, quotes or accents in a row would become one sign. */
function escaped(text: string): string {
  return text
    .replace(/[\\{}$&%#_~^]/g, (sign) => signs[sign] ?? `\\${sign}`)
    .replace(/([-'`])(?=\1)/g, '$1{}')
}
