import type { ExpandedTags } from 'exifreader'
import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import { type FormatReader, type ReadResult, refuse } from '../../document.ts'

/** Metadata is within the first bytes; the rest is image data. */
const maxHeadBytes = 20_000_000

/** Reads a picture's metadata: format, size, date, author, description. */
export const readImage: FormatReader = async (bytes, { contentHash, fallbackTitle }) => {
  const { default: exif } = await import('exifreader')
  let tags: Parameters<typeof describeImage>[0]
  try {
    const head = bytes.slice(0, maxHeadBytes)
    tags = exif.load(head.buffer, {
      expanded: true,
      excludeTags: { icc: true, thumbnail: true, makerNotes: true, mpf: true },
    })
  } catch (error) {
    return broken(error)
  }
  const { title, text, csl, isBare } = describeImage(tags, contentHash, fallbackTitle)
  if (isBare) return broken(new Error('it is truncated'))
  const content = {
    title,
    text,
    pages: [],
    sections: [],
    csl,
    notes: ['only its metadata is read'],
  }
  return { ok: true, content }
}

function broken(error: unknown): ReadResult {
  const why = error instanceof Error ? error.message.replace(/\.$/, '') : 'it is incomplete'
  const hint = 'Open it in an image viewer and save it again.'
  return refuse({ reason: 'broken', detail: `Its metadata could not be read: ${why}.`, hint })
}

/** A picture in words. */
interface ImageDescription {
  readonly title: string
  /** One sentence per line: format, size, date and author, description. */
  readonly text: string
  readonly csl: CslItem
  /** Whether only the format is known. */
  readonly isBare: boolean
}

/** Maximum length of a value; captions are shorter. */
const maxValueUnits = 4_000
const groups = ['exif', 'iptc', 'xmp', 'pngText', 'png', 'file', 'pngFile', 'riff', 'gif'] as const
/** Names of the same field in the metadata standards, most informative first. */
const fieldNames = {
  title: ['Object Name', 'title', 'Title', 'XPTitle', 'Headline'],
  description: ['ImageDescription', 'Caption/Abstract', 'description', 'Description', 'XPSubject'],
  comment: ['UserComment', 'XPComment', 'Comment'],
  author: ['Artist', 'By-line', 'creator', 'Author', 'XPAuthor'],
  copyright: ['Copyright', 'Copyright Notice', 'rights'],
  keywords: ['Keywords', 'subject', 'XPKeywords'],
  date: ['DateTimeOriginal', 'DateTimeDigitized', 'Date Created', 'CreateDate', 'Creation Time'],
  changed: ['DateTime', 'ModifyDate'],
  make: ['Make'],
  model: ['Model'],
  software: ['Software', 'CreatorTool'],
  width: ['Image Width', 'ImageWidth', 'PixelXDimension'],
  height: ['Image Height', 'ImageHeight', 'ImageLength', 'PixelYDimension'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Describes a picture by its tags. A location is private: only its presence is mentioned. */
function describeImage(tags: ExpandedTags, id: Hash, fallbackTitle: string): ImageDescription {
  const said = (name: keyof typeof fieldNames) => firstValue(tags, fieldNames[name])
  const title = said('title') || fallbackTitle
  const kind = tags.file?.FileType?.description ?? ''
  const date = findDate(said('date')) ?? findDate(said('changed'))
  const [width, height] = [said('width'), said('height')].map((text) => /\d+/.exec(text)?.[0])
  const camera = cameraName(said('make'), said('model'))
  const hasPlace = tags.gps?.Latitude !== undefined || tags.exif?.GPSLatitude !== undefined
  const lines: readonly (readonly [what: string, value: string])[] = [
    ['Title', said('title')],
    ['Description', said('description')],
    ['Comment', said('comment')],
    ['Kind', `${kind} picture`.trim()],
    ['Size', width === undefined || height === undefined ? '' : `${width} × ${height} pixels`],
    ['Made', date?.join('-') ?? ''],
    ['Author', said('author')],
    ['Copyright', said('copyright')],
    ['Keywords', said('keywords')],
    ['Camera', camera],
    ['Program', said('software')],
    ['Place', hasPlace ? 'the file has a location, which is not read' : ''],
  ]
  const sentences = lines.flatMap(([what, value]) => (value === '' ? [] : `${what}: ${value}`))
  const author = said('author')
  const csl = {
    id,
    type: 'graphic',
    title,
    ...(author === '' ? {} : { author: [{ literal: author }] }),
    ...(date === undefined ? {} : { issued: { 'date-parts': [date.map(Number)] } }),
  }
  return { title, text: sentences.join('\n\n'), csl, isBare: sentences.length < 2 }
}

/** The first non-empty value among these tags, on one line. */
function firstValue(tags: ExpandedTags, names: readonly string[]): string {
  for (const name of names) {
    for (const group of groups) {
      const found = (tags[group] as Record<string, unknown> | undefined)?.[name]
      const text = toText(found)
      if (text !== '') return text
    }
  }
  return ''
}

function toText(tag: unknown): string {
  const tags = Array.isArray(tag) ? tag : [tag]
  return tags
    .map((one: { description?: unknown } | undefined) =>
      typeof one?.description === 'string' ? one.description : '',
    )
    .join(', ')
    .slice(0, maxValueUnits)
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/^\[Unicode encoded text\]$|^(?:Unknown|undefined)$/, '')
}

/** A day as `[year, month, day]`; cameras without a clock write zeros. */
function findDate(written: string): readonly string[] | undefined {
  const found = /^(\d{4})[:-](\d\d)[:-](\d\d)/.exec(written)
  return found === null || found[1] === '0000' ? undefined : found.slice(1)
}

/** The camera's model, with its maker unless included. */
function cameraName(make: string, model: string): string {
  const [maker = ''] = make.split(' ')
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${make} ${model}`.trim()
}
