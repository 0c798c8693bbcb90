import type { CitedSource, Claim, Evidence } from '../claim.ts'
import { parseNumbers } from './brackets.ts'
import { scanSpan } from './scan.ts'
import { readStoredBlocks } from './stored-text.ts'
import type { Token } from './token.ts'

/**
 * A citation of a page in an answer, in the form of OpenAI's APIs. The span is that of the mark (`[1]`), as theirs is of
 * the inline link, not that of the sentence. `end_index` is exclusive: their reference says "the last character", but they
 * send its end. Both count UTF-16 code units; the reference names no unit.
 * @see https://platform.openai.com/docs/api-reference/responses
 */
export interface UrlCitation {
  readonly type: 'url_citation'
  readonly start_index: number
  readonly end_index: number
  readonly title: string
  readonly url: string
}

/**
 * The place in a source that supports a claim, in the form of Anthropic's Citations API. `document_index` counts an
 * answer's citations from 0; the character indices count from 0 in the source's text, end exclusive, in UTF-16 code units
 * (the API names no unit).
 * @see https://platform.claude.com/docs/en/build-with-claude/citations
 */
export interface CharLocation {
  readonly type: 'char_location'
  readonly cited_text: string
  readonly document_index: number
  readonly document_title: string
  readonly start_char_index: number
  readonly end_char_index: number
}

/** A part of an answer with its supporting places, like a content block of Anthropic's API. */
export interface CitedBlock {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly CharLocation[]
}

/** The citations of sources with an address; files have none and appear only in {@link charLocations}. */
export function urlCitations(answer: string, citations: readonly CitedSource[]): UrlCitation[] {
  const byNumber = new Map(citations.map((source) => [source.n, source]))
  return numberMarks(answer, (n) => byNumber.has(n)).flatMap(({ start, end, numbers }) =>
    numbers.flatMap((n): UrlCitation[] => {
      const { url, title } = byNumber.get(n) ?? {}
      if (url === undefined || title === undefined) return []
      return [{ type: 'url_citation', start_index: start, end_index: end, title, url }]
    }),
  )
}

/** The places that support a claim, for sources that the answer cites. */
export function charLocations(
  claim: Pick<Claim, 'evidence'>,
  citations: readonly CitedSource[],
): CharLocation[] {
  return claim.evidence.flatMap(({ n, quote, start, end }: Evidence): CharLocation[] => {
    const index = citations.findIndex((source) => source.n === n)
    const source = citations[index]
    if (source === undefined) return []
    return [
      {
        type: 'char_location',
        cited_text: quote,
        document_index: index,
        document_title: source.title,
        start_char_index: start,
        end_char_index: end,
      },
    ]
  })
}

/** Splits an answer into blocks: each supported claim with its places, and the text between. Joined they are the answer. */
export function citedBlocks(
  answer: string,
  claims: readonly Claim[],
  citations: readonly CitedSource[],
): CitedBlock[] {
  const blocks: CitedBlock[] = []
  let from = 0
  const plain = (to: number) => {
    if (to > from) blocks.push({ type: 'text', text: answer.slice(from, to) })
  }
  for (const claim of claims) {
    const places = charLocations(claim, citations)
    const start = answer.indexOf(claim.text, from)
    if (places.length === 0 || start < 0 || claim.text === '') continue
    plain(start)
    blocks.push({ type: 'text', text: claim.text, citations: places })
    from = start + claim.text.length
  }
  plain(answer.length)
  return blocks
}

interface NumberMark {
  readonly start: number
  readonly end: number
  readonly numbers: readonly number[]
}

function numberMarks(answer: string, isNumber: (n: number) => boolean): readonly NumberMark[] {
  const tokens: Token[] = []
  const labels = { isMark: () => false, isNumber, isName: () => false }
  for (const span of readStoredBlocks(answer).spans)
    if (span.kind === 'text') scanSpan(answer, span, labels, tokens)
  return tokens
    .filter(({ kind }) => kind === 'numbers')
    .map(({ start, end }) => ({
      start,
      end,
      numbers: parseNumbers(answer.slice(start + 1, end - 1)),
    }))
}
