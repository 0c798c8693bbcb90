import type { ImagePart } from '../kernel/agent/message.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** A picture as a person gives it. */
export type GivenPicture = Pick<ImagePart, 'mediaType' | 'data'>

/** The pictures of a request as parts of its message. @throws `invalid_input` where the model takes none */
export async function requestPictures(
  context: RunContext,
  { name, takesImages = false }: ModelBinding,
  pictures: readonly GivenPicture[],
): Promise<readonly ImagePart[]> {
  if (pictures.length === 0) return []
  // Recorded: a replay asks nobody what a model can do.
  const isTaken = await context.step('pictures', 'read', { model: name }, async () => takesImages)
  if (isTaken) return pictures.map((given) => ({ type: 'image', ...given, ...sizeOf(given) }))
  throw new ScholiumError('invalid_input', `${name} takes no pictures.`, {
    hint: 'Choose a model that does; one that is not known to is set up with "vision: true".',
  })
}

/** How large a picture is taken for that does not say it: services make larger ones smaller. */
const assumedPixels = 1_568

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function sizeOf({ mediaType, data }: GivenPicture): Pick<ImagePart, 'width' | 'height'> {
  const head = Buffer.from(data.slice(0, 44), 'base64')
  const isTold = mediaType === 'image/png' && head.length >= 24
  const [width, height] = isTold ? [head.readUInt32BE(16), head.readUInt32BE(20)] : [0, 0]
  return width > 0 && height > 0
    ? { width, height }
    : { width: assumedPixels, height: assumedPixels }
}
