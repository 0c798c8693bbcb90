import type { Document, Unreadable } from '../../document.ts'
import { parseHtml } from './dom.ts'
import { elementText } from './element-text.ts'
import { prepareDocument } from './prepare.ts'

/** The text of a fragment and its headings. */
export type HtmlText = Pick<Document, 'text' | 'sections'>

/**
 * All visible text of an HTML or XHTML page or fragment, without removing boilerplate (for e-book chapters and converted
 * documents), or why there is none; distinguish them with `'reason' in`. Headings are separate lines, items start with
 * `- ` or `1. `, table rows are sentences with their column names. The text may be empty.
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

/** The refusal of a page on which the parser or the text extraction threw. */
export function brokenPage(error: unknown): Unreadable {
  const detail = `It could not be read as a page: ${String(error).slice(0, 300)}.`
  return { reason: 'broken', detail, hint: 'Save it again, or save its text.' }
}
