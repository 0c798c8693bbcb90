import type { Unreadable } from '../document.ts'
import { MAX_TEXT_UNITS } from '../text-limits.ts'
import { type MissingCharacterMaps, watchCharacterMaps } from './character-maps.ts'
import { joinJustified } from './justified.ts'
import { type Line, linesOfRuns } from './lines.ts'
import type { PdfInfo } from './metadata.ts'
import { MAX_PAGES, SOFT_PART_OF_TIME, timeLimitMs } from './pdf-limits.ts'
import { type PageTrouble, pageNotes, refusalOf, whyNoText } from './pdf-troubles.ts'
import { countUnreadable, type TextItem, textRunOf } from './text-runs.ts'

/** What a PDF draws, page by page, or why nothing can be had of it. */
export type Extraction =
  | {
      readonly ok: true
      readonly pages: readonly (readonly Line[])[]
      readonly info: PdfInfo
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly unreadable: Unreadable }

/** The part of pdf.js that is used. */
interface PdfFile {
  readonly numPages: number
  readonly loadingTask: { destroy(): Promise<void> }
  getPage(number: number): Promise<PdfPage>
  getMetadata(): Promise<{ info: object; metadata: { get(name: string): unknown } | null }>
}

interface PdfPage {
  getTextContent(): Promise<{ items: readonly object[] }>
  cleanup(): boolean
}

/** Reads a PDF's text with pdf.js, which throws for what it cannot open: that comes back as a value. */
export async function extractPdf(
  bytes: Uint8Array,
  timeoutMs: number,
  onOpened: (pageCount: number) => void,
): Promise<Extraction> {
  const startedAt = performance.now()
  const { getDocumentProxy } = await import('unpdf')
  const characterMaps = watchCharacterMaps()
  let file: PdfFile
  try {
    const { BinaryDataFactory } = characterMaps
    file = await getDocumentProxy(bytes, { verbosity: 0, useWasm: false, BinaryDataFactory })
  } catch (error) {
    return { ok: false, unreadable: refusalOf(error) }
  }
  try {
    onOpened(file.numPages)
    const softLimitMs = SOFT_PART_OF_TIME * timeLimitMs(timeoutMs, file.numPages)
    const read = await readPages(
      file,
      characterMaps,
      () => performance.now() - startedAt > softLimitMs,
    )
    if (!read.pages.some((lines) => lines.length > 0)) {
      return { ok: false, unreadable: whyNoText(read.troubles, file.numPages) }
    }
    const notes = [...pageNotes(read.troubles), ...read.notes]
    return { ok: true, pages: read.pages, info: await infoOf(file), notes }
  } finally {
    await file.loadingTask.destroy()
  }
}

interface ReadPages {
  readonly pages: Line[][]
  readonly troubles: PageTrouble[]
  readonly notes: string[]
}

async function readPages(
  file: PdfFile,
  characterMaps: MissingCharacterMaps,
  isTimeUp: () => boolean,
): Promise<ReadPages> {
  const read: ReadPages = { pages: [], troubles: [], notes: [] }
  let textUnits = 0
  for (let number = 1; number <= file.numPages; number++) {
    const limit = reachedLimit(number, textUnits, isTimeUp)
    if (limit !== undefined) {
      read.notes.push(`only pages 1 to ${number - 1} of ${file.numPages} were read: ${limit}`)
      break
    }
    const page = await readPage(file, number)
    read.pages.push(page.lines)
    textUnits += page.lines.reduce((units, line) => units + line.text.length, 0)
    const trouble = characterMaps.troubleOf(page.trouble)
    if (trouble !== undefined) read.troubles.push({ page: number, ...trouble })
  }
  return read
}

function reachedLimit(
  number: number,
  textUnits: number,
  isTimeUp: () => boolean,
): string | undefined {
  if (number === 1) return undefined
  if (number > MAX_PAGES) return `more than ${MAX_PAGES} are not`
  if (textUnits > MAX_TEXT_UNITS) return `its text is longer than ${MAX_TEXT_UNITS} characters`
  return isTimeUp() ? 'the time for one file was up' : undefined
}

async function readPage(
  file: PdfFile,
  number: number,
): Promise<{ lines: Line[]; trouble?: Omit<PageTrouble, 'page'> }> {
  try {
    const page = await file.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    const drawn = items.filter((item): item is TextItem => 'str' in item)
    const lines = joinJustified(linesOfRuns(drawn.map(textRunOf)))
    const unreadable = drawn.reduce((count, { str }) => count + countUnreadable(str), 0)
    const readable = lines.reduce((count, { text }) => count + text.length, 0)
    if (unreadable > readable) return { lines, trouble: { kind: 'unknown_letters' } }
    return lines.length === 0 ? { lines, trouble: { kind: 'no_text' } } : { lines }
  } catch (error) {
    return {
      lines: [],
      trouble: { kind: 'failed', what: error instanceof Error ? error.message : String(error) },
    }
  }
}

async function infoOf(file: PdfFile): Promise<PdfInfo> {
  const given = await file.getMetadata().catch(() => undefined)
  const info = new Map(Object.entries(given?.info ?? {}))
  const text = (value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replace(/\p{Cc}/gu, ' ') : ''
  const title = text(info.get('Title'))
  const author = text(info.get('Author'))
  const doi = text(given?.metadata?.get('prism:doi'))
  return {
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(doi === '' ? {} : { doi }),
  }
}
