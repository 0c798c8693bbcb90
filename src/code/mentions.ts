import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage } from '../team/conversation.ts'
import type { LeftOut, MentionedText } from './parts.ts'
import type { TurnSite } from './site.ts'
import type { TurnAnswer } from './turn-answer.ts'

/** What begins with `@` at the beginning of a word: a file, or a resource of a server as `@server:uri`. */
const mentionPattern = /(?<=^|[\s("'`])@([^\s"'`()<>]+[^\s"'`()<>.,;:!?])/g

const maxMentions = 20

/** The mentions of a request, each once, without their `@`. */
export function mentionsOf(text: string): readonly string[] {
  // A prompt of a server: its name, and all that follows.
  const [prompt] = /^\/[^:\s]+:\S[^\n]*/.exec(text) ?? []
  const names = [...text.matchAll(mentionPattern)].map(([, mention = '']) => mention)
  const found = prompt === undefined ? names : [prompt, ...names]
  return [...new Set(found)].slice(0, maxMentions)
}

/** What the message of a request is made of. */
interface RequestMessage {
  readonly message: Message
  readonly isForeign: boolean
  /** What is to be told of mentions that nothing stands behind. */
  readonly notices: readonly string[]
}

/** The message of a request, with what it mentions and what was put beside it behind it. */
export async function requestMessage(
  { parts, input }: Pick<TurnSite, 'parts' | 'input'>,
  context: RunContext,
  { text, attachments = [] }: Extract<TurnAnswer, { kind: 'prompt' }>,
): Promise<RequestMessage> {
  const mentions = parts.mention === undefined ? [] : mentionsOf(text)
  const read = await Promise.all(
    mentions.map((mention, index) =>
      context.step(`mention[${index + 1}]`, 'read', { mention }, async ({ signal }) => {
        return (await parts.mention?.(mention, input, signal)) ?? null
      }),
    ),
  )
  const mentioned = read.filter((one): one is MentionedText => one !== null && 'text' in one)
  const notices = read.flatMap((one, index) =>
    isLeftOut(one)
      ? [`Nothing was put behind the request for ${shown(mentions[index])}: ${one.why}`]
      : [],
  )
  const found = [...mentioned, ...attachments]
  const behind = found.map(
    ({ title, text: content }) => `<file name=${JSON.stringify(title)}>\n${content}\n</file>`,
  )
  const message = createMessage(context, 'user', [text, ...behind].join('\n\n'))
  return { message, isForeign: found.some(({ isForeign }) => isForeign), notices }
}

function isLeftOut(read: MentionedText | LeftOut | null): read is LeftOut {
  return read !== null && 'why' in read
}

function shown(mention = ''): string {
  return mention.startsWith('/') && mention.includes(':') ? mention : `@${mention}`
}
