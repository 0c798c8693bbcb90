import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { callEmbedding } from '../../../kernel/model/embed-call.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { type ActionCall, type ComposedAction, refusedParam, unusedParam } from '../action.ts'
import {
  type Answered,
  askOnce,
  jsonFormOf,
  type RetryRule,
  readJson,
  responseFormat,
  retried,
  withParsed,
  withRetries,
} from './ask-model.ts'
import { composedAction, notDone } from './composed-action.ts'
import { askWithTools, toolParams, toolResult } from './llm-tools.ts'
import { embeddingFor, modelFor, type Providers, withSettings } from './model-choice.ts'
import {
  asksSomething,
  conversationOf,
  modelParams,
  nothingAsked,
  promptParams,
  retryParams,
  wordingParams,
} from './model-params.ts'
import { type MeteredModel, metered } from './model-usage.ts'

const answerParams = {
  ...modelParams,
  ...wordingParams,
  ...promptParams,
  ...retryParams,
  response_format: responseFormat
    .nullish()
    .describe('json, or as chat completions have it: {type: json_schema, json_schema: {schema}}.'),
}

const params = z.strictObject(answerParams).refine(asksSomething, nothingAsked)

const paramsWithTools = z
  .strictObject({ ...answerParams, ...toolParams })
  .refine(asksSomething, nothingAsked)

type LlmParams = z.output<typeof params>

const result =
  '{content, usage: {prompt_tokens, completion_tokens, total_tokens, cost_usd}, model, finish_reason}; with a response_format of JSON also parsed, and the members of a parsed object beside it where they clash with none of these. An answer that is not JSON a second time: {error, success: false, content, …}.'

/** `llm.call` and its kin: one question to one model. */
export function llmActions(providers: Providers): readonly ComposedAction[] {
  const asking = (name: string, description: string) =>
    composedAction({
      name,
      description,
      params: paramsWithTools,
      result: `${result} With tools also ${toolResult}.`,
      run: async (given, call) => {
        if (given.tools?.length) return withTools(name, given, call, providers)
        const { rule, ask } = await prepare(name, given, call, providers)
        return retried(call.context, rule, ask)
      },
    })
  return [
    asking('llm.call', 'Asks a model; with tools, until it answers.'),
    asking('llm.chat', 'Asks a model, as llm.call.'),
    composedAction({
      name: 'llm.stream',
      description:
        'Asks a model, as llm.call, and tells its answer to listeners while it is written.',
      params,
      result: `${result} And streamed: true, chunk_count (the pieces in which it came).`,
      run: async (given, call) => {
        const { rule, ask } = await prepare('llm.stream', given, call, providers, true)
        return { ...(await retried(call.context, rule, ask)), streamed: true }
      },
    }),
    composedAction({
      name: 'llm.retry',
      description:
        'Asks a model, as llm.call, and tries again after waits when its service fails; 3 times where max_retries says nothing.',
      params,
      result: `${result} And attempts, total_delay in seconds; {error, success: false, attempts, total_delay} when all failed.`,
      run: async (given, call) => {
        const { rule, ask } = await prepare('llm.retry', given, call, providers)
        const patient = { ...rule, max_retries: rule.max_retries ?? 3 }
        const { outcome, attempts, totalDelay } = await withRetries(call.context, patient, ask)
        const facts = { attempts, total_delay: totalDelay }
        return outcome.ok ? { ...outcome.value, ...facts } : notDone(outcome.error.message, facts)
      },
    }),
  ]
}

/** An answer that tools helped to; JSON that was asked for is read out of it, and not asked for again. */
async function withTools(
  who: string,
  { response_format: format, ...given }: z.output<typeof paramsWithTools>,
  call: ActionCall,
  providers: Providers,
): Promise<JsonObject> {
  const answer = await askWithTools(who, given, call, providers)
  const json = jsonFormOf(format)
  if (json === undefined || answer.success === false) return answer
  const read = await readJson(call.context, 'schema', String(answer.content), json)
  return read.ok ? withParsed(answer, read.value) : { ...answer, ...notDone(read.reason) }
}

interface Prepared {
  readonly rule: RetryRule
  ask(context: RunContext): Promise<Answered>
}

async function prepare(
  who: string,
  given: LlmParams,
  call: ActionCall,
  providers: Providers,
  isStreamed?: true,
): Promise<Prepared> {
  const { context } = call
  const settings = withSettings(call, given, providers)
  const chosen = await modelFor(context, who, settings, providers)
  const binding = isStreamed === undefined ? chosen : { ...chosen, isStreamed }
  const json = jsonFormOf(given.response_format)
  const messages = conversationOf(context, given)
  const question = { messages, ...(json === undefined ? {} : { json }) }
  const ask = async (inside: RunContext) => {
    const model = metered(binding, given)
    const answered = await askOnce(inside, model, question)
    return isStreamed ? { ...answered, chunk_count: await chunksOf(inside, model) } : answered
  }
  return { rule: settings, ask }
}

/** A step, so that every execution tells the same; 1 where an execution that was cut off heard them. */
async function chunksOf(context: RunContext, { chunkCount }: MeteredModel): Promise<number> {
  return context.step('chunks', 'pure', null, async () => Math.max(1, chunkCount()))
}

const noLocal = 'models are reached through a service'
const { provider, api_base, deployment, timeout } = modelParams

const embedParams = z
  .strictObject({
    text: z.string().nullish().describe('The text of which a vector is made.'),
    texts: z
      .array(z.string())
      .nullish()
      .describe('Several texts in place of one; the result then has embeddings.'),
    model: z
      .string()
      .nullish()
      .describe(
        'provider:model, as in ollama:nomic-embed-text. Default: the model of the role embedding.',
      ),
    provider,
    api_base,
    deployment,
    timeout,
    dimensions: z
      .int()
      .min(1)
      .nullish()
      .describe('How many numbers a vector shall have, for models that can have fewer.'),
    ...retryParams,
    backend: unusedParam(noLocal),
    n_ctx: unusedParam(noLocal),
    n_threads: unusedParam(noLocal),
    n_gpu_layers: unusedParam(noLocal),
    model_path: refusedParam('models are not loaded from files: name one with model'),
  })
  .refine(
    ({ text, texts }) => typeof text === 'string' || Array.isArray(texts),
    'give text or texts',
  )

/** `llm.embed`: vectors of texts. */
export function embedAction(providers: Providers) {
  return composedAction({
    name: 'llm.embed',
    description: 'Makes vectors of texts with a model of embeddings.',
    params: embedParams,
    result:
      '{embedding, model, dimensions, tokens_used, usage: {prompt_tokens, total_tokens, cost_usd}}; of texts embeddings in place of embedding, in their order.',
    run: async (given, call) => {
      const { text, texts, dimensions, ...choice } = given
      const settings = withSettings(call, choice, providers)
      const own = { model: given.model, deployment: given.deployment }
      const binding = await embeddingFor(call.context, { ...settings, ...own }, providers)
      const options = dimensions ? { dimensions } : {}
      const all = texts ?? [text ?? '']
      const reply = await retried(call.context, settings, (inside) =>
        callEmbedding(inside, 'embedding', binding, all, options),
      )
      const { vectors, usage } = reply
      const [embedding = []] = vectors
      return {
        ...(texts ? { embeddings: vectors } : { embedding }),
        model: binding.name,
        dimensions: reply.dimensions,
        tokens_used: usage.inputTokens,
        usage: {
          prompt_tokens: usage.inputTokens,
          total_tokens: usage.inputTokens,
          cost_usd: usage.costUsd,
        },
      }
    },
  })
}
