import { ScholiumError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { ModelBinding } from '../model/model.ts'
import { callModel } from '../model/model-call.ts'
import type { RunContext } from '../run/run-context.ts'
import { isUnfinishedWork } from '../text/thought-json.ts'
import { type TextToolCalls, toolCallsFromText } from '../text/tool-calls-from-text.ts'
import { type AskedCall, callTools, notWhole, type Permission, unreadable } from './call-tools.ts'
import { LongResults } from './long-results.ts'
import {
  type Message,
  messageText,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from './message.ts'
import { toLoggedForm } from './message-hash.ts'
import type { ToolRegistry } from './tool.ts'
import { WriteGuard } from './write-guard.ts'

/** An agent: a model, its tools and its maximum number of turns. */
export interface Agent {
  readonly model: ModelBinding
  readonly tools: ToolRegistry
  /** Model calls at most; 0 makes none. */
  readonly maxTurns: number
  /** JSON Schema of the final answer, when it shall be one JSON object. */
  readonly responseSchema?: JsonObject
  /** The typed input of the role, for engines that read no prompts. */
  readonly roleRequest?: Json
  /** Gives a tool's result the form in which the model sees it; called once for each result, in the order of the calls. */
  readonly present?: (result: ToolResultPart) => ToolResultPart
  /** Whether its messages hold text that neither the user nor the operator wrote, apart from tool results. */
  readonly isTainted?: boolean
  /** What brought that text, in words. Default: what it was given. */
  readonly taintedBy?: string
  /**
   * Tools that may change something although the conversation holds text from elsewhere: names, in which `*` stands for any
   * characters. Without a rule such a call is refused.
   */
  readonly allow?: readonly string[]
  /**
   * Finds calls in a text whose form the prompt has agreed on with the model; `undefined` leaves the text to the parser of all
   * models' forms.
   */
  readonly callsFromText?: (text: string, isCut: boolean) => TextToolCalls | undefined
  /** Whether the calls of one message are made one after the other where one of them may change something. Default: several at once. */
  readonly inOrder?: boolean
  /**
   * Decides on each call, in the place of the rule for text from elsewhere. What it says against a call stands in `tainted`.
   */
  readonly permit?: (call: AskedCall) => Promise<Permission>
  /**
   * Hears of each message of the model and of each result as soon as it is there, in the order of the calls where they are made
   * so; again in a replay. Of a turn that is stopped, these are what is left.
   */
  readonly onMade?: (made: Message | ToolResultPart) => void
  /**
   * Gives the conversation with which the next call of the model is made, where it shall be another one: shorter, for example.
   * Its steps are those of the turn.
   */
  readonly beforeCall?: (
    context: RunContext,
    messages: readonly Message[],
  ) => Promise<readonly Message[]>
  /** Hears of each turn that is over the messages that it has added; again in a replay. */
  readonly onTurn?: (added: readonly Message[]) => void | Promise<void>
}

/** How an agent's work ended. */
export interface AgentOutcome {
  readonly stopReason: 'answer' | 'max_turns'
  /** The whole conversation, the given messages first. */
  readonly messages: readonly Message[]
  /** The final answer's text, or what a tool that ends the work gave; empty when the turns ran out. */
  readonly text: string
  /** Whether the answer was cut off at its maximum length. */
  readonly isCut: boolean
  /** What the tools gave back, in the order of the calls. */
  readonly results: readonly ToolResultPart[]
}

/**
 * The one agent loop: model call, tool calls, results, again, until an answer or the last turn. Tool calls come structured,
 * or as text that a parser finds; either way each is done once. A tool's failure goes back to the model as data. A tool
 * that ends the work does so once it succeeded, after the other calls of its turn. JSON of a call, a step or a thought is no
 * answer: it is asked for again once.
 *
 * @throws `model_output_malformed` for a second such answer, and as {@link callModel}
 */
export async function runAgent(
  context: RunContext,
  agent: Agent,
  messages: readonly Message[],
): Promise<AgentOutcome> {
  const guard = new WriteGuard(agent)
  const long = new LongResults(agent.model)
  guard.show(messages)
  let conversation = messages
  let knownCount = 0
  let isReminded = false
  for (let turn = 1; turn <= agent.maxTurns; turn++) {
    const inTurn = context.child(String(turn))
    const sent = (await agent.beforeCall?.(inTurn, conversation)) ?? conversation
    if (sent !== conversation) knownCount = 0
    conversation = sent
    const { added, isCut } = await takeTurn(
      inTurn,
      { agent, guard, long },
      conversation,
      turn,
      knownCount,
    )
    guard.show(added)
    knownCount = conversation.length
    conversation = [...conversation, ...added]
    await agent.onTurn?.(added)
    const text = messageText(added[0] as Message)
    const isAnswer = !isUnfinishedWork(text)
    if (added.length === 1 && isAnswer) return outcome('answer', conversation, text, isCut)
    if (added.length === 1) {
      if (isReminded) throw noAnswer(agent, text)
      isReminded = true
      const reminder = createReminder(inTurn)
      await agent.onTurn?.([reminder])
      conversation = [...conversation, reminder]
    }
    const final = finalResult(agent.tools, added)
    if (final !== undefined)
      return outcome('answer', conversation, formatOutput(final.output), false)
  }
  return outcome('max_turns', conversation, '', false)
}

/** What a model is told that printed a call, a step or a thought as JSON where its answer was expected. */
function createReminder(context: RunContext): Message {
  const text =
    'That is the JSON of a call, a step or a thought, and no answer; nothing was carried out. To use a tool, call it by its name with arguments that fit. Otherwise give your answer now.'
  const parts = [{ type: 'text', text }] as const
  return { id: context.id('reminder'), role: 'user', parts, createdAt: context.now() }
}

function noAnswer({ model }: Agent, text: string): ScholiumError {
  return new ScholiumError(
    'model_output_malformed',
    `${model.name} twice printed the JSON of a call or a thought in the place of an answer.`,
    {
      hint: 'Try another model for this role; small models often cannot use tools.',
      details: { role: model.role, text: text.slice(0, 500) },
    },
  )
}

/** What the tool that ends the work gave, if one was called in this turn and did not fail. */
function finalResult(tools: ToolRegistry, added: readonly Message[]): ToolResultPart | undefined {
  const results = added.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))
  return results.find(
    ({ toolName, isError }) => isError !== true && tools.get(toolName)?.endsWork === true,
  )
}

