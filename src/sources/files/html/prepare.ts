import type { DomDocument, DomElement } from './dom.ts'
import { countProseChars } from './prune.ts'

/** A page whose sheets hide more of its prose than this shows it by a script. */
const maxHiddenShare = 0.3

/** Takes out of a document what is not seen, in place, and writes each formula as text, once. */
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

/** Elements whose content is no text of the page. */
const neverText =
  'script,style,noscript,template,svg,canvas,iframe,object,embed,audio,video,map,rt,rp,del'

/** Whether a page says that an element is not to be seen. Style sheets that it loads are not known here. */
function isHidden(element: DomElement): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden') === 'true') return true
  if (element.localName === 'dialog') return !element.hasAttribute('open')
  const names = element.getAttribute('class')
  if (names !== null && hiddenClass.test(names)) return true
  const style = element.getAttribute('style')
  return style !== null && hidesByStyle(style)
}

/** Names that style sheets everywhere give to what only a screen reader says, or nothing. */
const hiddenClass =
  /(?:^|\s)(?:sr-only|screen-reader-text|visually-?hidden|(?:is-)?hidden-visually|element-invisible|a11y-hidden|offscreen)(?:\s|$)/i

/** Whether declarations make an element invisible: taken out, transparent, without size, or off the page. */
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

/** Longer formulas are cut, in characters. */
const maxFormulaChars = 2_000

/** Elements that hold a formula once or several times over: MathML, and what KaTeX, MathJax and wikis write. */
const formulas = [
  'math',
  '.katex',
  '.katex-mathml',
  '.MathJax',
  'mjx-container',
  '.mwe-math-element',
  'script[type^="math/tex"]',
].join(',')

/** Parts of a page that only draw a formula, or show it until it is drawn. */
function findFormulaDrawings(document: DomDocument): string {
  const hasScripts = document.querySelector('script[type^="math/tex"]') !== null
  return `.katex-html,.MathJax_Preview${hasScripts ? ',.MathJax_Display,.MathJax' : ''}`
}

/** A formula's TeX where the page has it, else its text; empty where there is neither. */
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

/** Words in a row that no command stands around: TeX is not seen, so a sentence in it was put there to be read by us. */
function readsLikeProse(tex: string): boolean {
  return /(?:(?<![\\\p{L}])\p{L}{2,}[\s,.:!?]+){4}/u.test(tex)
}

function visibleText(math: DomElement): string {
  const copy = math.cloneNode(true)
  for (const hidden of copy.querySelectorAll('annotation,annotation-xml,script')) hidden.remove()
  return copy.textContent ?? ''
}

/** More text of a page's style sheets is not read, in characters. */
const maxCssChars = 500_000

/**
 * The elements that the style sheets written into a page hide: those of one class or id whose rule says so and no other
 * rule shows them (for a wider screen, say). Sheets that the page loads are not known.
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

/** A rule of a style sheet; nested ones hold only under a condition (`@media`). */
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
