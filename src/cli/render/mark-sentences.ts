import { formatCitedPlace } from '../../citations/cited-place.ts'
import { citationRun } from '../../claims/check/parse-claims.ts'
import { isSupported } from '../../claims/verify/opinions.ts'
import type { Answer } from '../arguments/app-settings.ts'

type Claim = Answer['claims'][number]

/** The signs behind sentences: not supported by the source, not checked. */
const sentenceSigns = { unsupported: '✗', unchecked: '?' } as const

/**
 * A text for reading: behind each sentence that is not supported a sign, and behind each citation number the page on which the
 * evidence is. A sentence that is not found in the text stays as it is.
 */
export function markSentences(
  text: string,
  { claims, citations }: Pick<Answer, 'claims' | 'citations'>,
): string {
  let marked = ''
  let from = 0
  for (const claim of claims) {
    const start = text.indexOf(claim.text, from)
    if (start < 0) continue
    const end = start + claim.text.length
    marked += text.slice(from, start) + withPages(claim, citations) + signBehind(claim)
    from = end
  }
  return marked + text.slice(from)
}

function signBehind(claim: Claim): string {
  const { verdict, text } = claim
  if (isSupported(claim) || text.startsWith('|')) return ''
  const isOpen = verdict === 'unchecked' || verdict === 'unavailable'
  return ` ${isOpen ? sentenceSigns.unchecked : sentenceSigns.unsupported}`
}

function withPages(claim: Claim, citations: Answer['citations']): string {
  const withPage = (mark: string, number: string) => {
    const source = citations.find(({ n }) => n === Number(number))
    const place = source === undefined ? '' : formatCitedPlace(source, [claim])
    return /^(?:pp?\.|slides?) /.test(place) ? `[${number}, ${place}]` : mark
  }
  return claim.text.replaceAll(citationRun, (run) => run.replaceAll(/\[(\d+)\]/g, withPage))
}

/** What the signs in a text mean; empty text if it has none. */
export function explainSigns(claims: readonly Claim[]): string {
  const signs = new Set(claims.map((claim) => signBehind(claim).trim()))
  return [
    ...(signs.has(sentenceSigns.unsupported)
      ? [`${sentenceSigns.unsupported} not supported by a source`]
      : []),
    ...(signs.has(sentenceSigns.unchecked) ? [`${sentenceSigns.unchecked} not checked`] : []),
  ].join(' · ')
}
