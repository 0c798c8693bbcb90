import { type FormatReader, maxTextUnits, type Unreadable } from '../../document.ts'
import { composePdf, type DrawnPages } from './compose.ts'
import { findSeenText, type SeenText } from './hidden-text.ts'
import { joinJustified } from './justified.ts'
import { groupLines, type PdfLine } from './lines.ts'
import type { PdfInfo } from './metadata.ts'
import {
  type MissingCharacterMaps,
  openPdf,
  type PdfFile,
  type PdfLayers,
  type PdfPage,
  pdfOperators,
  watchCharacterMaps,
} from './open-pdf.ts'
import { describePages, explainNoText, type PageTrouble, toUnreadable } from './pdf-troubles.ts'
import { readDrawing } from './read-drawing.ts'
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

/** A file being read. */
interface OpenFile {
  readonly file: PdfFile
  /** The file opened again with pictures; `undefined` once the time for them is up. */
  readonly withPictures: () => Promise<PdfFile> | undefined
  readonly layers: PdfLayers
  readonly operators: Readonly<Record<string, number>>
  readonly characterMaps: MissingCharacterMaps
  /** Numbers of the pages read, by their objects in the file. */
  readonly read: Map<string, number>
  readonly isTimeUp: () => boolean
}

/** Larger pictures are left out. Unpacking a page's pictures takes as long as everything else, and few pages need it. */
const noPictures = 0
const maxPicturePoints = 20_000_000
/** After this share of a file's time, no page is read again with pictures. */
const picturesPartOfTime = 0.4
/** pdf.js's constant for ignoring annotations and form fields. */
const noAnnotations = 0

/** Prefix of pdf.js's ids for pictures shared between pages. */
const sharedPicture = 'g_'

/** Extracts a PDF's text with pdf.js, whose errors are returned as values. */
async function extractPdf(
  bytes: Uint8Array,
  timeoutMs: number,
  onOpened: (pageCount: number) => void,
): Promise<Extraction> {
  const startedAt = performance.now()
  const characterMaps = watchCharacterMaps()
  const { BinaryDataFactory } = characterMaps
  let file: PdfFile
  try {
    file = await openPdf(bytes, { maxImageSize: noPictures, BinaryDataFactory })
  } catch (error) {
    return { ok: false, unreadable: toUnreadable(error) }
  }
  let pictured: Promise<PdfFile> | undefined
  try {
    onOpened(file.numPages)
    const limitMs = softPartOfTime * timeLimitMs(timeoutMs, file.numPages)
    const isPast = (part: number) => performance.now() - startedAt > part * limitMs
    const read = await readPages({
      file,
      withPictures() {
        if (isPast(picturesPartOfTime)) return undefined
        pictured ??= openPdf(bytes, { maxImageSize: maxPicturePoints, BinaryDataFactory })
        return pictured
      },
      layers: await file.getOptionalContentConfig(),
      operators: await pdfOperators(),
      characterMaps,
      read: new Map(),
      isTimeUp: () => isPast(1),
    })
    if (!read.pages.some((lines) => lines.length > 0)) {
      return { ok: false, unreadable: explainNoText(read.troubles, file.numPages) }
    }
    const notes = [...describePages(read.troubles), ...read.notes]
    const recognised = new Set(
      read.troubles.filter(({ kind }) => kind === 'recognised').map(({ page }) => page),
    )
    return { ok: true, pages: read.pages, recognised, info: await readInfo(file), notes }
  } finally {
    await file.loadingTask.destroy()
    await (await pictured)?.loadingTask.destroy()
  }
}

interface ReadPages {
  readonly pages: PdfLine[][]
  readonly troubles: PageTrouble[]
  readonly notes: string[]
}

async function readPages(open: OpenFile): Promise<ReadPages> {
  const { file, characterMaps, isTimeUp } = open
  const read: ReadPages = { pages: [], troubles: [], notes: [] }
  let textUnits = 0
  for (let number = 1; number <= file.numPages; number++) {
    const limit = reachedLimit(number, textUnits, isTimeUp)
    if (limit !== undefined) {
      read.notes.push(`only pages 1 to ${number - 1} of ${file.numPages} were read: ${limit}`)
      break
    }
    const { lines, trouble: seen, hidden = [], isRecognised } = await readPage(open, number)
    read.pages.push(lines)
    textUnits += lines.reduce((units, line) => units + line.text.length, 0)
    const trouble = characterMaps.troubleOf(seen)
    if (trouble !== undefined) read.troubles.push({ page: number, ...trouble })
    if (isRecognised === true) read.troubles.push({ page: number, kind: 'recognised' })
    for (const what of hidden) read.troubles.push({ page: number, kind: 'hidden', what })
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
  readonly lines: PdfLine[]
  readonly trouble?: Omit<PageTrouble, 'page'>
  /** Why some invisible text is left out. */
  readonly hidden?: Iterable<string>
  readonly isRecognised?: boolean
}

async function readPage(open: OpenFile, number: number): Promise<ReadPage> {
  try {
    const page = await open.file.getPage(number)
    const same = open.read.get(objectName(page))
    if (same !== undefined) return { lines: [], trouble: { kind: 'again', what: `${same}` } }
    open.read.set(objectName(page), number)
    const { glyphs, hidden, isRecognised } = await findSeen(page, number, open)
    const lines = joinJustified(groupLines(toRuns(glyphs)))
    const unreadable = countUnreadable(glyphs.map(({ text }) => text).join(''))
    const readable = lines.reduce((count, { text }) => count + text.length, 0)
    if (unreadable > readable)
      return { lines, trouble: { kind: 'unknown_letters' }, hidden, isRecognised }
    const isBare = lines.length === 0 && hidden.size === 0
    return isBare ? { lines, trouble: { kind: 'no_text' } } : { lines, hidden, isRecognised }
  } catch (error) {
    return {
      lines: [],
      trouble: { kind: 'failed', what: error instanceof Error ? error.message : String(error) },
    }
  }
}

/** In a valid file no object is used for two pages. */
function objectName({ ref, pageNumber }: PdfPage): string {
  return ref === null ? `page ${pageNumber}` : `${ref.num} ${ref.gen}`
}

/** Determines a page's visible text: without pictures, and again with them if they could make a difference. */
async function findSeen(page: PdfPage, number: number, open: OpenFile): Promise<SeenText> {
  const seen = await judgeSeen(page, open)
  const file = seen.isInDoubt ? await open.withPictures()?.catch(() => undefined) : undefined
  return file === undefined ? seen : judgeSeen(await file.getPage(number), open)
}

async function judgeSeen(page: PdfPage, { layers, operators }: OpenFile): Promise<SeenText> {
  const { commonObjs, objs, view, userUnit } = page
  const list = await page.getOperatorList({ annotationMode: noAnnotations })
  const among = (id: string) => (id.startsWith(sharedPicture) ? commonObjs : objs)
  for (const [index, operator] of list.fnArray.entries()) {
    if (operator !== operators.paintImageXObject) continue
    const [id] = list.argsArray[index] as readonly [string]
    await new Promise<unknown>((resolve) => among(id).get(id, resolve)) // Available once it is unpacked.
  }
  const drawing = readDrawing(list, {
    operators,
    fontOf: (id) => (commonObjs.has(id) ? commonObjs.get(id) : {}),
    pictureOf: (id) => among(id).get(id),
    isLayerOn: (layer) => layers.isVisible(layer),
    view,
    userUnit,
  })
  page.cleanup()
  return findSeenText(drawing)
}

async function readInfo(file: PdfFile): Promise<PdfInfo> {
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
