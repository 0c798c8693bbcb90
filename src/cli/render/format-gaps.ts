import {
  mayStartAddress,
  readBareAddress,
  startsAddress,
} from '../../citations/markup/addresses.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { Answer } from '../arguments/app-settings.ts'

type Gap = Answer['gaps'][number]

/**
 * Replaces marks such as `[result 2: …]`, which models see in place of addresses, by the addresses in the question, whose
 * numbers come first.
 */
export function withAddresses(text: string, question: string): string {
  if (!text.includes('[result ')) return text
  const addresses = addressesIn(question)
  return text.replace(
    /\[result (\d+): [^\]\n]*\]/g,
    (mark, number: string) => addresses[Number(number) - 1] ?? mark,
  )
}

/** The distinct addresses in a text. */
function addressesIn(text: string): readonly string[] {
  const found = new Map<string, string>()
  let from = 0
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    if (index < from || !startsAddress(text, index) || !mayStartAddress(text, index)) continue
    const { url, end } = readBareAddress(text, index, text.length)
    if (url === undefined) continue
    const key = canonicalUrl(url) ?? url
    if (!found.has(key)) found.set(key, url)
    from = end
  }
  return [...found.values()]
}

/** Gaps for display: several names that could not be looked up have one cause and are merged. */
export function formatGaps(gaps: readonly Gap[]): readonly Gap[] {
  const names = gaps.flatMap((gap) => unknownName(gap) ?? [])
  if (new Set(names).size < 2) return gaps
  const detail = `None of these could be reached: ${[...new Set(names)].join(', ')}. Check the internet connection.`
  const first = gaps.findIndex((gap) => unknownName(gap) !== undefined)
  return gaps.flatMap((gap, index) => {
    if (index === first) return [{ kind: gap.kind, detail }]
    return unknownName(gap) === undefined ? [gap] : []
  })
}

/** The server name that a gap says could not be looked up. */
function unknownName({ kind, detail }: Gap): string | undefined {
  if (kind !== 'source_unavailable') return undefined
  return /The host name (\S+) could not be resolved/.exec(detail)?.[1]
}
