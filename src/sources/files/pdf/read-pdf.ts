import { setImmediate } from 'node:timers/promises'
import { type FormatReader, maxTextUnits, type Unreadable } from '../../document.ts'
import { composePdf, type DrawnPages } from './compose.ts'
import { joinJustified } from './justified.ts'
import { groupLines, type PdfLine } from './lines.ts'
import { openPdf, type PdfFile } from './pdf-file.ts'
import {
  describePages,
  explainNoText,
  explainOpenFailure,
  type PageTrouble,
} from './pdf-troubles.ts'
import { discardPdfium, loadPdfium, outOfMemory } from './pdfium.ts'
import { countUnreadable, toRuns } from './text-runs.ts'

/** Reads a PDF: pages, and headings as sections. */
export const readPdf: FormatReader = async (bytes, request, allowMs) => {
  const { contentHash, fallbackTitle, timeoutMs } = request
  const extraction = await extractPdf(bytes, timeoutMs, (pageCount) =>
    allowMs(timeLimitMs(timeoutMs, pageCount)),
  )
  if (!extraction.ok) return extraction
  const composed = composePdf(contentHash, extraction, fallbackTitle)
  return { ok: true, content: { ...composed, notes: extraction.notes } }
}

/** What a PDF draws, page by page, or why it cannot be read. */
type Extraction =
  | ({ readonly ok: true; readonly notes: readonly string[] } & DrawnPages)
  | { readonly ok: false; readonly unreadable: Unreadable }

/**
 * Extracts a PDF's text with PDFium.
 * @throws if PDFium fails on the file; the message is {@link outOfMemory} if it was refused memory
 */
async function extractPdf(
  bytes: Uint8Array,
  timeoutMs: number,
  onOpened: (pageCount: number) => void,
): Promise<Extraction> {
  const startedAt = performance.now()
  const pdfium = await loadPdfium()
  try {
    const file = openPdf(pdfium, bytes)
    if (typeof file === 'string') return { ok: false, unreadable: explainOpenFailure(file) }
    onOpened(file.pageCount)
    await setImmediate() // PDFium does not let go of the thread; first the limit has to be sent.
    const limitMs = softPartOfTime * timeLimitMs(timeoutMs, file.pageCount)
    const extraction = extractPages(file, () => performance.now() - startedAt > limitMs)
    file.close()
    if (pdfium.isOutOfMemory()) throw new Error(outOfMemory)
    return extraction
  } catch (error) {
    discardPdfium()
    throw pdfium.isOutOfMemory() ? new Error(outOfMemory) : error
  }
}

function extractPages(file: PdfFile, isTimeUp: () => boolean): Extraction {
  const read = readPages(file, isTimeUp)
  if (!read.pages.some((lines) => lines.length > 0))
    return { ok: false, unreadable: explainNoText(read.troubles, file.pageCount) }
  const recognised = read.troubles.filter(({ kind }) => kind === 'recognised')
  return {
    ok: true,
    pages: read.pages,
    recognised: new Set(recognised.map(({ page }) => page)),
    info: file.readInfo(),
    notes: [...describePages(read.troubles), ...read.notes],
  }
}

interface ReadPages {
  readonly pages: PdfLine[][]
  readonly troubles: PageTrouble[]
  readonly notes: string[]
}

function readPages(file: PdfFile, isTimeUp: () => boolean): ReadPages {
  const read: ReadPages = { pages: [], troubles: [], notes: [] }
  let textUnits = 0
  for (let number = 1; number <= file.pageCount; number++) {
    const limit = reachedLimit(number, textUnits, isTimeUp)
    if (limit !== undefined) {
      read.notes.push(`only pages 1 to ${number - 1} of ${file.pageCount} were read: ${limit}`)
      break
    }
    const { lines, troubles } = readPage(file, number)
    read.pages.push([...lines])
    textUnits += lines.reduce((units, line) => units + line.text.length, 0)
    for (const trouble of troubles) read.troubles.push({ page: number, ...trouble })
  }
  return read
}

function reachedLimit(
  number: number,
  textUnits: number,
  isTimeUp: () => boolean,
): string | undefined {
  if (number === 1) return undefined
  if (number > maxPages) return `the maximum is ${maxPages} pages`
  if (textUnits > maxTextUnits) return `its text is longer than ${maxTextUnits} characters`
  return isTimeUp() ? 'the time limit per file was reached' : undefined
}

interface ReadPage {
  readonly lines: readonly PdfLine[]
  readonly troubles: readonly Omit<PageTrouble, 'page'>[]
}

function readPage(file: PdfFile, number: number): ReadPage {
  const seen = file.readPage(number)
  if (seen === undefined)
    return { lines: [], troubles: [{ kind: 'failed', what: 'it is damaged' }] }
  if (typeof seen === 'number') return { lines: [], troubles: [{ kind: 'again', what: `${seen}` }] }
  const { glyphs, hidden, isRecognised } = seen
  const troubles: Omit<PageTrouble, 'page'>[] = [...hidden].map((what) => ({
    kind: 'hidden',
    what,
  }))
  if (isRecognised) troubles.push({ kind: 'recognised' })
  const lines = joinJustified(groupLines(toRuns(glyphs)))
  const unreadable = glyphs.reduce((count, { text }) => count + countUnreadable(text), 0)
  const readable = lines.reduce((count, { text }) => count + text.length, 0)
  if (unreadable > readable) troubles.push({ kind: 'unknown_letters' })
  else if (lines.length === 0 && hidden.size === 0) troubles.push({ kind: 'no_text' })
  return { lines, troubles }
}

/** Maximum number of pages; a note says if there are more. */
const maxPages = 3_000
/** Time per page on average in files too long for the file's time limit. */
const msPerPage = 20
/** After this share of its time, a reader returns what it has rather than being killed with nothing. */
const softPartOfTime = 0.85

/** The time limit for a file with this many pages, in milliseconds. */
function timeLimitMs(timeoutMs: number, pageCount: number): number {
  return Math.max(timeoutMs, Math.min(pageCount, maxPages) * msPerPage)
}
