import type { Claim, Evidence, Verdict } from '../../citations/claim.ts'
import type { PassageSpan } from './source-passage.ts'

/** The result of checking one claim. */
export interface Outcome extends Pick<Claim, 'alteration' | 'numbers'> {
  readonly verdict: Verdict
  readonly reason: string
  readonly evidence: readonly Evidence[]
}

/** Creates an outcome with the given spans as evidence. */
export function createOutcome(
  verdict: Verdict,
  reason: string,
  places: readonly PassageSpan[] = [],
): Outcome {
  return { verdict, reason, evidence: places.map(toEvidence) }
}

function toEvidence({ passage, start, end }: PassageSpan): Evidence {
  const { n, passageId, page, section, text, start: offset } = passage.read
  const place = {
    n,
    passageId,
    quote: text.slice(start, end),
    start: offset + start,
    end: offset + end,
  }
  return {
    ...place,
    ...(page === undefined ? {} : { page }),
    ...(section === undefined ? {} : { section }),
  }
}
