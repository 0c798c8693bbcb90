import type { DomDocument, DomElement } from './dom.ts'
import { isHidden } from './hidden.ts'
import { FORMULAS, formulaDrawings, formulaText } from './math.ts'
import { proseChars } from './prune.ts'
import { hiddenBySheets } from './style-sheets.ts'

/** A page whose sheets hide more of its prose than this shows it by a script. */
const MAX_HIDDEN_SHARE = 0.3

/** Takes out of a document what is not seen, in place, and writes each formula as text, once. */
export function prepare(document: DomDocument): void {
  for (const drawing of document.querySelectorAll(formulaDrawings(document))) drawing.remove()
  for (const formula of document.querySelectorAll(FORMULAS)) {
    if (formula.parentNode?.closest(FORMULAS) == null) replaceFormula(document, formula)
  }
  const most = MAX_HIDDEN_SHARE * proseChars(document.body)
  for (const element of hiddenBySheets(document)) {
    if (element.parentNode !== null && proseChars(element) <= most) element.remove()
  }
  for (const element of document.querySelectorAll(NEVER_TEXT)) element.remove()
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
const NEVER_TEXT =
  'script,style,noscript,template,svg,canvas,iframe,object,embed,audio,video,map,rt,rp,del'
