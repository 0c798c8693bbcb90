import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { noticeOfModel } from '../../../kernel/model/model-notice.ts'
import {
  type CallSettings,
  type ReasoningTrace,
  toNdjson,
  toTraceList,
  toTraceObject,
} from '../../../reasoning/index.ts'
import type { ActionCall } from '../action.ts'
import { orNotDone } from './composed-action.ts'
import { nameModel, type Providers, withSettings } from './model-choice.ts'
import { modelParams } from './model-params.ts'
import { isObject } from './values.ts'

const { model, provider, deployment, temperature, max_tokens, timeout } = modelParams
/** Parameters of all techniques. */
export const reasonParams = {
  model,
  provider,
  deployment,
  temperature,
  max_tokens,
  timeout: timeout.describe(
    "Timeout of one call in seconds. Default: settings.llm.timeout, otherwise the model's setting.",
  ),
  trace_file: z
    .string()
    .nullish()
    .describe('A workspace file for the trace, one JSON line per entry.'),
}
/** What all techniques give, in words. */
export const reasonResult =
  'reasoning_trace (list), reasoning_trace_object (the same as one span), reasoning_answer, model. If the model gives nothing usable: {error, success: false}.'

/** The temperature at which the techniques ask, where neither the file nor the action says another. */
const usualTemperature = 0.7

interface Reasoner extends CallSettings {
  readonly model?: string
  readonly temperature: number
}

/** The model's name and how it is called, as the techniques take them. */
export function modelNamed(
  call: ActionCall,
  given: Parameters<typeof withSettings>[1],
  providers: Providers,
): Reasoner {
  const settings = withSettings(call, given, providers)
  const name = nameModel(call.context, settings, providers)
  const { temperature: warmth, max_tokens: most, timeout: seconds, max_retries: retries } = settings
  if (retries) tellRetries(call.context)
  return {
    ...(name === undefined ? {} : { model: name }),
    temperature: warmth ?? usualTemperature,
    ...(most ? { maxOutputTokens: most } : {}),
    ...(seconds ? { timeoutMs: seconds * 1_000 } : {}),
  }
}

function tellRetries(context: ActionCall['context']): void {
  const text =
    'settings.llm.max_retries does not apply to reason.*: each call has three attempts. To retry the whole action, give its node retry.'
  noticeOfModel(context, { name: 'settings.llm' }, 'max_retries', text)
}

/** What a technique came to. */
export interface Thought {
  readonly result: JsonObject
  readonly trace: ReasoningTrace
}

/** A technique at work: its result with its trace in both shapes, the trace also in a file where one is named. */
export async function thinking(
  call: ActionCall,
  { trace_file: path }: { readonly trace_file?: string | null | undefined },
  work: (context: ActionCall['context']) => Promise<Thought>,
): Promise<Json> {
  return orNotDone(call.context, async (context) => {
    const { result, trace } = await work(context)
    const written = path ? await writeTrace(call, path, trace) : {}
    return {
      ...result,
      reasoning_trace: toTraceList(trace),
      reasoning_trace_object: toTraceObject(trace),
      ...written,
    }
  })
}

/** The trace as a file, by `file.write` and under its rules. */
async function writeTrace(
  call: ActionCall,
  path: string,
  trace: ReasoningTrace,
): Promise<JsonObject> {
  const params = { path, content: toNdjson(trace) }
  const written = await call.perform('file.write', params, call.context.child('trace_file'))
  const error = isObject(written) ? written.error : undefined
  return error === undefined ? { trace_file: path } : { trace_file_error: error }
}
