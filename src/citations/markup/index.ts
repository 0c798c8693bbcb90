/** Citations in texts: read in any form, kept as marks with local numbers, shown to models and people. */
export { canonicalUrl } from './canonical-url.ts'
export type { CitationFormat, CitedEntry, CitedText } from './cited-text.ts'
export { parseCitations } from './parse-citations.ts'
