import { describe, expect, it } from 'vitest'
import type { PassageId, SourceId } from '../citations/source.ts'
import { checkStances, isOnPage, toStance } from './ground-points.ts'

const text =
  'Windows were used. The results of the study are given in Table 2. Sparse attention needs less memory.'
const read = {
  passages: [
    {
      n: 1,
      passageId: 'p' as PassageId,
      sourceId: 's' as SourceId,
      start: 0,
      end: text.length,
      page: 2,
      text,
    },
  ],
  citations: [{ n: 1, sourceId: 's' as SourceId, title: 'A study' }],
}

function stanceWith(quote: string) {
  const stance = { text: 'Transformers are cheap to run.', n: 1, paperId: 'a', quotes: [quote] }
  const [claim] = checkStances([stance], read)
  if (claim === undefined) throw new Error('There is no claim.')
  return toStance(stance, claim)
}

describe('words that are quoted for a point', () => {
  it.each([
    'of the study',
    'The results of',
    'given in Table 2',
    'words that stand nowhere in it at all',
  ])('show nothing where they are too few or stand nowhere: %s', (quote) => {
    const stance = stanceWith(quote)
    expect(stance).toMatchObject({ verdict: 'not_found', evidence: [] })
    expect(isOnPage(stance)).toBe(false)
  })

  it.each([
    'Sparse attention needs less memory.',
    'the results of the study are given',
    'Windows were used.',
  ])('are the place that is shown, undecided: %s', (quote) => {
    expect(stanceWith(quote)).toMatchObject({
      verdict: 'unchecked',
      evidence: [{ n: 1, page: 2 }],
    })
  })
})
