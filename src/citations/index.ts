/** Citations: numbers for sources, in any text and message; claims and their check; reference lists. */
export * from './bibliography/index.ts'
export { checkClaims, coverageOf } from './check-claim.ts'
export type {
  CitedSource,
  Claim,
  Coverage,
  Evidence,
  PassageReference,
  ReadPassage,
  SecondOpinion,
  Verdict,
} from './claim.ts'
export { EvidenceLedger, type MintedNumber, type PassageRead } from './ledger.ts'
export { type CitationManager, createCitationManager } from './manager/citation-manager.ts'
export {
  type KeptMessage,
  keepCitedMessages,
  loadCitedMessages,
} from './manager/kept-messages.ts'
export { messageForModel, renumberCitations, storeMessage } from './manager/stored-message.ts'
export * from './markup/index.ts'
export { CitationIndex, mergeIndexes } from './numbers/citation-index.ts'
export { exportIndex, type IndexForm, summarizeIndex } from './numbers/export-index.ts'
export type { CitedNumbers, IndexEntry, NewEntry } from './numbers/index-entry.ts'
export { type CitedSentence, splitClaims } from './parse-claims.ts'
export { renderPlain, renderTerminal } from './render.ts'
export {
  type CheckedReference,
  type CheckedReport,
  type CheckedSentence,
  checkReport,
  type ReportSource,
} from './report/check-report.ts'
export { type FoundBy, locate } from './report/locate.ts'
export {
  type Reference,
  type Report,
  type ReportSentence,
  readReport,
} from './report/read-report.ts'
export { splitSentences } from './sentences.ts'
export {
  type CslItem,
  type Passage,
  type PassageId,
  passageId,
  type Source,
  type SourceId,
} from './source.ts'
export { adaptTool } from './tools/adapt-tool.ts'
export { type Score, scoreOf } from './verify-claims/score.ts'
