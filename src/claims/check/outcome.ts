import type { Evidence, Verdict } from '../../citations/claim.ts'
import type { Place } from './source-passage.ts'

/** What a check of one claim found. */
export interface Outcome {
  readonly verdict: Verdict
  readonly reason: string
  readonly evidence: readonly Evidence[]
}

/** The outcome with the places that it rests on as evidence. */
export function outcome(verdict: Verdict, reason: string, places: readonly Place[] = []): Outcome {
  return { verdict, reason, evidence: places.map(evidenceOf) }
}

function evidenceOf({ passage, start, end }: Place): Evidence {
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
