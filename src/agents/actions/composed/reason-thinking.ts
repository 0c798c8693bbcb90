import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import {
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

const { model, provider, deployment, temperature } = modelParams
/** Parameters of all techniques. */
export const reasonParams = {
  model,
  provider,
  deployment,
  temperature,
  trace_file: z
    .string()
    .nullish()
    .describe('A file of the workspace that takes the trace, one line of JSON for each entry.'),
}
/** What all techniques give, in words. */
export const reasonResult =
  'reasoning_trace (list), reasoning_trace_object (the same as one span), reasoning_answer, model. A model that gives nothing usable: {error, success: false}.'

/** The temperature at which the techniques ask, where neither the file nor the action says another. */
const usualTemperature = 0.7

/** The model's name and its temperature as the techniques take them. */
export function modelNamed(
  call: ActionCall,
  given: Parameters<typeof withSettings>[1],
  providers: Providers,
): { readonly model?: string; readonly temperature: number } {
  const settings = withSettings(call, given, providers)
  const name = nameModel(call.context, settings, providers)
  const { temperature: warmth } = settings
  return { ...(name === undefined ? {} : { model: name }), temperature: warmth ?? usualTemperature }
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
