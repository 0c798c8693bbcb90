import type { Source } from '../../../citations/source.ts'
import type { FormatReader } from '../../document.ts'

/** The kinds read in a separate process: all but plain text, which is bounded by itself. */
export type ProcessKind = Exclude<Source['kind'], 'markdown' | 'text'>

/** Readers with their slow-loading libraries, so that loading does not count as a file's time. */
const readers: Readonly<Record<ProcessKind, () => Promise<FormatReader>>> = {
  pdf: async () => {
    await (await import('../pdf/pdfium.ts')).loadPdfium()
    return (await import('../pdf/read-pdf.ts')).readPdf
  },
  html: async () => {
    await import('linkedom')
    return (await import('../html/read-html.ts')).readHtmlFile
  },
  csv: async () => (await import('../tables/read-csv.ts')).readCsv,
  xlsx: async () => (await import('../office/read-xlsx.ts')).readXlsx,
  docx: async () => {
    await Promise.all([import('mammoth'), import('linkedom')])
    return (await import('../office/read-docx.ts')).readDocx
  },
  pptx: async () => (await import('../office/read-pptx.ts')).readPptx,
  epub: async () => (await import('../epub/read-epub.ts')).readEpub,
  image: async () => (await import('../image/read-image.ts')).readImage,
}

/**
 * The reader for a kind, loaded on first use.
 * @throws for kinds that need no worker
 */
export function loadReader(kind: Source['kind']): Promise<FormatReader> {
  if (kind === 'markdown' || kind === 'text') throw new Error(`${kind} needs no process`)
  return readers[kind]()
}
