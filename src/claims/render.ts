import { formatCitedPlace } from '../citations/cited-place.ts'
import type { CitedSource, Claim } from '../citations/claim.ts'
import { printable } from '../citations/markup/printable.ts'
import { citationRun, splitClaims } from './check/parse-claims.ts'

/** Renders an answer as plain text with the sources it cites, each with the location of the claims' evidence. */
export function renderPlain(
  answer: string,
  citations: readonly CitedSource[],
  claims: readonly Claim[] = [],
): string {
  const references = referencesIn(answer, citations, claims).map(
    ({ n, title, place }) => `[${n}] ${title}${place}`,
  )
  return printable(
    [answer.trim(), ...(references.length === 0 ? [] : ['', 'Sources', ...references])].join('\n'),
  )
}

/** Like {@link renderPlain}, with ANSI colours: headings and strong text bold, citations cyan, locations dim. */
export function renderTerminal(
  answer: string,
  citations: readonly CitedSource[],
  claims: readonly Claim[] = [],
): string {
  const text = printable(answer.trim())
    .replace(/^#{1,6}\s+(.*)$/gm, (_all, title: string) => styled(bold, title))
    .replace(/\*\*(?=\S)([^*\n]+)\*\*/g, (_all, words: string) => styled(bold, words))
    .replace(citationRun, (marks) => styled(cyan, marks))
  const references = referencesIn(answer, citations, claims).map(
    ({ n, title, place }) =>
      `${styled(cyan, `[${n}]`)} ${printable(title)}${styled(dim, printable(place))}`,
  )
  return [
    text,
    ...(references.length === 0 ? [] : ['', styled(bold, 'Sources'), ...references]),
  ].join('\n')
}

interface Reference {
  readonly n: number
  readonly title: string
  /** ", path (p. 3)" or "". */
  readonly place: string
}

function referencesIn(
  answer: string,
  citations: readonly CitedSource[],
  claims: readonly Claim[],
): Reference[] {
  const cited = new Set(splitClaims(answer).flatMap((claim) => claim.citations))
  const byNumber = new Map(citations.map((source) => [source.n, source]))
  return [...cited]
    .sort((one, other) => one - other)
    .map((n) => {
      const source = byNumber.get(n)
      if (source === undefined) return { n, title: 'does not refer to a source', place: '' }
      const address = source.url ?? source.path
      const place = formatCitedPlace(source, claims)
      return {
        n,
        title: source.title,
        place: `${address === undefined ? '' : `, ${address}`}${place === '' ? '' : ` (${place})`}`,
      }
    })
}

const bold = 1
const dim = 2
const cyan = 36

function styled(style: number, text: string): string {
  return text === '' ? '' : `\u001b[${style}m${text}\u001b[0m`
}
