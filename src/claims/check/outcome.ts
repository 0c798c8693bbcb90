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

function toEvidence({ passage, start, end: endOfWords }: PassageSpan): Evidence {
  const { n, passageId, page, section, text, start: offset } = passage.read
  const end = endOfWords + countClosing(text, start, endOfWords)
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

/** How many characters right behind a span close a bracket or quotation mark that was opened in it. */
function countClosing(text: string, start: number, end: number): number {
  const opener = openers.get(text.charAt(end))
  if (opener === undefined) return 0
  const within = text.slice(start, end)
  return within.lastIndexOf(opener) > within.lastIndexOf(text.charAt(end)) ? 1 : 0
}

const openers: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['”', '“'],
  ['»', '«'],
])
