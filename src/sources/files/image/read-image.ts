import { type Reader, type Reading, refused } from '../../document.ts'
import { describeImage } from './describe-image.ts'

/** Metadata larger than this is none; what lies behind the first bytes are the picture's points. */
const MAX_HEAD_BYTES = 20_000_000

/** Reads what a picture's file says of it: what it is, how large, when and by whom it was made, what it shows. */
export const readImage: Reader = async (bytes, { contentHash, fallbackTitle }) => {
  const { default: exif } = await import('exifreader')
  let tags: Parameters<typeof describeImage>[0]
  try {
    const head = bytes.slice(0, MAX_HEAD_BYTES)
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

function broken(error: unknown): Reading {
  const why = error instanceof Error ? error.message.replace(/\.$/, '') : 'it is incomplete'
  const hint = 'Open it in an image viewer and save it again.'
  return refused({ reason: 'broken', detail: `Its metadata could not be read: ${why}.`, hint })
}
