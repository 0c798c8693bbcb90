import { type Message, messageText, type Part } from '../kernel/agent/message.ts'
import { maxMessageTokens } from '../kernel/agent/message-hash.ts'
import type { ToolRegistry } from '../kernel/agent/tool.ts'
import { WriteGuard } from '../kernel/agent/write-guard.ts'
import { endsAt, type Failure, toFailure } from '../kernel/errors.ts'
import { imagesOf } from '../kernel/limits/image-tokens.ts'
import {
  assumedWindowTokens,
  mostOutputTokens,
  usualOutputTokens,
} from '../kernel/limits/output-cap.ts'
import { callModel } from '../kernel/model/model-call.ts'
import { toModelTool } from '../kernel/model/model-prompt.ts'
import { describedOnce } from '../kernel/run/described-once.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { opening } from '../team/conversation.ts'
import { loadTokenCounter } from '../team/count-tokens.ts'
import { fillPrompt, splitPrompt } from '../team/prompt-files.ts'
import type { SessionAgent } from './session-agents.ts'
import type { TurnContext } from './turn-context.ts'

/** A conversation that was made shorter, the system message left out. */
export interface CompactedConversation {
  readonly messages: readonly Message[]
  /** What was left out, in words. */
  readonly told: string
  /** Whether what was left out held text from elsewhere, of which the summary was made. */
  readonly isForeign: boolean
}

/** At this part of the window a conversation is made shorter. */
const compactAtShare = 0.8
/** This part of the window is kept free for an answer that may be longer than usual. */
const answerShare = 0.125
/** The newest messages are kept as they are up to this part of the window. */
const keptShare = 0.25
/** Where the person asks for it, only the last words stay as they are. */
const keptTokensOnRequest = 500
const maxShownChars = 2_000

/** About how many tokens the tools take in each call: four characters of their descriptions and schemas a token. */
const countToolTokens = describedOnce(({ tools }: ToolRegistry) =>
  Math.ceil(JSON.stringify(tools.map(toModelTool)).length / 4),
)

/** Makes a session's conversation shorter where the model's window asks for it. */
export class Compactor {
  private readonly site: TurnContext
  private readonly agent: SessionAgent
  private readonly onCompacted: (compacted: CompactedConversation) => void
  private windowTokens: number

  constructor(
    site: TurnContext,
    agent: SessionAgent,
    onCompacted: (compacted: CompactedConversation) => void,
  ) {
    this.site = site
    this.agent = agent
    this.onCompacted = onCompacted
    this.windowTokens = agent.model.sizes?.windowTokens ?? assumedWindowTokens
  }

  /** The conversation for the next call, its system message first. */
  async beforeCall(context: RunContext, messages: readonly Message[]): Promise<readonly Message[]> {
    const { windowTokens } = this
    const outputTokens = Math.min(
      mostOutputTokens(this.agent.model, 0),
      Math.max(usualOutputTokens, windowTokens * answerShare),
    )
    const toolTokens = countToolTokens(this.agent.tools)
    const mostTokens = Math.max(1_000, (windowTokens - outputTokens) * compactAtShare - toolTokens)
    // A token is at least a byte: most conversations need no counting.
    const bytes = messages.reduce((sum, message) => sum + maxMessageTokens(message), 0)
    const tokens = bytes <= mostTokens ? Math.ceil(bytes / 4) : await countAllTokens(messages)
    this.site.emit({ type: 'context', tokens: tokens + toolTokens, windowTokens })
    if (tokens <= mostTokens) return messages
    const [system, ...conversation] = messages
    const compacted = await this.compact(context, conversation, '', windowTokens * keptShare)
    return compacted === undefined ? messages : [system as Message, ...compacted.messages]
  }

  /**
   * A shorter conversation after the model has refused one as too long, though its window was said to hold it; `undefined` where
   * there is nothing to leave out. What the service says of its window holds from now on.
   */
  async afterRefusal(
    context: RunContext,
    conversation: readonly Message[],
    { message, details = {} }: Failure,
  ): Promise<CompactedConversation | undefined> {
    await context.notice('refused', 'warning', message)
    this.site.emit({ type: 'notice', level: 'warning', text: message })
    const tokens = await countAllTokens(conversation)
    const { allowedTokens = tokens + usualOutputTokens } = details
    this.windowTokens = Math.min(this.windowTokens, Number(allowedTokens))
    return this.compact(context, conversation, '', Math.min(this.windowTokens, tokens) * keptShare)
  }

  /** The conversation with its beginning as a summary; `undefined` where there is nothing to leave out. */
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
    const told = `The conversation was made shorter: ${left.length} messages (about ${leftTokens} tokens) are a summary now, the newest ${kept.length} stay as they are.`
    await context.notice('compacted', 'info', told)
    this.site.emit({ type: 'notice', level: 'info', text: told })
    const first = opening(context.child('compact'), 'user', formatSummary(summary))
    const compacted = { messages: [first, ...kept], told, isForeign: this.holdsForeign(left) }
    this.onCompacted(compacted)
    return compacted
  }

  private async summarize(
    context: RunContext,
    messages: readonly Message[],
    focus: string,
  ): Promise<string> {
    const { instructions, material } = splitPrompt(this.site.parts.prompts.compact)
    const conversation = formatConversation(messages, this.maxPromptChars)
    const wanted = focus === '' ? '' : `The person says what matters: ${focus}`
    const text = fillPrompt(material, { focus: wanted, conversation })
    const asked = [opening(context, 'system', instructions), opening(context, 'user', text)]
    try {
      const { message } = await callModel(context, 'model', this.agent.model, { messages: asked })
      return messageText(message).trim()
    } catch (error) {
      if (endsAt(error, context.path)) throw error
      const why = `No summary could be had (${toFailure(error).message}); only the requests are kept.`
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

/** A conversation as text, long results cut in the middle; of too much the middle is left out. */
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

function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const half = Math.floor(maxChars / 2)
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`.toWellFormed()
}

const countsByMessage = new WeakMap<Message, Promise<number>>()
/** What a message has beside its words: its role and the marks of its parts. */
const messageOverheadTokens = 8
const imageTokens = 1_600

/** About how many tokens a message has; counted once for each. */
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
  const images = imagesOf([message]).length * imageTokens
  const countTokens = await loadTokenCounter()
  return countTokens(text.join('\n')) + messageOverheadTokens + images
}

/**
 * The places at which a conversation can be cut so that calls and their results stay together: numbers of the first message that is
 * kept. One with results never begins what is kept, and what begins before the end of a call's results never ends what is left out.
 */
export function findCutPoints(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (index > 0 && role !== 'tool' ? [index] : []))
}

/**
 * The place to cut at so that no more than `keptTokens` are kept: before a request of the person where that keeps anything, else
 * before a message of the model. The newest messages are kept whatever they have; `undefined` where nothing can be left out.
 *
 * @param tokensOf of each message
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
