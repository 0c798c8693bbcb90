import type { Box } from './geometry.ts'
import type { PdfInfo } from './metadata.ts'
import { readGlyphs } from './page-glyphs.ts'
import { readPageObjects } from './page-objects.ts'
import { drawPage } from './page-picture.ts'
import { outOfMemory, type Pdfium, readUtf16 } from './pdfium.ts'
import { findXmpDoi, mayHaveLayers } from './raw-file.ts'
import { findVisibleText, type VisibleText } from './visible-text.ts'

/** A file opened with PDFium. Exceptions thrown here are PDFium's own: its instance must be discarded. */
export interface PdfFile {
  readonly pageCount: number
  /**
   * The text of a page, counted from 1, that a viewer sees; the number of an earlier page if both are the same object;
   * `undefined` if the page is damaged.
   */
  readPage(number: number): VisibleText | number | undefined
  readInfo(): PdfInfo
  close(): void
}

/** PDFium's reason for not opening a file. */
export type OpenFailure = 'password' | 'security' | 'damaged'

const passwordError = 4
const securityError = 5

/** Opens a file. */
export function openPdf(pdfium: Pdfium, bytes: Uint8Array): PdfFile | OpenFailure {
  const { call, view } = pdfium
  const at = call.malloc(bytes.length)
  if (at === 0) throw new Error(outOfMemory)
  new Uint8Array(view().buffer, at, bytes.length).set(bytes)
  const file = call.FPDF_LoadMemDocument(at, bytes.length, 0)
  const pageCount = file === 0 ? 0 : call.FPDF_GetPageCount(file)
  if (pageCount === 0) {
    const error = file === 0 ? call.FPDF_GetLastError() : 0
    if (file !== 0) call.FPDF_CloseDocument(file)
    call.free(at)
    return error === passwordError ? 'password' : error === securityError ? 'security' : 'damaged'
  }
  let layers: boolean | undefined
  const hasLayers = () => {
    layers ??= mayHaveLayers(bytes)
    return layers
  }
  return {
    pageCount,
    readPage(number) {
      const page = call.FPDF_LoadPage(file, number - 1)
      if (page === 0) return undefined
      const seen = markPage(pdfium, page, number) ?? readVisibleText(pdfium, page, hasLayers)
      call.FPDF_ClosePage(page)
      return seen
    },
    readInfo() {
      const title = readMeta(pdfium, file, 'Title')
      const author = readMeta(pdfium, file, 'Author')
      const doi = findXmpDoi(bytes)
      return {
        ...(title === '' ? {} : { title }),
        ...(author === '' ? {} : { author }),
        ...(doi === '' ? {} : { doi }),
      }
    },
    close() {
      call.FPDF_CloseDocument(file)
      call.free(at)
    },
  }
}

/** A left edge that the art box of no page has. */
const markEdge = -123_456

/**
 * Marks a page as read, in an entry of its object that says nothing about its text; PDFium does not tell which object a
 * page is. The number of the page that it was marked as before, if it was.
 */
function markPage(
  { call, scratch, view }: Pdfium,
  page: number,
  number: number,
): number | undefined {
  if (call.FPDFPage_GetArtBox(page, scratch, scratch + 4, scratch + 8, scratch + 12)) {
    const marked = view().getFloat32(scratch + 4, true)
    if (view().getFloat32(scratch, true) === markEdge && marked < number) return marked
  }
  call.FPDFPage_SetArtBox(page, markEdge, number, 0, 0)
  return undefined
}

function readVisibleText(pdfium: Pdfium, page: number, hasLayers: () => boolean): VisibleText {
  const { call, scratch, view } = pdfium
  const box = pageBox(pdfium, page)
  const objects = readPageObjects(pdfium, page, box)
  const text = call.FPDFText_LoadPage(page)
  const seen = findVisibleText({
    view: box,
    objects,
    glyphs: readGlyphs(pdfium, text, objects.texts),
    hasLayers,
    draw: (part, changes) => drawPage(pdfium, page, part, changes),
    inkOf({ index }) {
      call.FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24)
      const part = (offset: number) => view().getFloat64(scratch + offset, true)
      return { left: part(0), right: part(8), bottom: part(16), top: part(24) }
    },
  })
  call.FPDFText_ClosePage(text)
  return seen
}

function pageBox({ call, scratch, view }: Pdfium, page: number): Box {
  call.FPDF_GetPageBoundingBox(page, scratch)
  const part = (index: number) => view().getFloat32(scratch + 4 * index, true)
  return { left: part(0), top: part(1), right: part(2), bottom: part(3) }
}

const maxMetaBytes = 20_000

/** An entry of a file's metadata, without control characters; empty if there is none. */
function readMeta(pdfium: Pdfium, file: number, name: string): string {
  const { call, view } = pdfium
  const at = call.malloc(maxMetaBytes)
  new Uint8Array(view().buffer, at, maxMetaBytes).set(Buffer.from(`${name}\0`, 'latin1'))
  const text = at + 64
  const length = call.FPDF_GetMetaText(file, at, text, maxMetaBytes - 64)
  const read = length > maxMetaBytes - 64 ? '' : readUtf16(pdfium, text, length)
  call.free(at)
  return read.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
