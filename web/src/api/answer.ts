import type { CitedSource, Claim, Coverage, Verdict } from '../../../src/citations/claim.ts'

export type { CitedSource, Claim, Coverage, Verdict }

/** What the page shows of the result of a question or a review. */
export interface CitedAnswer {
  readonly status: string
  readonly question?: string
  readonly answer: string
  readonly citations: readonly CitedSource[]
  readonly claims: readonly Claim[]
  readonly coverage: Coverage
  readonly gaps: readonly { readonly source?: string; readonly detail: string }[]
  readonly models: Readonly<Record<string, string>>
  readonly error?: { readonly message: string; readonly hint?: string } | null
}

/** The result of a run, if it is one with citations. */
export function toCitedAnswer(result: unknown): CitedAnswer | undefined {
  const found = result as Partial<CitedAnswer> | undefined
  const isCited = Array.isArray(found?.citations) && Array.isArray(found?.claims)
  return isCited ? (found as CitedAnswer) : undefined
}
