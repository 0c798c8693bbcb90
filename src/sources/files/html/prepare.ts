import type { DomDocument, DomElement } from './dom.ts'
import { countProseChars } from './prune.ts'

/** If style sheets hide more than this share of the prose, a script is assumed to show it. */
const maxHiddenShare = 0.3

/** Removes invisible content from a document, in place, and writes each formula once, as text. */
export function prepareDocument(document: DomDocument): void {
  for (const drawing of document.querySelectorAll(findFormulaDrawings(document))) drawing.remove()
  for (const formula of document.querySelectorAll(formulas)) {
    if (formula.parentNode?.closest(formulas) == null) replaceFormula(document, formula)
  }
  const most = maxHiddenShare * countProseChars(document.body)
  for (const element of findHiddenBySheets(document)) {
    if (element.parentNode !== null && countProseChars(element) <= most) element.remove()
  }
  for (const element of document.querySelectorAll(neverText)) element.remove()
  for (const element of document.body.querySelectorAll('*')) {
    if (isHidden(element)) element.remove()
  }
}

function replaceFormula(document: DomDocument, formula: DomElement): void {
  const text = document.createElement('span')
  text.append(formulaText(formula))
  formula.replaceWith(text)
}

/** Elements whose content is not text of the page. */
const neverText =
  'script,style,noscript,template,svg,canvas,iframe,object,embed,audio,video,map,rt,rp,del'

/** Whether a page hides an element. Style sheets that it loads are not known. */
function isHidden(element: DomElement): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  if (element.localName === 'dialog') return !element.hasAttribute('open')
  const names = element.getAttribute('class')
  if (names !== null && hiddenClass.test(names)) return true
  const style = element.getAttribute('style')
  return style !== null && hidesByStyle(style)
}

/** Common class names for text that only screen readers read, or nobody. */
const hiddenClass =
  /(?:^|\s)(?:sr-only|screen-reader-text|visually-?hidden|(?:is-)?hidden-visually|element-invisible|a11y-hidden|offscreen)(?:\s|$)/i

/** Whether declarations make an element invisible: removed, transparent, without size, or off the page. */
function hidesByStyle(declarations: string): boolean {
  return hidingStyle.test(declarations.slice(0, 2_000).replace(/\s+/g, '').toLowerCase())
}

const hidingStyle = new RegExp(
  [
    'display:none',
    'visibility:(?:hidden|collapse)',
    'opacity:0*(?:\\.0*)?%?',
    'font-size:0*(?:\\.0*)?(?:px|r?em|pt|%)?',
    'text-indent:-\\d{3,}\\w*',
    '(?:left|top|right|bottom|margin-left|margin-top):-\\d{4,}\\w*',
    'clip:rect\\((?:[01](?:px)?[,)]){4}',
    'clip-path:inset\\((?:50|100)%\\)',
    'transform:scale\\(0\\)',
    'content-visibility:hidden',
    'color:transparent',
  ]
    .map((declaration) => `(?:^|;)${declaration}(?:!important)?(?=;|$)`)
    .join('|'),
)

/** Maximum length of a formula in characters; longer ones are cut. */
const maxFormulaChars = 2_000

/** Elements with a formula, possibly several times: MathML, and the output of KaTeX, MathJax and wikis. */
const formulas = [
  'math',
  '.katex',
  '.katex-mathml',
  '.MathJax',
  'mjx-container',
  '.mwe-math-element',
  'script[type^="math/tex"]',
].join(',')

/** Elements that only draw a formula, or show it until it is drawn. */
function findFormulaDrawings(document: DomDocument): string {
  const hasScripts = document.querySelector('script[type^="math/tex"]') !== null
  return `.katex-html,.MathJax_Preview${hasScripts ? ',.MathJax_Display,.MathJax' : ''}`
}

/** A formula's TeX if the page has it, else its text; empty if neither. */
function formulaText(element: DomElement): string {
  const math = element.localName === 'math' ? element : element.querySelector('math')
  const tex = findTex(element, math)
  const text = tex === undefined || readsLikeProse(tex) ? visibleText(math ?? element) : tex
  return text.replace(/\s+/g, ' ').trim().slice(0, maxFormulaChars)
}

function findTex(element: DomElement, math: DomElement | null): string | undefined {
  if (element.localName === 'script') return element.textContent ?? undefined
  const annotation = element.querySelector('annotation[encoding="application/x-tex"]')
  const tex = annotation?.textContent ?? math?.getAttribute('alttext') ?? undefined
  return tex?.replace(/^\s*\{\\(?:display|text)style\s(.*)\}\s*$/s, '$1')
}

/** Several words without a command: TeX is not displayed, so a sentence in it was placed there for machines. */
function readsLikeProse(tex: string): boolean {
  return /(?:(?<![\\\p{L}])\p{L}{2,}[\s,.:!?]+){4}/u.test(tex)
}

function visibleText(math: DomElement): string {
  const copy = math.cloneNode(true)
  for (const hidden of copy.querySelectorAll('annotation,annotation-xml,script')) hidden.remove()
  return copy.textContent ?? ''
}

/** Maximum length of a page's style sheets in characters. */
const maxCssChars = 500_000

/**
 * Elements hidden by embedded style sheets: those with a class or id whose rule hides them, unless another rule shows
 * them, for example on wider screens. Linked style sheets are not known.
 */
function findHiddenBySheets(document: DomDocument): readonly DomElement[] {
  const css = [...document.querySelectorAll('style')].map((style) => style.textContent ?? '')
  const rules = parseRules(
    css
      .join('\n')
      .slice(0, maxCssChars)
      .replace(/\/\*[\s\S]*?\*\//g, ''),
  )
  const hidden = new Set<string>()
  const shown = new Set<string>()
  for (const { selectors, declarations, isNested } of rules) {
    const display = /(?:^|;)\s*(?:display|visibility)\s*:\s*([a-z-]+)/i.exec(declarations)?.[1]
    if (display === undefined) continue
    const hides = /^(?:none|hidden|collapse)$/i.test(display)
    for (const selector of selectors.split(',')) {
      const name = /^\s*[a-z\d]*([.#][\w-]+)\s*$/i.exec(selector)?.[1]
      if (name === undefined) continue
      if (!hides) shown.add(name)
      else if (!isNested) hidden.add(name)
    }
  }
  const names = new Set([...hidden].filter((name) => !shown.has(name)))
  if (names.size === 0) return []
  return [...document.body.querySelectorAll('[class],[id]')].filter((element) =>
    listClassNames(element).some((name) => names.has(name)),
  )
}

function listClassNames(element: DomElement): readonly string[] {
  const classes = element.getAttribute('class')?.trim().split(/\s+/) ?? []
  return [...classes.map((name) => `.${name}`), `#${element.getAttribute('id')}`]
}

/** A rule of a style sheet; nested rules hold under a condition (`@media`). */
interface Rule {
  readonly selectors: string
  readonly declarations: string
  readonly isNested: boolean
}

function parseRules(css: string): readonly Rule[] {
  const rules: Rule[] = []
  const open: string[] = []
  let start = 0
  for (const { 0: brace, index } of css.matchAll(/[{}]/g)) {
    const text = css.slice(start, index)
    start = index + 1
    if (brace === '{') open.push(text.slice(text.lastIndexOf(';') + 1))
    else {
      const selectors = open.pop()
      if (selectors !== undefined) {
        rules.push({ selectors, declarations: text, isNested: open.length > 0 })
      }
    }
  }
  return rules
}
