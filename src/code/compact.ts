import { type Message, messageText, type Part } from '../kernel/agent/message.ts'
import { maxMessageTokens } from '../kernel/agent/message-hash.ts'
import type { ToolRegistry } from '../kernel/agent/tool.ts'
import { WriteGuard } from '../kernel/agent/write-guard.ts'
import { endsAt, type Failure, toFailure } from '../kernel/errors.ts'
import { collectImages } from '../kernel/limits/image-tokens.ts'
import {
  assumedWindowTokens,
  resolveMaxOutputTokens,
  usualOutputTokens,
} from '../kernel/limits/output-cap.ts'
import { callModel } from '../kernel/model/model-call.ts'
import { toModelTool } from '../kernel/model/model-prompt.ts'
import { memoizeByIdentity } from '../kernel/run/memoize-by-identity.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { cutMiddle } from '../kernel/text/cut-text.ts'
import { createMessage } from '../team/conversation.ts'
import { loadTokenCounter } from '../team/count-tokens.ts'
import { fillPrompt, splitPrompt } from '../team/prompt-files.ts'
import type { SessionAgent } from './session-agents.ts'
import type { TurnContext } from './turn-context.ts'

/** A shortened conversation, without the system message. */
export interface CompactedConversation {
  readonly messages: readonly Message[]
  /** A note for the person: how many messages were summarized and how many were kept. */
  readonly note: string
  /** Whether the summarized messages held untrusted text. */
  readonly isForeign: boolean
}

/** Share of the context window at which the conversation is compacted. */
const compactAtShare = 0.8
/** Share of the window reserved for an unusually long answer. */
const answerShare = 0.125
/** Share of the window kept verbatim for the newest messages. */
const keptShare = 0.25
/** Tokens kept verbatim when the person asks for a compaction. */
const keptTokensOnRequest = 500
const maxShownChars = 2_000

/** Estimated tokens that the tool definitions take in each call, at four characters a token. */
const countToolTokens = memoizeByIdentity(({ tools }: ToolRegistry) =>
  Math.ceil(JSON.stringify(tools.map(toModelTool)).length / 4),
)

/** Compacts a session's conversation when it approaches the model's window. */
export class Compactor {
  private readonly scope: TurnContext
  private readonly agent: SessionAgent
  private readonly onCompacted: (compacted: CompactedConversation) => void
  private windowTokens: number

  constructor(
    scope: TurnContext,
    agent: SessionAgent,
    onCompacted: (compacted: CompactedConversation) => void,
  ) {
    this.scope = scope
    this.agent = agent
    this.onCompacted = onCompacted
    this.windowTokens = agent.model.sizes?.windowTokens ?? assumedWindowTokens
  }

  /** The conversation for the next call, system message first. */
  async beforeCall(context: RunContext, messages: readonly Message[]): Promise<readonly Message[]> {
    const { windowTokens } = this
    const outputTokens = Math.min(
      resolveMaxOutputTokens(this.agent.model, 0),
      Math.max(usualOutputTokens, windowTokens * answerShare),
    )
    const toolTokens = countToolTokens(this.agent.tools)
    const mostTokens = Math.max(1_000, (windowTokens - outputTokens) * compactAtShare - toolTokens)
    // A token is at least one byte, so most conversations need no exact count.
    const bytes = messages.reduce((sum, message) => sum + maxMessageTokens(message), 0)
    const tokens = bytes <= mostTokens ? Math.ceil(bytes / 4) : await countAllTokens(messages)
    this.scope.emit({ type: 'context', tokens: tokens + toolTokens, windowTokens })
    if (tokens <= mostTokens) return messages
    const [system, ...conversation] = messages
    const compacted = await this.compact(context, conversation, '', windowTokens * keptShare)
    return compacted === undefined ? messages : [system as Message, ...compacted.messages]
  }

  /**
   * Compacts after the model refused the conversation as too long despite its stated window; `undefined` if nothing
   * can be dropped. The limit that the service reports applies from then on.
   */
  async afterRefusal(
    context: RunContext,
    conversation: readonly Message[],
    { message, details = {} }: Failure,
  ): Promise<CompactedConversation | undefined> {
    await context.notice('refused', 'warning', message)
    this.scope.emit({ type: 'notice', level: 'warning', text: message })
    const tokens = await countAllTokens(conversation)
    const { allowedTokens = tokens + usualOutputTokens } = details
    this.windowTokens = Math.min(this.windowTokens, Number(allowedTokens))
    return this.compact(context, conversation, '', Math.min(this.windowTokens, tokens) * keptShare)
  }

  /** Replaces the beginning of the conversation with a summary; `undefined` if nothing can be dropped. */
  async compact(
    context: RunContext,
    conversation: readonly Message[],
    focus: string,
    keptTokens = keptTokensOnRequest,
  ): Promise<CompactedConversation | undefined> {
    const tokens = await Promise.all(conversation.map(countMessageTokens))
    const cut = chooseCut(conversation, tokens, keptTokens)
    if (cut === undefined) return undefined
    const [left, kept] = [conversation.slice(0, cut), conversation.slice(cut)]
    const summary = await this.summarize(context.child('compact'), left, focus)
    const leftTokens = tokens.slice(0, cut).reduce((sum, count) => sum + count, 0)
    const note = `The conversation was compacted: ${left.length} messages (about ${leftTokens} tokens) were summarised, the newest ${kept.length} are unchanged.`
    await context.notice('compacted', 'info', note)
    this.scope.emit({ type: 'notice', level: 'info', text: note })
    const first = createMessage(context.child('compact'), 'user', formatSummary(summary))
    const compacted = { messages: [first, ...kept], note, isForeign: this.holdsForeign(left) }
    this.onCompacted(compacted)
    return compacted
  }

