import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import { callEmbedding } from '../../../kernel/model/embed-call.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { type ActionCall, type ComposedAction, ignoredParam, refusedParam } from '../action.ts'
import {
  addParsed,
  askOnce,
  type ModelAnswer,
  type RetryRule,
  readJson,
  readJsonForm,
  responseFormat,
  retryOrThrow,
  withRetries,
} from './ask-model.ts'
import { defineComposedAction, failedResult } from './composed-action.ts'
import { askWithTools, toolParams, toolResult } from './llm-tools.ts'
import {
  applyLlmSettings,
  chooseActionEmbedding,
  chooseActionModel,
  type Providers,
} from './model-choice.ts'
import {
  createConversation,
  hasPrompt,
  missingPrompt,
  modelParams,
  promptParams,
  retryParams,
  wordingParams,
} from './model-params.ts'
import { type MeteredModel, meterModel } from './model-usage.ts'

const answerParams = {
  ...modelParams,
  ...wordingParams,
  ...promptParams,
  ...retryParams,
  response_format: responseFormat
    .nullish()
    .describe('json, or the chat completions form {type: json_schema, json_schema: {schema}}.'),
}

const params = z.strictObject(answerParams).refine(hasPrompt, missingPrompt)

const paramsWithTools = z
  .strictObject({ ...answerParams, ...toolParams })
  .refine(hasPrompt, missingPrompt)

type LlmParams = z.output<typeof params>

const result =
  '{content, usage: {prompt_tokens, completion_tokens, total_tokens, cost_usd}, model, finish_reason}; with a JSON response_format also parsed, plus the members of a parsed object unless their names clash. If the answer is not JSON even the second time: {error, success: false, content, …}.'

/** `llm.call` and its variants: one question to one model. */
export function llmActions(providers: Providers): readonly ComposedAction[] {
  const asking = (name: string, description: string) =>
    defineComposedAction({
      name,
      description,
      params: paramsWithTools,
      result: `${result} With tools also ${toolResult}.`,
      run: async (given, call) => {
        if (given.tools?.length) return withTools(name, given, call, providers)
        const { rule, ask } = await prepare(name, given, call, providers)
        return retryOrThrow(call.context, rule, ask)
      },
    })
  return [
    asking('llm.call', 'Calls a model; with tools, until it answers.'),
    asking('llm.chat', 'Calls a model, like llm.call.'),
    defineComposedAction({
      name: 'llm.stream',
      description: 'Calls a model, like llm.call, and streams its answer to listeners.',
      params,
      result: `${result} Also streamed: true, chunk_count.`,
      run: async (given, call) => {
        const { rule, ask } = await prepare('llm.stream', given, call, providers, true)
        return { ...(await retryOrThrow(call.context, rule, ask)), streamed: true }
      },
    }),
    defineComposedAction({
      name: 'llm.retry',
      description:
        'Calls a model, like llm.call, and retries if its service fails; 3 times unless max_retries is given.',
      params,
      result: `${result} Also attempts, total_delay in seconds; {error, success: false, attempts, total_delay} if all attempts failed.`,
      run: async (given, call) => {
        const { rule, ask } = await prepare('llm.retry', given, call, providers)
        const patient = { ...rule, max_retries: rule.max_retries ?? 3 }
        const { outcome, attempts, totalDelay } = await withRetries(call.context, patient, ask)
        const facts = { attempts, total_delay: totalDelay }
        return outcome.ok
          ? { ...outcome.value, ...facts }
          : failedResult(outcome.error.message, facts)
      },
    }),
  ]
}

/** An answer obtained with tools. Requested JSON is read from it without asking again. */
async function withTools(
  who: string,
  { response_format: format, ...given }: z.output<typeof paramsWithTools>,
  call: ActionCall,
  providers: Providers,
): Promise<JsonObject> {
  const answer = await askWithTools(who, given, call, providers)
  const json = readJsonForm(format)
  if (json === undefined || answer.success === false) return answer
  const read = await readJson(call.context, 'schema', String(answer.content), json)
  return read.ok ? addParsed(answer, read.value) : { ...answer, ...failedResult(read.reason) }
}

interface Prepared {
  readonly rule: RetryRule
  ask(context: RunContext): Promise<ModelAnswer>
}

async function prepare(
  who: string,
  given: LlmParams,
  call: ActionCall,
  providers: Providers,
  isStreamed?: true,
): Promise<Prepared> {
  const { context } = call
  const settings = applyLlmSettings(call, given, providers)
  const chosen = await chooseActionModel(context, who, settings, providers)
  const binding = isStreamed === undefined ? chosen : { ...chosen, isStreamed }
  const json = readJsonForm(given.response_format)
  const messages = createConversation(context, given)
  const question = { messages, ...(json === undefined ? {} : { json }) }
  const ask = async (inside: RunContext) => {
    const model = meterModel(binding, given)
    const answered = await askOnce(inside, model, question)
    return isStreamed ? { ...answered, chunk_count: await splitChunks(inside, model) } : answered
  }
  return { rule: settings, ask }
}

/** Recorded as a step, so that every execution reports the same count; 1 if an interrupted execution received them. */
async function splitChunks(context: RunContext, { chunkCount }: MeteredModel): Promise<number> {
  return context.step('chunks', 'pure', null, async () => Math.max(1, chunkCount()))
}

const noLocalModels = 'models are called through a service'
const { provider, api_base, deployment, timeout } = modelParams

const embedParams = z
  .strictObject({
    text: z.string().nullish().describe('The text to embed.'),
    texts: z
      .array(z.string())
      .nullish()
      .describe('Several texts instead of one; the result then has embeddings.'),
    model: z
      .string()
      .nullish()
      .describe(
        'provider:model, such as ollama:nomic-embed-text. Default: the model of the role embedding.',
      ),
    provider,
    api_base,
    deployment,
    timeout,
    dimensions: z
      .int()
      .min(1)
      .nullish()
      .describe('Number of dimensions, for models that support fewer.'),
    ...retryParams,
    backend: ignoredParam(noLocalModels),
    n_ctx: ignoredParam(noLocalModels),
    n_threads: ignoredParam(noLocalModels),
    n_gpu_layers: ignoredParam(noLocalModels),
    model_path: refusedParam('models are not loaded from files: use model'),
  })
  .refine(
    ({ text, texts }) => typeof text === 'string' || Array.isArray(texts),
    'give text or texts',
  )

/** `llm.embed`: embeds texts. */
export function embedAction(providers: Providers) {
  return defineComposedAction({
    name: 'llm.embed',
    description: 'Embeds texts with an embedding model.',
    params: embedParams,
    result:
      '{embedding, model, dimensions, tokens_used, usage: {prompt_tokens, total_tokens, cost_usd}}; for texts, embeddings in the same order instead of embedding.',
    run: async (given, call) => {
      const { text, texts, dimensions, ...choice } = given
      const settings = applyLlmSettings(call, choice, providers)
      const own = { model: given.model, deployment: given.deployment }
      const binding = await chooseActionEmbedding(call.context, { ...settings, ...own }, providers)
      const options = dimensions ? { dimensions } : {}
      const all = texts ?? [text ?? '']
      const reply = await retryOrThrow(call.context, settings, (inside) =>
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
