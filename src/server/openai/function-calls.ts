import { type App, clientFunctions, type FunctionQuestion } from '../../app.ts'
import type { Json } from '../../kernel/json.ts'
import { goOn } from '../control-routes.ts'
import { findVisible, type RunSite } from '../run-site.ts'
import type { Principal } from '../tokens.ts'
import { OpenAiRequestError } from './openai-error.ts'
import type { GivenMessage } from './openai-schemas.ts'

/** A call of a function that the client carries out. */
export interface FunctionCall {
  /** Names the run too, so that a result finds it. */
  readonly id: string
  readonly name: string
  /** JSON. */
  readonly arguments: string
}

/** What the log says of the functions that a run waits for. */
export interface WaitingCalls {
  readonly calls: readonly FunctionCall[]
  /** Keys of the waiting steps, by the id of their calls. */
  readonly keys: ReadonlyMap<string, string>
  /** All calls so far, also those that have a result. */
  readonly ids: ReadonlySet<string>
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Reads the calls of a run from its log. */
export async function readCalls(app: App, runId: string): Promise<WaitingCalls> {
  const waiting = new Map<string, FunctionCall>()
  const ids = new Set<string>()
  let inputTokens = 0
  let outputTokens = 0
  for await (const event of app.events(runId, { types: ['run.waiting', 'step.done'] })) {
    const { key } = event
    if (event.type === 'step.done') {
      waiting.delete(key)
      inputTokens += event.data.usage?.inputTokens ?? 0
      outputTokens += event.data.usage?.outputTokens ?? 0
      continue
    }
    const { data } = event.output as unknown as FunctionQuestion
    const id = `call_${runId}_${ids.size + 1}`
    ids.add(id)
    waiting.set(key, { id, name: data.function, arguments: JSON.stringify(data.arguments) })
  }
  const keys = new Map([...waiting].map(([key, { id }]) => [id, key]))
  return { calls: [...waiting.values()], keys, ids, inputTokens, outputTokens }
}

/**
 * Gives a run the results at the end of a conversation, and resumes it. Its id; `undefined` for a conversation that does not end with
 * results of calls that a run made. Results that a run has already are not given again.
 * @throws {@link OpenAiRequestError} if a call has no result, and as `findVisible`
 */
export async function resumeWithResults(
  site: RunSite,
  messages: readonly GivenMessage[],
  principal: Principal,
): Promise<string | undefined> {
  const results = readResults(messages)
  const [runId] = [...results.keys()].map((id) => /^call_(.+)_\d+$/.exec(id)?.[1])
  if (runId === undefined) return undefined
  const { workflow, status } = await findVisible(site, runId, principal)
  if (workflow !== clientFunctions.name) throw refused(`Run ${runId} makes no calls.`)
  const { calls, keys, ids } = await readCalls(site.app, runId)
  const strange = [...results.keys()].find((id) => !ids.has(id))
  if (strange !== undefined) throw refused(`Run ${runId} made no call ${strange}.`)
  if (status !== 'waiting') return runId
  const missing = calls.find(({ id }) => !results.has(id))
  if (missing !== undefined) throw refused(`There is no result for the call ${missing.id}.`)
  const answers = new Map([...keys].map(([id, key]) => [key, results.get(id)]))
  const answer = async (_: unknown, key: string): Promise<Json | undefined> => answers.get(key)
  await goOn(site, { runId }, principal, { answer })
  return runId
}

function refused(message: string): OpenAiRequestError {
  return new OpenAiRequestError('unsupported_value', 'input', message)
}

/** The results behind the last other message, by the ids of their calls. */
function readResults(messages: readonly GivenMessage[]): ReadonlyMap<string, string> {
  const last = messages.findLastIndex((message) => !isResult(message))
  return new Map(messages.slice(last + 1).map((message) => [callIdOf(message), outputOf(message)]))
}

/** Whether a message is the result of a call. */
export function isResult({ type, role }: GivenMessage): boolean {
  return type === 'function_call_output' || role === 'tool'
}

function callIdOf({ call_id, tool_call_id }: GivenMessage): string {
  return call_id ?? tool_call_id ?? ''
}

/** The text of a result. */
export function outputOf({ output, content }: GivenMessage): string {
  const given = output ?? content ?? ''
  if (typeof given === 'string') return given
  return given.map(({ text = '' }) => text).join('\n')
}
