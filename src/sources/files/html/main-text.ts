import type { DomDocument, DomElement } from './dom.ts'
import { elementText } from './element-text.ts'
import { narrowToBody, pruneAsides, pruneNamed } from './prune.ts'

/** A shorter text is only taken for the main one if it is most of the page's. */
const MIN_MAIN_CHARS = 250

/**
 * The main text of a prepared document with its headings. Where nothing reads like an article (a short page, a list of
 * links), all of the page but its navigation. Changes the document.
 */
export async function mainText(document: DomDocument): Promise<ReturnType<typeof elementText>> {
  pruneNamed(document.body)
  const whole = elementText(document.body)
  const article = await articleIn(document)
  if (article === undefined) return whole
  const body = narrowToBody(article)
  pruneNamed(body)
  pruneAsides(body)
  const main = elementText(body)
  const isEnough = main.text.length >= Math.min(MIN_MAIN_CHARS, whole.text.length / 2)
  return isEnough ? main : whole
}

/** @see https://github.com/mozilla/readability */
async function articleIn(document: DomDocument): Promise<DomElement | undefined> {
  const { Readability } = await import('@mozilla/readability')
  const reader = new Readability<DomElement>(document as never, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: (node) => node as unknown as DomElement,
  })
  return reader.parse()?.content ?? undefined
}
