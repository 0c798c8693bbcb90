import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ModelBinding } from '../../../kernel/model/model.ts'
import { toUsage } from '../../../kernel/model/model-content.ts'
import { knownFallbacks, learnFallbacks } from '../../../kernel/model/model-fallback.ts'
import type { Usage } from '../../../kernel/run/event.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import type { WordingParams } from './model-params.ts'

/** A model whose calls are measured. */
export interface MeteredModel {
  readonly binding: ModelBinding
  /** Usage reported by the calls of this execution. */
  used(): Usage
  /** Number of streamed text pieces in this execution. */
  chunkCount(): number
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/**
 * Measures a model's calls, and makes them with the options in `wording`, for results that report usage. The run's own
 * accounting is separate.
 */
export function meterModel(binding: ModelBinding, wording: WordingParams = {}): MeteredModel {
  let sum = nothing
  let chunks = 0
  const meter: Meter = {
    count: (usage) => {
      sum = addUsage(sum, toUsage(usage, binding.price))
    },
    hear: () => {
      chunks++
    },
    options: callOptions(wording),
  }
  return {
    binding: { ...binding, load: async () => countUsage(await binding.load(), meter) },
    used: () => sum,
    chunkCount: () => chunks,
  }
}

interface Meter {
  count(usage: LanguageModelV4Usage): void
  /** Counts one streamed piece. */
  hear(): void
  /** Options of all calls. */
  readonly options: Partial<LanguageModelV4CallOptions>
}

function callOptions({
  stop,
  top_p: topP,
  seed,
  presence_penalty: presencePenalty,
  frequency_penalty: frequencyPenalty,
}: WordingParams): Partial<LanguageModelV4CallOptions> {
  const stopSequences = typeof stop === 'string' ? [stop] : stop
  const options = { stopSequences, topP, seed, presencePenalty, frequencyPenalty }
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined && value !== null),
  )
}

function countUsage(model: LanguageModelV4, meter: Meter): LanguageModelV4 {
  const counted: LanguageModelV4 = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const result = await model.doGenerate({ ...options, ...meter.options })
      meter.count(result.usage)
      learnFallbacks(model, knownFallbacks(counted))
      return result
    },
    async doStream(options) {
      const result = await model.doStream({ ...options, ...meter.options })
      learnFallbacks(model, knownFallbacks(counted))
      return { ...result, stream: result.stream.pipeThrough(noticeUsage(meter)) }
    },
  }
  learnFallbacks(counted, knownFallbacks(model))
  return counted
}

function noticeUsage({
  count,
  hear,
}: Meter): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'finish') count(part.usage)
      if (part.type === 'text-delta') hear()
      controller.enqueue(part)
    },
  })
}

/**
 * Usage in the format's terms, as a step, so that every execution reports the same. What an earlier execution was
 * charged is in its log under the steps' names.
 */
export async function readUsage(
  context: RunContext,
  { used, binding }: MeteredModel,
  stepNames: readonly string[],
): Promise<JsonObject> {
  const { journal } = context.services
  const { inputTokens, outputTokens, costUsd } = await context.step(
    'usage',
    'pure',
    { model: binding.name },
    async () => {
      const before = stepNames.map((name) => journal.recordedStep(context.key(name)))
      const usages = before.flatMap((step) =>
        step?.type === 'step.done' ? (step.facts.usage ?? []) : [],
      )
      return { ...usages.reduce(addUsage, used()) }
    },
  )
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    cost_usd: costUsd,
  }
}

function addUsage(left: Usage, right: Usage): Usage {
  const isPriced = left.costUsd !== null && right.costUsd !== null
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costUsd: isPriced ? (left.costUsd as number) + (right.costUsd as number) : null,
  }
}
