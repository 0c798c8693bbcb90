/** Citations: the run's index, claims of an answer, their check against what was read. */
export { checkClaims, coverageOf } from './check-claim.ts'
export type {
  CitedSource,
  Claim,
  Coverage,
  Evidence,
  PassageReference,
  ReadPassage,
  Verdict,
} from './claim.ts'
export { EvidenceLedger, type MintedNumber, type PassageRead } from './ledger.ts'
export { type CitedSentence, splitClaims } from './parse-claims.ts'
export { renderPlain, renderTerminal } from './render.ts'
export { splitSentences } from './sentences.ts'
export {
  type CslItem,
  type Passage,
  type PassageId,
  passageId,
  type Source,
  type SourceId,
} from './source.ts'
