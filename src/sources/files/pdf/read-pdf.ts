import type { Reader } from '../../document.ts'
import { composePdf } from './compose.ts'
import { extractPdf } from './extract.ts'
import { timeLimitMs } from './pdf-limits.ts'

/** Reads a PDF: each page a page, its headings as sections. */
export const readPdf: Reader = async (bytes, request, allowMs) => {
  const { contentHash, fallbackTitle, timeoutMs } = request
  const extraction = await extractPdf(bytes, timeoutMs, (pageCount) =>
    allowMs(timeLimitMs(timeoutMs, pageCount)),
  )
  if (!extraction.ok) return extraction
  const composed = composePdf(contentHash, extraction, fallbackTitle)
  return { ok: true, content: { ...composed, notes: extraction.notes } }
}