function formatOutput(output: Json): string {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

function outcome(
  stopReason: AgentOutcome['stopReason'],
  messages: readonly Message[],
  text: string,
  isCut: boolean,
): AgentOutcome {
  const parts = messages.flatMap((message): readonly Part[] => message.parts)
  return {
    stopReason,
    messages,
    text,
    isCut,
    results: parts.filter((part) => part.type === 'tool-result'),
  }
}

/** An agent at work: what it has been shown, and what was too long for that. */
interface Worker {
  readonly agent: Agent
  readonly guard: WriteGuard
  readonly long: LongResults
}

/** One turn: the messages that it adds, and whether the model was stopped in it. */
async function takeTurn(
  inTurn: RunContext,
  { agent, guard, long }: Worker,
  conversation: readonly Message[],
  turn: number,
  knownCount: number,
): Promise<{ readonly added: readonly Message[]; readonly isCut: boolean }> {
  const tools = long.registryFor(agent.tools)
  const { message, finishReason } = await callModel(inTurn, 'model', agent.model, {
    messages: conversation,
    tools: tools.tools,
    knownCount,
    ...(agent.responseSchema === undefined ? {} : { responseSchema: agent.responseSchema }),
    ...(agent.roleRequest === undefined ? {} : { roleRequest: agent.roleRequest }),
  })
  const isCut = finishReason === 'length'
  const { asked, unsure, refused } = readAsked(message, { ...agent, tools }, isCut)
  const calls = toolCallsOf(asked)
  if (calls.length > maxCalls) {
    const text = `${agent.model.name} requested more than ${maxCalls} calls at once; the others were not made.`
    await inTurn.notice('calls', 'warning', text)
  }
  agent.onMade?.(asked)
  const added =
    calls.length === 0
      ? [asked]
      : [
          asked,
          presented(
            { agent, long },
            await callTools(inTurn, { ...agent, tools, calls, unsure, refused, guard }),
          ),
        ]
  const appended = await appendWithHooks(inTurn, added)
  await inTurn.reachBoundary('turn.done', '', { turn, toolCalls: calls.length })
  return { added: appended, isCut }
}

/** Passes messages through the hooks that see what joins a conversation. */
async function appendWithHooks(
  context: RunContext,
  added: readonly Message[],
): Promise<readonly Message[]> {
  const { hooks } = context.services
  const report = (text: string) => context.warn('append.hook', text)
  const appended: Message[] = []
  for (const message of added) {
    const passed = await hooks.run('message:append:before', message, report)
    appended.push(toLoggedForm(await hooks.run('message:append:after', passed, report)))
  }
  return appended
}

function presented({ agent, long }: Pick<Worker, 'agent' | 'long'>, message: Message): Message {
  const { present = (result: ToolResultPart) => result } = agent
  const parts = message.parts.map((part) =>
    part.type === 'tool-result' ? long.shorten(present(part)) : part,
  )
  return parts.every((part, index) => part === message.parts[index])
    ? message
    : { ...message, parts }
}

/** A message in which calls that the model printed as text are structured ones. */
interface Asked {
  readonly asked: Message
  /** The ids of the calls that only their shape shows. */
  readonly unsure: ReadonlySet<string>
  /** Calls that are not made, each with the message for the model. */
  readonly refused: ReadonlyMap<ToolCallPart, string>
}

/** What a model wants done: no call in which its message was cut off, and no more than {@link maxCalls}. */
function readAsked(message: Message, agent: Agent, isCut: boolean): Asked {
  const { asked, unsure, broken } = withCallsFromText(message, agent, isCut)
  const calls = toolCallsOf(asked)
  const refused = new Map(broken.map((call) => [call, notWhole(call, isCut ? cutOff : unreadable)]))
  const surplus = calls[maxCalls]
  if (surplus === undefined) return { asked, unsure, refused }
  refused.set(surplus, tooMany(calls.length))
  const kept = new Set<Part>(calls.slice(0, maxCalls + 1))
  const parts = asked.parts.filter((part) => part.type !== 'tool-call' || kept.has(part))
  return { asked: { ...asked, parts }, unsure, refused }
}

/** Calls of one message that are made at most; the next one stands for all that were left out. */
const maxCalls = 100

const cutOff = 'your message reached its maximum length there, so that a part of it may be missing'

function tooMany(count: number): string {
  return `This call and those behind it were not made: a message may hold ${maxCalls} calls, and yours held ${count}. Make the others in your next messages.`
}

function withCallsFromText(
  message: Message,
  agent: Agent,
  isCut: boolean,
): Pick<Asked, 'asked' | 'unsure'> & { readonly broken: readonly ToolCallPart[] } {
  const last = message.parts.at(-1)
  const broken = isCut && last?.type === 'tool-call' ? [last] : []
  const unchanged = { asked: message, unsure: new Set<string>(), broken }
  const { tools } = agent.tools
  if (toolCallsOf(message).length > 0 || tools.length === 0) return unchanged
  const written = messageText(message)
  const { calls, rest } =
    agent.callsFromText?.(written, isCut) ?? toolCallsFromText(written, tools, isCut)
  if (calls.length === 0) return unchanged
  const kept = message.parts.filter((part) => part.type !== 'text')
  const text: Part[] = rest.trim() === '' ? [] : [{ type: 'text', text: rest.trim() }]
  const structured = calls.map(({ toolName, input }, index): ToolCallPart => {
    return { type: 'tool-call', toolCallId: `${message.id}-text-${index + 1}`, toolName, input }
  })
  const unsure = structured.filter((_, index) => calls[index]?.isShapeOnly)
  return {
    asked: { ...message, parts: [...kept, ...text, ...structured] },
    unsure: new Set(unsure.map(({ toolCallId }) => toolCallId)),
    broken: structured.filter((_, index) => calls[index]?.isBroken),
  }
}
