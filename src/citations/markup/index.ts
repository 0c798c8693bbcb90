/** Citations in texts: read in any form, stored as marks with local numbers, rendered for models and people. */
export {
  type CharLocation,
  type CitedBlock,
  charLocations,
  citedBlocks,
  type UrlCitation,
  urlCitations,
} from './annotations.ts'
export { canonicalUrl, toCitableUrl } from './canonical-url.ts'
export type { CitationFormat, CitedEntry, CitedText } from './cited-text.ts'
export { parseCitations } from './parse-citations.ts'
export { renderHtml, renderMarkdown, renderNotes, renderTerminalLinks } from './render.ts'
export { renderForModel } from './stored-text.ts'
