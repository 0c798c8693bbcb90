import type { ImagePart } from '../kernel/agent/message.ts'
import type { Json, JsonObject } from '../kernel/json.ts'

/** Pictures of one result that a model is shown at most. */
const maxImages = 3
/** What is reserved for a picture whose size is not told at its beginning, in pixels of each side. */
const assumedPixels = 2_048

const mediaTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** The pictures of a server's result that can be shown to a model, the first ones. */
export function shownImages(images: readonly Json[]): readonly ImagePart[] {
  return images.flatMap((image) => imagePart(image) ?? []).slice(0, maxImages)
}

/** A picture as a part of a message; `undefined` for one of a kind that models do not take, or that was left out. */
export function imagePart(image: Json): ImagePart | undefined {
  const { mediaType, data } = image as JsonObject
  const known = mediaTypes.find((one) => one === mediaType)
  if (known === undefined || typeof data !== 'string' || data === '') return undefined
  return { type: 'image', mediaType: known, ...sizeOf(known, data), data }
}

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function sizeOf(
  mediaType: ImagePart['mediaType'],
  data: string,
): Pick<ImagePart, 'width' | 'height'> {
  const head = Buffer.from(data.slice(0, 44), 'base64')
  const isTold = mediaType === 'image/png' && head.length >= 24
  const [width, height] = isTold ? [head.readUInt32BE(16), head.readUInt32BE(20)] : [0, 0]
  const isKnown = width > 0 && height > 0
  return isKnown ? { width, height } : { width: assumedPixels, height: assumedPixels }
}
