import * as z from 'zod'
import { callEmbedding } from '../../../kernel/model/embed-call.ts'
import { refusedParam, unusedParam } from '../known-params.ts'
import { retried } from './ask-model.ts'
import { composedAction } from './composed-action.ts'
import { embeddingFor, type Providers, withSettings } from './model-choice.ts'
import { modelParams, retryParams } from './model-params.ts'

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
