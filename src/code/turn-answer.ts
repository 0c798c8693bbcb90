import * as z from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'

const settingsChange = z
  .strictObject({
    model: z.string().min(1),
    maxSteps: z.int().min(0),
    hasFallback: z.boolean(),
    verbosity: z.enum(['minimal', 'normal', 'detailed']),
    isYolo: z.boolean(),
    showThoughts: z.boolean(),
    allow: z.array(z.string()),
    deny: z.array(z.string()),
  })
  .partial()

/** Longer texts fit no model. */
const maxTextCharacters = 1_000_000

const text = z.string().min(1).max(maxTextCharacters)

/** A file attached to a request, as the person's editor shows it. */
const attachment = z.strictObject({
  title: z.string(),
  text: z.string().max(maxTextCharacters),
  /** Whether it was written by neither the person nor the operator. */
  isForeign: z.boolean(),
})

/** Services accept no larger ones. */
const maxPictureCharacters = 7_000_000

const picture = z.strictObject({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']),
  /** Base64. */
  data: z.base64().min(1).max(maxPictureCharacters),
})

const turnAnswer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('prompt'),
    text,
    /** Whether nobody is there to be asked. */
    isUnattended: z.boolean().optional(),
    attachments: z.array(attachment).optional(),
    /** For models that accept images. */
    pictures: z.array(picture).max(5).optional(),
  }),
  z.strictObject({ kind: z.literal('settings'), change: settingsChange }),
  z.strictObject({ kind: z.literal('clear') }),
  z.strictObject({ kind: z.literal('compact'), focus: z.string().optional() }),
  z.strictObject({ kind: z.literal('undo') }),
  z.strictObject({ kind: z.literal('command'), command: text }),
  z.strictObject({ kind: z.literal('end') }),
])

/**
 * What a person says at the start of a turn: a request, or an instruction about the session. Plain text is a request.
 */
export type TurnAnswer = z.output<typeof turnAnswer>

/** A change of the session's settings; absent ones stay. */
export type SettingsChange = z.output<typeof settingsChange>

/** Parses the answer. @throws `invalid_input` if it is malformed */
export function parseTurnAnswer(given: Json): TurnAnswer {
  const isText = typeof given === 'string' && given.trim() !== ''
  const parsed = turnAnswer.safeParse(isText ? { kind: 'prompt', text: given } : given)
  if (parsed.success) return parsed.data
  throw new ScholiumError('invalid_input', 'That is not a valid request.', {
    hint: `Give a request as text. ${z.prettifyError(parsed.error)}`,
  })
}
