import type { DomDocument, DomElement } from './dom.ts'

/** More text of a page's style sheets is not read, in characters. */
const MAX_CSS_CHARS = 500_000

/**
 * The elements that the style sheets written into a page hide: those of one class or id whose rule says so and no other
 * rule shows them (for a wider screen, say). Sheets that the page loads are not known.
 */
export function hiddenBySheets(document: DomDocument): readonly DomElement[] {
  const css = [...document.querySelectorAll('style')].map((style) => style.textContent ?? '')
  const rules = rulesIn(
    css
      .join('\n')
      .slice(0, MAX_CSS_CHARS)
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
    namesOf(element).some((name) => names.has(name)),
  )
}

function namesOf(element: DomElement): readonly string[] {
  const classes = element.getAttribute('class')?.trim().split(/\s+/) ?? []
  return [...classes.map((name) => `.${name}`), `#${element.getAttribute('id')}`]
}

/** A rule of a style sheet; nested ones hold only under a condition (`@media`). */
interface Rule {
  readonly selectors: string
  readonly declarations: string
  readonly isNested: boolean
}

function rulesIn(css: string): readonly Rule[] {
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
