import type { ImagePart, Message } from '../kernel/agent/message.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage } from '../team/conversation.ts'
import type { MentionedText, UnreadMention } from './parts.ts'
import type { TurnAnswer } from './turn-answer.ts'
import type { TurnContext } from './turn-context.ts'

/** An `@` at the start of a word: a file, or a server's resource as `@server:uri`. */
const mentionPattern = /(?<=^|[\s("'`])@([^\s"'`()<>]+[^\s"'`()<>.,;:!?])/g

const maxMentions = 20

/** The mentions in a request, each once, without `@`. */
export function findMentions(text: string): readonly string[] {
  // A server's prompt: its name and everything after it.
  const [prompt] = /^\/[^:\s]+:\S[^\n]*/.exec(text) ?? []
  const names = [...text.matchAll(mentionPattern)].map(([, mention = '']) => mention)
  const found = prompt === undefined ? names : [prompt, ...names]
  return [...new Set(found)].slice(0, maxMentions)
}

/** The message of a request. */
interface RequestMessage {
  readonly message: Message
  readonly isForeign: boolean
  /** Notices about mentions that could not be resolved. */
  readonly notices: readonly string[]
}

/** The message of a request, followed by the files it mentions and its attachments. */
export async function createRequestMessage(
  { parts, input }: Pick<TurnContext, 'parts' | 'input'>,
  context: RunContext,
  { text, attachments = [] }: Extract<TurnAnswer, { kind: 'prompt' }>,
): Promise<RequestMessage> {
  const mentions = parts.mention === undefined ? [] : findMentions(text)
  const read = await Promise.all(
    mentions.map((mention, index) =>
      context.step(`mention[${index + 1}]`, 'read', { mention }, async ({ signal }) => {
        return (await parts.mention?.(mention, input, signal)) ?? null
      }),
    ),
  )
  const mentioned = read.filter((one): one is MentionedText => one !== null && 'text' in one)
  const notices = read.flatMap((one, index) =>
    isUnread(one)
      ? [`Nothing was put behind the request for ${formatMention(mentions[index])}: ${one.why}`]
      : [],
  )
  const found = [...mentioned, ...attachments]
  const behind = found.map(
    ({ title, text: content }) => `<file name=${JSON.stringify(title)}>\n${content}\n</file>`,
  )
  const message = createMessage(context, 'user', [text, ...behind].join('\n\n'))
  return { message, isForeign: found.some(({ isForeign }) => isForeign), notices }
}

function isUnread(read: MentionedText | UnreadMention | null): read is UnreadMention {
  return read !== null && 'why' in read
}

function formatMention(mention = ''): string {
  return mention.startsWith('/') && mention.includes(':') ? mention : `@${mention}`
}

/** A picture as submitted. */
type GivenPicture = Pick<ImagePart, 'mediaType' | 'data'>

/** The pictures of a request as message parts. @throws `invalid_input` if the model does not accept images */
export async function toImageParts(
  context: RunContext,
  { name, takesImages = false }: ModelBinding,
  pictures: readonly GivenPicture[],
): Promise<readonly ImagePart[]> {
  if (pictures.length === 0) return []
  // Recorded, so that a replay does not depend on what the model supports.
  const isTaken = await context.step('pictures', 'read', { model: name }, async () => takesImages)
  if (isTaken)
    return pictures.map((given) => ({ type: 'image', ...given, ...readImageSize(given) }))
  throw new ScholiumError('invalid_input', `${name} does not accept images.`, {
    hint: 'Choose a model that does, or set "vision: true" for a model that is not known to.',
  })
}

/** Assumed width and height in pixels of a picture that does not state them; services scale larger ones down. */
const assumedPixels = 1_568

/** @see https://www.w3.org/TR/png-3/#11IHDR */
function readImageSize({ mediaType, data }: GivenPicture): Pick<ImagePart, 'width' | 'height'> {
  const head = Buffer.from(data.slice(0, 44), 'base64')
  const isTold = mediaType === 'image/png' && head.length >= 24
  const [width, height] = isTold ? [head.readUInt32BE(16), head.readUInt32BE(20)] : [0, 0]
  return width > 0 && height > 0
    ? { width, height }
    : { width: assumedPixels, height: assumedPixels }
}
