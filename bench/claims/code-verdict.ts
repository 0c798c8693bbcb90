import { checkClaims } from '../../src/citations/check-claim.ts'
import type { Claim, ReadPassage } from '../../src/citations/claim.ts'
import { passageId, type SourceId } from '../../src/citations/source.ts'

/** What code says of a sentence that cites one or more texts, each read whole. */
export function codeVerdict(
  sentence: string,
  texts: readonly { readonly title: string; readonly text: string }[],
): Claim {
  const cited = texts.map(({ title, text }, index) => {
    const sourceId = (index + 10).toString(16).padStart(64, '0') as SourceId
    const id = passageId(sourceId, 0, text.length)
    const n = index + 1
    const passage: ReadPassage = { n, passageId: id, sourceId, start: 0, end: text.length, text }
    return { passage, citation: { n, sourceId, title } }
  })
  const [claim] = checkClaims(
    [
      {
        text: sentence,
        plain: sentence,
        citations: cited.map(({ passage }) => passage.n),
        start: 0,
        end: sentence.length,
      },
    ],
    cited.map(({ passage }) => passage),
    cited.map(({ citation }) => citation),
  )
  if (claim === undefined) throw new Error(`no verdict: ${sentence}`)
  return claim
}
