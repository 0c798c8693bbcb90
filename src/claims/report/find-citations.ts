import { readBlocks, type Span } from '../../citations/markup/blocks.ts'
import { scanSpan } from '../../citations/markup/scan.ts'
import type { Labels, Token } from '../../citations/markup/token.ts'
import { identifier, toIdentifierAddress } from './find-addresses.ts'

/** A citation in a report: what it cites, and the words of a link that remain in the sentence. */
export interface ReportCitation {
  readonly start: number
  readonly end: number
  readonly keys?: readonly string[]
  readonly url?: string
  /** A file that a link points to. */
  readonly path?: string
  readonly words: string
}

/** Finds the text parts of a report and the citations in them, in order. */
export function findReportCitations(
  text: string,
  labels: Labels,
): { readonly spans: readonly Span[]; readonly citations: readonly ReportCitation[] } {
  const spans = readBlocks(text, false).spans
  const citations: ReportCitation[] = []
  for (const span of spans.filter(({ kind }) => kind === 'text')) {
    const tokens: Token[] = []
    scanSpan(text, span, labels, tokens)
    const found = tokens.flatMap((token) => toCitation(text, token))
    const taken = (start: number) =>
      tokens.some((token) => token.start <= start && start < token.end)
    citations.push(
      ...mergeOverlapping(
        found,
        findPlainCitations(text, span, tokens.length === 0 ? () => false : taken),
      ),
    )
  }
  return { spans, citations }
}

function toCitation(text: string, token: Token): readonly ReportCitation[] {
  const { kind, start, end, keys, url, words = '' } = token
  if (kind === 'image' || kind === 'attribute') return []
  const cited = { ...(keys === undefined ? {} : { keys }), ...(url === undefined ? {} : { url }) }
  return [trimBrackets(text, { start, end, ...cited, words })]
}

/** Links to files, DOIs and arXiv ids, which are citations in reports but not in messages. */
function findPlainCitations(
  text: string,
  span: Span,
  isTaken: (start: number) => boolean,
): ReportCitation[] {
  const part = text.slice(span.start, span.end)
  const links = [...part.matchAll(fileLink)].flatMap((match): ReportCitation[] => {
    const [all, words = '', angled, bare = ''] = match
    const start = span.start + match.index
    const path = (angled ?? bare).replace(/#.*$/, '')
    return isTaken(start)
      ? []
      : [trimBrackets(text, { start, end: start + all.length, path, words })]
  })
  const ids = [...part.matchAll(identifier)].flatMap((match): ReportCitation[] => {
    const [all, doi, arxiv] = match
    const start = span.start + match.index
    const url = toIdentifierAddress(doi, arxiv)
    const dropped = doi === undefined ? 0 : doi.length - (url.length - doiPrefix.length)
    return isTaken(start) ? [] : [{ start, end: start + all.length - dropped, url, words: '' }]
  })
  return mergeOverlapping(links, ids)
}

const doiPrefix = 'https://doi.org/'

/** `[words](papers/a.pdf#page=3)`; not an image, and not a link within the document. */
const fileLink =
  /(?<!!)\[([^[\]\n]{0,300})\]\((?:<([^<>\n]{1,300})>|((?![a-z]+:)[^\s()<>#]{1,300}(?:#[^\s()<>]{0,100})?))(?:\s"[^"\n]{0,300}")?\)/gi

/** Words that only name the citation: "(source)", "[DOI](…)". */
const nameOnly = /^(?:doi|source|link|pdf|here|ref|reference|arxiv|web|site|paper|\W*\d{1,3}\W*)$/i

/** Includes brackets around a link, and drops their words from the sentence. */
function trimBrackets(text: string, citation: ReportCitation): ReportCitation {
  const { start, end, words } = citation
  if (text.charAt(start - 1) === '(' && text.charAt(end) === ')')
    return { ...citation, start: start - 1, end: end + 1, words: '' }
  return nameOnly.test(words.trim()) ? { ...citation, words: '' } : citation
}

function mergeOverlapping(
  one: readonly ReportCitation[],
  other: readonly ReportCitation[],
): ReportCitation[] {
  if (other.length === 0) return [...one]
  const sorted = [...one, ...other].sort((first, second) => first.start - second.start)
  return sorted.filter(
    (citation, index) => index === 0 || citation.start >= (sorted[index - 1]?.end ?? 0),
  )
}
