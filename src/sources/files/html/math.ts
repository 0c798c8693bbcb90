import type { DomDocument, DomElement } from './dom.ts'

/** Longer formulas are cut, in characters. */
const MAX_FORMULA_CHARS = 2_000

/** Elements that hold a formula once or several times over: MathML, and what KaTeX, MathJax and wikis write. */
export const FORMULAS = [
  'math',
  '.katex',
  '.katex-mathml',
  '.MathJax',
  'mjx-container',
  '.mwe-math-element',
  'script[type^="math/tex"]',
].join(',')

/** Parts of a page that only draw a formula, or show it until it is drawn. */
export function formulaDrawings(document: DomDocument): string {
  const hasScripts = document.querySelector('script[type^="math/tex"]') !== null
  return `.katex-html,.MathJax_Preview${hasScripts ? ',.MathJax_Display,.MathJax' : ''}`
}

/** A formula's TeX where the page has it, else its text; empty where there is neither. */
export function formulaText(element: DomElement): string {
  const math = element.localName === 'math' ? element : element.querySelector('math')
  const tex = texOf(element, math)
  const text = tex === undefined || readsLikeProse(tex) ? visibleText(math ?? element) : tex
  return text.replace(/\s+/g, ' ').trim().slice(0, MAX_FORMULA_CHARS)
}

function texOf(element: DomElement, math: DomElement | null): string | undefined {
  if (element.localName === 'script') return element.textContent ?? undefined
  const annotation = element.querySelector('annotation[encoding="application/x-tex"]')
  const tex = annotation?.textContent ?? math?.getAttribute('alttext') ?? undefined
  return tex?.replace(/^\s*\{\\(?:display|text)style\s(.*)\}\s*$/s, '$1')
}

/** Words in a row that no command stands around: TeX is not seen, so a sentence in it was put there to be read by us. */
function readsLikeProse(tex: string): boolean {
  return /(?:(?<![\\\p{L}])\p{L}{2,}[\s,.:!?]+){4}/u.test(tex)
}

function visibleText(math: DomElement): string {
  const copy = math.cloneNode(true)
  for (const hidden of copy.querySelectorAll('annotation,annotation-xml,script')) hidden.remove()
  return copy.textContent ?? ''
}
