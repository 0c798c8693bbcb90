import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import { isOfStep, isStepEnd, type RunEvent, type StepEvent } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'

/** A message as it was sent to a model. */
export interface SentMessage {
  readonly role: string
  readonly parts: Json
}

/** An event with all that the log has of it. */
export interface ReadEvent {
  readonly event: RunEvent
  /** What a step worked on. */
  readonly input?: Json
  /** What a model call was sent: those messages of it that the log has. */
  readonly messages?: readonly SentMessage[]
  /** How many messages of the call are not among them, because only their hashes are known. */
  readonly missing?: number
}

/** The messages of a model call, as its recorded input names them. */
interface NamedMessages {
  readonly count: number
  readonly chain: string
  readonly added: readonly string[]
}

/** @see App.readEvent */
export async function readEvent(store: RunStore, runId: string, seq: number): Promise<ReadEvent> {
  let event: RunEvent | undefined
  for await (const found of store.events(runId, { afterSeq: seq - 1 })) {
    if (found.seq === seq) event = found
    break
  }
  if (event === undefined)
    throw new ScholiumError('invalid_input', `Run ${runId} has no event ${seq}.`)
  if (!isOfStep(event)) return { event }
  const before = await stepsBefore(store, runId, event)
  const input = inputOf(event) ?? inputOf(before.findLast(({ key }) => key === event.key))
  const named = messagesOf(input)
  return {
    event,
    ...(input !== undefined && { input }),
    ...(named && (await readMessages(store, runId, named, earlierHashes(event, before)))),
  }
}

/** Events before a step among which its start and the earlier calls of its conversation are looked for. */
const maxEventsBefore = 20_000

/** The earlier events of a step, and of the calls of the same conversation. */
async function stepsBefore(
  store: RunStore,
  runId: string,
  { key, seq }: RunEvent,
): Promise<readonly StepEvent[]> {
  const found: StepEvent[] = []
  const talk = conversationOf(key)
  const afterSeq = Math.max(0, seq - maxEventsBefore)
  const isWanted = (event: RunEvent) =>
    event.key === key || (talk !== undefined && conversationOf(event.key) === talk)
  const filter = { afterSeq, types: ['step.started', 'step.done', 'step.failed'] } as const
  const wanted: number[] = []
  for await (const event of store.events(runId, { ...filter, withOutput: false })) {
    if (event.seq >= seq) break
    if (isWanted(event)) wanted.push(event.seq)
  }
  for (const number of wanted)
    for await (const event of store.events(runId, { ...filter, afterSeq: number - 1 })) {
      found.push(event)
      break
    }
  return found
}

/** The part of a key that the model calls of one conversation share. */
function conversationOf(key: string): string | undefined {
  return /^(.+)\/\d+\/model$/.exec(key)?.[1]
}

/** A paid step has its input where it starts, another one with its facts. */
function inputOf(event: StepEvent | undefined): Json | undefined {
  if (event === undefined) return undefined
  return event.data.input ?? (isStepEnd(event) ? undefined : event.output)
}

function messagesOf(input: Json | undefined): NamedMessages | undefined {
  const messages = isJsonObject(input) ? input.messages : undefined
  const isNamed = isJsonObject(messages) && Array.isArray(messages.added)
  return isNamed ? (messages as unknown as NamedMessages) : undefined
}

/** The hashes that the earlier calls of the conversation added, each call once. */
function earlierHashes({ key }: RunEvent, before: readonly StepEvent[]): readonly string[] {
  const byKey = new Map<string, readonly string[]>()
  for (const event of before) {
    const named = event.key === key ? undefined : messagesOf(inputOf(event))
    if (named !== undefined) byKey.set(event.key, named.added)
  }
  return [...byKey.values()].flat()
}

async function readMessages(
  store: RunStore,
  runId: string,
  { count, chain, added }: NamedMessages,
  earlier: readonly string[],
): Promise<Pick<ReadEvent, 'messages' | 'missing'>> {
  const all = [...earlier, ...added].slice(-count)
  const hashes = sha256(all.join('')) === chain ? all : added
  const messages: SentMessage[] = []
  for (const hash of hashes) {
    const text = await store.blob(runId, hash as Parameters<RunStore['blob']>[1])
    if (text === undefined) continue
    const { role = '', parts = [] } = JSON.parse(text) as JsonObject
    messages.push({ role: String(role), parts })
  }
  return { messages, missing: count - messages.length }
}
