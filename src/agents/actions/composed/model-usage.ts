import type {
  LanguageModelV4,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Usage } from '../../../kernel/event.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ModelBinding } from '../../../kernel/model.ts'
import { toUsage } from '../../../kernel/model-content.ts'
import { knownFallbacks, learnFallbacks } from '../../../kernel/model-fallback.ts'
import type { RunContext } from '../../../kernel/run-context.ts'

/** A model whose calls are counted. */
export interface MeteredModel {
  readonly binding: ModelBinding
  /** What the calls of this execution reported. */
  used(): Usage
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Counts what the calls of a model report, for results that tell it; the accounts of the run are kept elsewhere. */
export function metered(binding: ModelBinding): MeteredModel {
  let sum = nothing
  const count = (usage: LanguageModelV4Usage) => {
    sum = added(sum, toUsage(usage, binding.price))
  }
  return {
    binding: { ...binding, load: async () => counting(await binding.load(), count) },
    used: () => sum,
  }
}

function counting(
  model: LanguageModelV4,
  count: (usage: LanguageModelV4Usage) => void,
): LanguageModelV4 {
  const counted: LanguageModelV4 = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const result = await model.doGenerate(options)
      count(result.usage)
      learnFallbacks(model, knownFallbacks(counted))
      return result
    },
    async doStream(options) {
      const result = await model.doStream(options)
      learnFallbacks(model, knownFallbacks(counted))
      return { ...result, stream: result.stream.pipeThrough(teller(count)) }
    },
  }
  learnFallbacks(counted, knownFallbacks(model))
  return counted
}

function teller(
  count: (usage: LanguageModelV4Usage) => void,
): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'finish') count(part.usage)
      controller.enqueue(part)
    },
  })
}

/**
 * What calls have used, in the words of the format; a step, so that every execution tells the same. What an earlier execution
 * was charged for is in its log, under the steps' names.
 */
export async function usageOf(
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
      return { ...usages.reduce(added, used()) }
    },
  )
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    cost_usd: costUsd,
  }
}

function added(left: Usage, right: Usage): Usage {
  const isPriced = left.costUsd !== null && right.costUsd !== null
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costUsd: isPriced ? (left.costUsd as number) + (right.costUsd as number) : null,
  }
}
