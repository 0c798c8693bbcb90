import { type Budget, maxTextLength } from './budget.ts'
import { valueError } from './template-error.ts'
import { countCharacters, splitCharacters, toText, type Value } from './value.ts'

/** Joins items as text. */
export function joinTexts(items: readonly Value[], separator: string, budget: Budget): string {
  const texts: string[] = []
  let length = 0
  for (const item of items) {
    const text = toText(item, budget)
    length += text.length + separator.length
    if (length > maxTextLength) budget.spendText(length)
    texts.push(text)
  }
  budget.spendText(length)
  return texts.join(separator)
}

/** Replaces `old`, everywhere or the first `count` times. */
export function replaceText(
  text: string,
  old: string,
  replacement: string,
  count: number,
  budget: Budget,
): string {
  budget.spendSearch(text.length, old.length)
  const parts = old === '' ? ['', ...splitCharacters(text), ''] : text.split(old)
  const times = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1)
  budget.spendText(text.length + times * Math.max(0, replacement.length - old.length))
  const changed = parts.slice(0, times + 1).join(replacement)
  const rest = parts.slice(times + 1)
  return rest.length === 0 ? changed : [changed, ...rest].join(old)
}

/** Splits at separators, at most `most` times (unlimited if negative); without a separator, into words. */
export function split(
  text: string,
  separator: string | undefined,
  most: number,
  budget: Budget,
): readonly string[] {
  budget.spendSearch(text.length, separator?.length ?? 1)
  const parts =
    separator === undefined ? splitWords(text, most) : splitAtSeparator(text, separator, most)
  budget.spendList(parts.length)
  return parts
}

function splitAtSeparator(text: string, separator: string, most: number): readonly string[] {
  if (separator === '') throw valueError('`split` cannot split at an empty separator')
  const parts = text.split(separator)
  if (most < 0 || parts.length <= most + 1) return parts
  return [...parts.slice(0, most), parts.slice(most).join(separator)]
}

function splitWords(text: string, most: number): readonly string[] {
  const words: string[] = []
  let rest = text.trimStart()
  while (rest !== '') {
    const end = most >= 0 && words.length >= most ? -1 : rest.search(/\s/)
    words.push(end === -1 ? rest : rest.slice(0, end))
    if (end === -1) break
    rest = rest.slice(end).trimStart()
  }
  return words
}

/** Removes the given characters (white space by default) at the chosen ends. */
export function strip(
  text: string,
  characters: string | undefined,
  ends: { readonly start: boolean; readonly end: boolean },
  budget: Budget,
): string {
  if (characters === undefined) {
    const head = ends.start ? text.trimStart() : text
    return ends.end ? head.trimEnd() : head
  }
  budget.spendSearch(text.length, characters.length)
  let start = 0
  let end = text.length
  while (ends.start && start < end && characters.includes(text[start] as string)) start++
  while (ends.end && end > start && characters.includes(text[end - 1] as string)) end--
  return text.slice(start, end)
}

/** The text with its first letter in upper case and the rest in lower case. */
export function capitalize(text: string): string {
  const [first = ''] = text
  return first.toUpperCase() + text.slice(first.length).toLowerCase()
}

/** The text with each word capitalized. */
export function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[-\s({[<])([^-\s({[<])/gu, (_, before: string, letter: string) => {
      return before + letter.toUpperCase()
    })
}

/** Indents the lines; the first line and empty lines only if asked. */
export function indentText(
  text: string,
  width: string,
  also: { readonly first: boolean; readonly blank: boolean },
  budget: Budget,
): string {
  const lines = text.split('\n')
  budget.spendText(text.length + lines.length * width.length)
  return lines
    .map((line, index) => {
      const stays = (index === 0 && !also.first) || (line.trim() === '' && !also.blank)
      return stays && !(index === 0 && also.first) ? line : width + line
    })
    .join('\n')
}

/**
 * Truncates to about `length` characters at the end of a word, as Jinja does: a text up to `leeway` longer is left
 * alone.
 * @see https://jinja.palletsprojects.com/en/stable/templates/#jinja-filters.truncate
 */
export function truncateText(
  text: string,
  length: number,
  cut: { readonly killsWords: boolean; readonly end: string; readonly leeway: number },
): string {
  if (countCharacters(text) <= length + cut.leeway) return text
  const most = Math.max(0, length - cut.end.length)
  const kept = splitCharacters(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
  if (cut.killsWords) return kept + cut.end
  const space = kept.lastIndexOf(' ')
  return (space === -1 ? kept : kept.slice(0, space)) + cut.end
}

/** A placeholder: `-` or `0`, a width, decimals, its kind. */
const formatPlace = /%([-0]?)(\d{0,2})(?:\.(\d{1,2}))?([sdif%])/g

/** Fills `%s`, `%d`, `%i`, `%f`, `%5.2f`, `%05d`, `%-8s` and `%%` with the values in order. */
export function formatText(pattern: string, values: readonly Value[], budget: Budget): string {
  let used = 0
  let length = 0
  const text = pattern.replace(
    formatPlace,
    (_, flag: string, width: string, digits: string, kind: string) => {
      if (kind === '%') return '%'
      if (used >= values.length) throw valueError('`format` has more placeholders than values')
      const filled = formatPlaceholder(values[used++], kind, digits, budget)
      length += filled.length
      if (length > maxTextLength) budget.spendText(length)
      if (flag === '-') return filled.padEnd(Number(width))
      const sign = flag === '0' && kind !== 's' && filled.startsWith('-') ? '-' : ''
      const fill = flag === '0' && kind !== 's' ? '0' : ' '
      return sign + filled.slice(sign.length).padStart(Number(width) - sign.length, fill)
    },
  )
  if (used < values.length) throw valueError('`format` has more values than placeholders')
  return text
}

function formatPlaceholder(
  value: Value | undefined,
  kind: string,
  digits: string | undefined,
  budget: Budget,
) {
  if (kind === 's') return toText(value as Value, budget)
  if (typeof value !== 'number') throw valueError(`\`format\` needs a number for \`%${kind}\``)
  return kind === 'f' ? value.toFixed(Number(digits ?? 6)) : String(Math.trunc(value))
}
