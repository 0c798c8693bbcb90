import { basename } from 'node:path'
import type { Picture, PicturesRead } from '../../ask/team.ts'
import type { SourceId } from '../../citations/source.ts'
import { FileRefused, readWhole } from '../../files/opened.ts'
import type { ImagePart } from '../../kernel/agent/message.ts'
import { sha256 } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { toFoundPassage } from '../../tools/library/library-tools.ts'

/** Maximum number and size of a question's pictures; services accept no more. */
const maxPictures = 5
const maxBytes = 5_000_000

/** The first bytes of each format. */
const beginnings: readonly (readonly [RegExp, ImagePart['mediaType']])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
]

/** Whether a path may be a picture in a format that models take. */
function mayBePicture(path: string): boolean {
  return /\.(?:png|jpe?g|webp|gif)$/i.test(path)
}

/** The sources that are pictures in a format that models take. */
export async function picturesAmong(
  library: Library,
  ids: readonly SourceId[],
): Promise<readonly SourceId[]> {
  const sources = await Promise.all(ids.map((id) => library.source(id)))
  return sources.flatMap((source) =>
    source?.kind === 'image' && source.path !== undefined && mayBePicture(source.path)
      ? [source.id]
      : [],
  )
}

/** Reads pictures from the disk; one that has changed since it was added is left out. */
export async function readPictures(
  library: Library,
  ids: readonly SourceId[],
): Promise<PicturesRead> {
  const pictures: Picture[] = []
  const left: PicturesRead['left'][number][] = []
  for (const id of ids) {
    const source = await library.source(id)
    const title = basename(source?.path ?? id)
    const read =
      pictures.length < maxPictures
        ? await readPicture(library, id, source?.path ?? '')
        : `at most ${maxPictures} images are shown to a model`
    if (typeof read === 'string') left.push({ title, why: read })
    else pictures.push({ ...read, title })
  }
  return { pictures, left }
}

/** A picture, or why it is left out. */
async function readPicture(
  library: Library,
  id: SourceId,
  path: string,
): Promise<Omit<Picture, 'title'> | string> {
  const source = await library.source(id)
  const [passage] = await library.passages(id)
  const size = /Size: (\d+) × (\d+) pixels/.exec((await library.text(id)) ?? '')
  if (source === undefined || passage === undefined || size === null) return 'its size is unknown'
  try {
    const bytes = await readWhole(path, maxBytes)
    if (sha256(bytes) !== id) return 'its file has changed since'
    const head = bytes.subarray(0, 16).toString('latin1')
    const mediaType = beginnings.find(([beginning]) => beginning.test(head))?.[1]
    if (mediaType === undefined) return 'models accept only PNG, JPEG, WebP and GIF'
    if (!isWhole(bytes, mediaType)) return 'the file is truncated'
    const [width, height] = [Number(size[1]), Number(size[2])]
    const data = bytes.toString('base64')
    return {
      type: 'image',
      mediaType,
      width,
      height,
      data,
      passage: toFoundPassage(passage, source),
    }
  } catch (error) {
    if (error instanceof FileRefused) return error.message
    return 'its file cannot be read on its own'
  }
}

/** Whether a picture's file is complete, by the cheapest sign of its format. */
function isWhole(bytes: Buffer, mediaType: ImagePart['mediaType']): boolean {
  switch (mediaType) {
    case 'image/png':
      return bytes.includes('IEND')
    case 'image/jpeg':
      // An embedded thumbnail has its own end mark.
      return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > bytes.length / 2
    case 'image/gif':
      return bytes.lastIndexOf(0x3b) >= bytes.length - 16
    case 'image/webp':
      return bytes.length >= bytes.readUInt32LE(4) + 8
  }
}
