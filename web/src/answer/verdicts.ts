import type { Coverage, Verdict } from '../api/answer.ts'

/** How a verdict looks: a colour and a shape, never the colour alone. */
export const looks: Readonly<
  Record<Verdict, { readonly tone: 'good' | 'part' | 'bad' | 'open'; readonly shape: string }>
> = {
  verbatim: { tone: 'good', shape: '✓' },
  supported: { tone: 'good', shape: '✓' },
  partial: { tone: 'part', shape: '~' },
  unchecked: { tone: 'part', shape: '~' },
  altered: { tone: 'bad', shape: '≠' },
  contradicted: { tone: 'bad', shape: '≠' },
  not_found: { tone: 'open', shape: '?' },
  unavailable: { tone: 'open', shape: '?' },
}

/** Whether a sentence plainly holds. */
export function holds(verdict: Verdict): boolean {
  return looks[verdict].tone === 'good'
}

/** The verdicts of an answer that do not hold, with their counts. */
export function doubts(coverage: Coverage): readonly (readonly [Verdict, number])[] {
  const { altered, contradicted, partial, notFound, uncited, unavailable, unchecked } = coverage
  const counts: readonly (readonly [Verdict, number])[] = [
    ['altered', altered],
    ['contradicted', contradicted],
    ['partial', partial],
    ['not_found', notFound + uncited],
    ['unavailable', unavailable],
    ['unchecked', unchecked],
  ]
  return counts.filter(([, count]) => count > 0)
}
