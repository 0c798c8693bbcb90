import type { Verdict } from '../../src/citations/claim.ts'
import { codeVerdict } from './code-verdict.ts'

/** Says whether cited texts carry a claim. */
export type Verify = (
  claim: string,
  passages: readonly { readonly title: string; readonly text: string }[],
) => Promise<Verdict>

/** The check by code. */
export const verifyByCode: Verify = async (claim, passages) => codeVerdict(claim, passages).verdict

/**
 * The check by a verifier model, named `provider:name`.
 *
 * @throws Error always: no verifier model is bound here yet.
 */
export function verifyByModel(name: string): Verify {
  throw new Error(`No verifier model is bound yet: ${name}.`)
}
