/** Printed forms of commands that Citation.js does not know. */
const printedForms: Readonly<Record<string, string>> = {
  aa: 'å',
  AA: 'Å',
  BibTeX: 'BibTeX',
  LaTeX: 'LaTeX',
  TeX: 'TeX',
  approx: '≈',
  cdot: '·',
  dots: '…',
  ell: 'ℓ',
  geq: '≥',
  in: '∈',
  infty: '∞',
  langle: '⟨',
  ldots: '…',
  leq: '≤',
  neq: '≠',
  nobreakspace: ' ',
  partial: '∂',
  pm: '±',
  quad: ' ',
  rangle: '⟩',
  rightarrow: '→',
  sim: '∼',
  slash: '/',
  sqrt: '√',
  times: '×',
  to: '→',
  ' ': ' ',
  '\n': ' ',
  '\\': ' ',
  ',': ' ',
  ';': ' ',
  ':': ' ',
  '-': '',
  '/': '',
  '!': '',
  '@': '',
  '(': '',
  ')': '',
  '[': '',
  ']': '',
}

/** Commands whose argument is not printed. */
const unprinted = /\\(?:textcolor|color|noopsort|[hv]space\*?)\s*\{[^{}]{0,200}\}/g
const fraction = /\\[dt]?frac\s*\{([^{}]{0,200})\}\s*\{([^{}]{0,200})\}/g

/**
 * Replaces TeX commands that the reader does not know by what they print, or by the contents of their braces. Escaped special
 * characters (`\&`) are kept.
 * @param isKnown whether a command, without its backslash, is handled later
 */
export function replaceUnknownCommands(tex: string, isKnown: (name: string) => boolean): string {
  if (!tex.includes('\\')) return tex
  return tex
    .replace(unprinted, '')
    .replace(fraction, '$1/$2')
    .replace(/\\([a-zA-Z]+)(\s*)|\\([^a-zA-Z])/g, (whole, name, space, sign) => {
      const command: string = name ?? sign
      if (isKnown(command) || /^[&%$#_{}]$/.test(command)) return whole
      const text = Object.hasOwn(printedForms, command)
        ? (printedForms[command] ?? '')
        : (sign ?? '')
      // TeX swallows the space after a command, but in "\LaTeX and" or "x \leq y" it is meant.
      return /^[åÅ⟨√∂/ ]?$/.test(text) ? text : text + (space ?? '')
    })
}

/** A URL or number from TeX, without protective braces and commands, and unescaped. */
export function parseTexAddress(tex: string): string {
  return tex
    .trim()
    .replace(/^\\(?:url|path|nolinkurl)\s*(?=\{)/, '')
    .replace(/\\(?:textasciitilde|~|sim\b)\s*/g, '~')
    .replace(/\\(?:textunderscore|_)\s*/g, '_')
    .replace(/\\([&%#$])/g, '$1')
    .replace(/[{}]/g, '')
}
