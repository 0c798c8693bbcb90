import type { ImagePart, Message } from '../agent/message.ts'

/** The size of an image in pixels. */
type Size = Pick<ImagePart, 'width' | 'height'>

/**
 * Tokens of an image if nothing is published: patches of 14 pixels up to the largest size such models accept; some use a fixed
 * number.
 */
const otherLeastTokens = 6_404
const otherMostTokens = 16_384

/**
 * An upper bound of the tokens for an image, by the provider's own rule.
 * @param model `provider:model`
 * @see https://platform.claude.com/docs/en/build-with-claude/vision (a token for 750 pixels, 4,784 at most)
 * @see https://platform.openai.com/docs/guides/images-vision (patches of 32 pixels, each up to 2.46 tokens; gpt-4o-mini by tiles)
 * @see https://ai.google.dev/gemini-api/docs/tokens (258 for a tile of 768 pixels; 2,240 at the highest resolution)
 */
export function maxImageTokens(model: string, { width, height }: Size): number {
  const pieces = (pixels: number) => Math.ceil(width / pixels) * Math.ceil(height / pixels)
  if (model.startsWith('anthropic:')) return Math.min(Math.ceil((width * height) / 750) + 1, 4_784)
  if (model.startsWith('openai:gpt-4o-mini')) return 2_833 + 5_667 * Math.min(pieces(512), 8)
  if (model.startsWith('openai:'))
    return Math.max(1_500, Math.ceil(2.46 * Math.min(pieces(32), 10_000)))
  if (model.startsWith('google:')) return Math.max(2_240, 258 * pieces(768))
  return Math.max(otherLeastTokens, Math.min(pieces(14), otherMostTokens))
}

/** The images in messages. */
export function collectImages(messages: readonly Message[]): readonly ImagePart[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'image') return [part]
      return part.type === 'tool-result' ? (part.images ?? []) : []
    }),
  )
}