  private async summarize(
    context: RunContext,
    messages: readonly Message[],
    focus: string,
  ): Promise<string> {
    const { instructions, material } = splitPrompt(this.scope.parts.prompts.compact)
    const conversation = formatConversation(messages, this.maxPromptChars)
    const wanted = focus === '' ? '' : `The person says what matters: ${focus}`
    const text = fillPrompt(material, { focus: wanted, conversation })
    const asked = [
      createMessage(context, 'system', instructions),
      createMessage(context, 'user', text),
    ]
    try {
      const { message } = await callModel(context, 'model', this.agent.model, { messages: asked })
      return messageText(message).trim()
    } catch (error) {
      if (endsAt(error, context.path)) throw error
      const why = `No summary could be created (${toFailure(error).message}); only the requests are kept.`
      await context.notice('failed', 'warning', why)
      return listRequests(messages)
    }
  }

  /** Half of the window, at three characters a token. */
  private get maxPromptChars(): number {
    return Math.floor((this.windowTokens / 2) * 3)
  }

  private holdsForeign(messages: readonly Message[]): boolean {
    const guard = new WriteGuard({ tools: this.agent.tools })
    guard.show(messages)
    return guard.isTainted
  }
}

async function countAllTokens(messages: readonly Message[]): Promise<number> {
  const counts = await Promise.all(messages.map(countMessageTokens))
  return counts.reduce((sum, count) => sum + count, 0)
}

function formatSummary(summary: string): string {
  return `What this session came to so far, written down because its beginning was left out:\n\n${summary}`
}

function listRequests(messages: readonly Message[]): string {
  const requests = messages.filter(({ role }) => role === 'user').map(messageText)
  return requests.map((text) => `- The person asked: ${text.slice(0, maxShownChars)}`).join('\n')
}

/** A conversation as text. Long tool results are cut in the middle, and so is the whole if it is too long. */
function formatConversation(messages: readonly Message[], maxChars: number): string {
  const text = messages
    .flatMap(({ role, parts }) => parts.map((part) => formatPart(role, part)))
    .join('\n\n')
  return cutMiddle(text, maxChars)
}

function formatPart(role: string, part: Part): string {
  if (part.type === 'text') return `${role}: ${part.text}`
  if (part.type === 'tool-call')
    return `call ${part.toolName}: ${cutMiddle(JSON.stringify(part.input), maxShownChars)}`
  if (part.type !== 'tool-result') return ''
  const output = typeof part.output === 'string' ? part.output : JSON.stringify(part.output)
  return `result of ${part.toolName}: ${cutMiddle(output, maxShownChars)}`
}

const countsByMessage = new WeakMap<Message, Promise<number>>()
/** Tokens of a message in addition to its text, for its role and part markers. */
const messageOverheadTokens = 8
const imageTokens = 1_600
/** Longer runs are counted in pieces: the time to tokenise a run grows with the square of its length. */
const longRun = /(\S{2000}|\s{2000})/

/** Estimated tokens of a message, counted once per message. */
function countMessageTokens(message: Message): Promise<number> {
  const counted = countsByMessage.get(message) ?? count(message)
  countsByMessage.set(message, counted)
  return counted
}

async function count(message: Message): Promise<number> {
  const text = message.parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`
    if (part.type !== 'tool-result') return ''
    return typeof part.output === 'string' ? part.output : JSON.stringify(part.output)
  })
  const images = collectImages([message]).length * imageTokens
  const countTokens = await loadTokenCounter()
  const pieces = text.join('\n').split(longRun)
  const tokens = pieces.reduce((sum, piece) => sum + countTokens(piece), 0)
  return tokens + messageOverheadTokens + images
}

/**
 * Indexes at which the conversation can be cut so that tool calls and their results stay together: each is the index
 * of the first message kept.
 */
export function findCutPoints(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (index > 0 && role !== 'tool' ? [index] : []))
}

/**
 * Chooses where to cut so that at most `keptTokens` are kept: before a request of the person if possible, otherwise
 * before a message of the model. The newest messages are always kept. `undefined` if nothing can be dropped.
 *
 * @param tokensOf token count of each message
 */
export function chooseCut(
  messages: readonly Message[],
  tokensOf: readonly number[],
  keptTokens: number,
): number | undefined {
  const points = findCutPoints(messages)
  const kept = (from: number) => tokensOf.slice(from).reduce((sum, tokens) => sum + tokens, 0)
  const fitting = points.filter((point) => kept(point) <= keptTokens)
  const request = fitting.find((point) => messages[point]?.role === 'user')
  return request ?? fitting[0] ?? points.at(-1)
}
