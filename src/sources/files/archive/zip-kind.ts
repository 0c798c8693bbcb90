import { extname } from 'node:path'
import type { FileKind } from '../../file-kind.ts'
import type { ZipArchive } from './zip-archive.ts'

/** What a zip archive is: a document, an archive of files, or an unsupported kind. */
export type ZipKind = FileKind | { readonly kind: 'archive' }

/** Parts of content types, with the kind of document they identify. */
const officeTypes: readonly (readonly [type: string, kind: 'docx' | 'xlsx' | 'pptx'])[] = [
  ['wordprocessingml.document.main', 'docx'],
  ['wordprocessingml.template.main', 'docx'],
  ['ms-word.document.macroEnabled.main', 'docx'],
  ['ms-word.template.macroEnabledTemplate.main', 'docx'],
  ['spreadsheetml.sheet.main', 'xlsx'],
  ['spreadsheetml.template.main', 'xlsx'],
  ['ms-excel.sheet.macroEnabled.main', 'xlsx'],
  ['ms-excel.template.macroEnabled.main', 'xlsx'],
  ['presentationml.presentation.main', 'pptx'],
  ['presentationml.slideshow.main', 'pptx'],
  ['presentationml.template.main', 'pptx'],
  ['ms-powerpoint.presentation.macroEnabled.main', 'pptx'],
  ['ms-powerpoint.slideshow.macroEnabled.main', 'pptx'],
]
const openDocument = 'application/vnd.oasis.opendocument.'
const openDocumentHints: Readonly<Record<string, string>> = {
  text: 'Save it as a Word document (.docx) or a PDF and add that.',
  spreadsheet: 'Save it as an Excel workbook (.xlsx) or a CSV file and add that.',
  presentation: 'Save it as a PowerPoint presentation (.pptx) or a PDF and add that.',
}
/** Archives that are not folders of documents, recognised by extension only. */
const others: Readonly<Record<string, readonly [named: string, hint: string]>> = {
  '.pages': ['a Pages document', 'Export it as a Word document or a PDF and add that.'],
  '.numbers': ['a Numbers spreadsheet', 'Export it as an Excel workbook or CSV and add that.'],
  '.key': ['a Keynote presentation', 'Export it as a PowerPoint presentation and add that.'],
  '.jar': ['a program', 'Add the documents that belong to it.'],
  '.apk': ['a program', 'Add the documents that belong to it.'],
  '.kmz': ['a map', 'Add the documents that belong to it.'],
}
/** These parts have a few kilobytes; a larger one is not genuine. */
const maxTypePartBytes = 1_000_000

/** The kind of an opened zip archive, from its parts; by name only if no part tells. */
export async function detectZipKind(archive: ZipArchive, path: string): Promise<ZipKind> {
  const mimetype = (await readSmallText(archive, 'mimetype')).trim()
  if (mimetype === 'application/epub+zip') return { kind: 'epub' }
  if (mimetype.startsWith(openDocument)) return refuseOpenDocument(mimetype)
  const types = await readSmallText(archive, '[Content_Types].xml')
  const office = officeTypes.find(([type]) => types.includes(type))
  if (office !== undefined) return { kind: office[1] }
  if (types.includes('ms-excel.sheet.binary')) {
    const hint = 'Save it as an Excel workbook (.xlsx) and add that.'
    return { kind: 'unsupported', named: 'a binary Excel workbook', hint }
  }
  if (types !== '' && extname(path).toLowerCase() !== '.zip') {
    const hint = 'Save it as a PDF and add that.'
    return { kind: 'unsupported', named: 'a package of a kind that is not read', hint }
  }
  if (archive.find('META-INF/container.xml') !== undefined) return { kind: 'epub' }
  const other = others[extname(path).toLowerCase()]
  if (other !== undefined) return { kind: 'unsupported', named: other[0], hint: other[1] }
  return { kind: 'archive' }
}

function refuseOpenDocument(mimetype: string): FileKind {
  const what = mimetype.slice(openDocument.length).replace(/-.*$/, '')
  const hint = openDocumentHints[what] ?? 'Save it as a PDF and add that.'
  return { kind: 'unsupported', named: `an OpenDocument ${what} file`, hint }
}

async function readSmallText(archive: ZipArchive, name: string): Promise<string> {
  const entry = archive.find(name)
  if (entry === undefined || entry.sizeBytes > maxTypePartBytes) return ''
  const bytes = await archive.unpack(entry)
  return bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : ''
}
