import {
  mayStartAddress,
  readBareAddress,
  startsAddress,
} from '../../citations/markup/addresses.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { Answer } from '../arguments/app-settings.ts'

type Gap = Answer['gaps'][number]

/** A text with the addresses of its question where models are shown the numbers of results: those of a question come first. */
export function withAddresses(text: string, question: string): string {
  if (!text.includes('[result ')) return text
  const addresses = addressesIn(question)
  return text.replace(
    /\[result (\d+): [^\]\n]*\]/g,
    (mark, number: string) => addresses[Number(number) - 1] ?? mark,
  )
}

/** The addresses in a text, each once. */
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

/** Gaps as they are told: several names that could not be looked up are one cause, and are told in one. */
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

/** The name of a server that a gap says could not be looked up. */
function unknownName({ kind, detail }: Gap): string | undefined {
  if (kind !== 'source_unavailable') return undefined
  return /The host name (\S+) could not be resolved/.exec(detail)?.[1]
}
