import type { Document, Unreadable } from '../../document.ts'
import { parseHtml } from './dom.ts'
import { elementText } from './element-text.ts'
import { prepareDocument } from './prepare.ts'

/** The text of a fragment and its headings. */
export type HtmlText = Pick<Document, 'text' | 'sections'>

/**
 * All the text of an HTML page or fragment as it is seen, nothing taken for boilerplate (chapters of e-books, converted
 * documents), or why it gives none; tell them apart by `'reason' in`. Headings are lines of their own, items begin with
 * `- ` or `1. `, a table's rows are sentences with the names of their columns. XHTML is read too. The text may be empty.
 */
export async function htmlToText(html: string): Promise<HtmlText | Unreadable> {
  try {
    const document = await parseHtml(html)
    if ('reason' in document) return document
    prepareDocument(document)
    return elementText(document.body)
  } catch (error) {
    return brokenPage(error)
  }
}

/** Says of a page that the parser, or what takes the text out, threw. */
export function brokenPage(error: unknown): Unreadable {
  const detail = `It could not be read as a page: ${String(error).slice(0, 300)}.`
  return { reason: 'broken', detail, hint: 'Save it again, or save its text.' }
}
