/** References: works as CSL-JSON, written in any citation style, read from and written to BibTeX, and checked against metadata sources. */
export type { BibtexNote, Refusal } from './bibtex-scan.ts'
export {
  checkIdentity,
  type Disagreement,
  type IdentityCheck,
  type Retraction,
} from './check-identity.ts'
export { citationKeys } from './citation-keys.ts'
export { type AuthorComparison, compareAuthors } from './compare-authors.ts'
export { compareTitles, normalizeTitle, type TitleComparison } from './compare-titles.ts'
export {
  type BibliographyEntry,
  type BibliographyOptions,
  formatBibliography,
} from './format-bibliography.ts'
export { type ArxivId, findIdentifiers, type Identifiers, parseDoi } from './identifiers.ts'
export { cslFromArxiv } from './metadata-arxiv.ts'
export { cslFromCrossref } from './metadata-crossref.ts'
export { cslFromOpenAlex } from './metadata-openalex.ts'
export type { MetadataRecord } from './metadata-record.ts'
export { cslFromSemanticScholar } from './metadata-semantic-scholar.ts'
export { type ParsedBibtex, parseBibtex } from './parse-bibtex.ts'
export type { BibliographyFormat } from './rich-text.ts'
export {
  compareWorks,
  type FieldComparison,
  type WorkComparison,
  type WorkField,
} from './same-work.ts'
export { toBibtex } from './write-bibtex.ts'
export { toRis } from './write-ris.ts'
