/** Citations: numbers for sources, in any text and message; claims and their check; reference lists. */
export * from './bibliography/bibliography.ts'
export type {
  CitedSource,
  Claim,
  Coverage,
  Evidence,
  PassageReference,
  ReadPassage,
  SecondOpinion,
  Verdict,
} from './citations/claim.ts'
export { EvidenceLedger, type MintedNumber, type PassageRead } from './citations/ledger.ts'
export {
  type CitationManager,
  createCitationManager,
} from './citations/manager/citation-manager.ts'
export {
  keepCitedMessages,
  loadCitedMessages,
  type MessageReference,
  messageForModel,
  renumberCitations,
  storeMessage,
} from './citations/manager/stored-message.ts'
export * from './citations/markup/index.ts'
export { CitationIndex, mergeIndexes } from './citations/numbers/citation-index.ts'
export { exportIndex, type IndexForm, summarizeIndex } from './citations/numbers/export-index.ts'
export type { CitedNumbers, IndexEntry, NewEntry } from './citations/numbers/index-entry.ts'
export {
  type CslItem,
  type Passage,
  type PassageId,
  passageId,
  type Source,
  type SourceId,
} from './citations/source.ts'
export { adaptTool } from './citations/tools/adapt-tool.ts'
export { checkClaims, measureCoverage } from './claims/check/check-claim.ts'
export { type CitedSentence, splitClaims } from './claims/check/parse-claims.ts'
export { splitSentences } from './claims/language/sentences.ts'
export { renderPlain, renderTerminal } from './claims/render.ts'
export {
  type CheckedReference,
  type CheckedReport,
  type CheckedSentence,
  checkReport,
  type ReportSource,
} from './claims/report/check-report.ts'
export { type FoundBy, locateSource } from './claims/report/locate-source.ts'
export {
  type Reference,
  type Report,
  type ReportSentence,
  readReport,
} from './claims/report/read-report.ts'
export { type ClaimScore, scoreClaims } from './claims/verify/score-claims.ts'
