import type { Claim } from '../../citations/claim.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { Attributes, OtelEvent } from './otel-span.ts'

/** Claims of an answer that are told at most, as many as the SDKs keep events of a span. */
const mostEvents = 128

/** How a verdict counts: what the source says, partly, or not. What could not be judged has no score. */
const scores: Readonly<Partial<Record<Claim['verdict'], number>>> = {
  verbatim: 1,
  supported: 1,
  partial: 0.5,
  altered: 0,
  contradicted: 0,
  not_found: 0,
}

/**
 * The verdicts on an answer's claims, one `gen_ai.evaluation.result` each; reasons, which quote, only with content.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-events.md
 */
export function evaluationEvents(event: RunEvent, hasContent: boolean): readonly OtelEvent[] {
  if (event.type !== 'run.finished') return []
  const { claims } = (event.output ?? {}) as { claims?: unknown }
  if (!Array.isArray(claims)) return []
  return (claims as readonly Claim[]).slice(0, mostEvents).map((claim, index) => ({
    name: 'gen_ai.evaluation.result',
    timeMs: event.ts,
    attributes: evaluationAttributes(claim, index, hasContent),
  }))
}

function evaluationAttributes(
  { verdict, reason, text }: Claim,
  index: number,
  hasContent: boolean,
): Attributes {
  const score = scores[verdict]
  return {
    'gen_ai.evaluation.name': 'citation',
    'gen_ai.evaluation.score.label': verdict,
    ...(score === undefined ? {} : { 'gen_ai.evaluation.score.value': score }),
    'scholium.claim.number': index + 1,
    ...(hasContent ? { 'gen_ai.evaluation.explanation': reason, 'scholium.claim.text': text } : {}),
  }
}
