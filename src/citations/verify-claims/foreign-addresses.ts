import type { Claim, ReadPassage } from '../claim.ts'
import { canonicalUrl } from '../markup/canonical-url.ts'

/** What is known of the sources that an answer cites. */
export interface CitedTexts {
  readonly passages: readonly Pick<ReadPassage, 'n' | 'text'>[]
  readonly citations: readonly {
    readonly n: number
    readonly title: string
    readonly url?: string
  }[]
}

/**
 * Claims as they were judged, but `altered` where a sentence leads to an address, shows an image or runs HTML that is none of
 * what it cites: no comparison of words sees that, and whoever opens the answer would send something there. An address may stand
 * in a cited passage or be a cited source's. `answer` is searched for what its labels stand for.
 */
export function checkAddresses(
  claims: readonly Claim[],
  answer: string,
  cited: CitedTexts,
): readonly Claim[] {
  const definitions = definitionsIn(answer)
  return claims.map((claim) => {
    if (claim.citations.length === 0 || claim.verdict === 'unavailable') return claim
    const foreign = foreignPart(claim.text, knownOf(cited, claim.citations), definitions)
    if (foreign === undefined) return claim
    return { ...claim, verdict: 'altered', reason: foreignReason(foreign) }
  })
}

/** Why a text does not hold that has a {@link foreignPart}. */
export function foreignReason(foreign: string): string {
  return `"${foreign}" is no address of what it cites.`
}

/** What addresses are compared with: the texts, titles and addresses of cited sources, of all where no numbers are given. */
export function knownOf(
  { passages, citations }: CitedTexts,
  numbers?: readonly number[],
): readonly string[] {
  const isMeant = ({ n }: { readonly n: number }) => numbers === undefined || numbers.includes(n)
  const named = citations.filter(isMeant)
  return [
    ...passages.filter(isMeant).map(({ text }) => text),
    ...named.flatMap(({ title, url }) => (url === undefined ? [title] : [title, url])),
  ]
}

/** The addresses that labels of an answer stand for (`[label]: https://…`), by the label in small letters. */
export function definitionsIn(answer: string): ReadonlyMap<string, string> {
  const found = answer.matchAll(/^[\s>]*\[([^\][]{1,999})\]:[^\S\n]*\n?[^\S\n]*(\S+)/gm)
  return new Map([...found].map(([, label = '', target = '']) => [label.toLowerCase(), target]))
}

/** An image; `![1]` behind an exclamation is a citation. */
const image = /(?<!\\)!\[(?!\d{1,4}(?:\s?[,;–—-]\s?\d{1,4})*\](?!\())[^\]]{0,80}\]?/
const tag =
  /<[a-z][^<>]*\s(?:href|src|srcset|style|on[a-z]+|action|formaction|data|poster|background|cite|ping)\s*=|<(?:script|i?frame|object|embed|style|base|meta|link|form|svg|math)\b/i
/** An address in angle brackets without two slashes: `<javascript:…>`. */
const angled = /<[a-z][a-z\d+.-]{1,31}:(?!\/\/)[^\s<>]*>/i
const target = /(?<!\\)\]\(\s*(?:<([^>\n]*)>|([^\s)]*))/g
const address = /(?:\b[a-z][a-z\d+.-]*:[\\/]{2,}|(?<![\w.])www\.)[^\s<>"`[\]{}|]*/gi
const labelled = /\[([^\][]+)\]/g

/**
 * The first part of a text that leads, or sends something, to another place than those that are known; `undefined` where there
 * is none.
 */
export function foreignPart(
  text: string,
  known: readonly string[],
  definitions: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  for (const pattern of [image, tag, angled]) {
    const [found] = pattern.exec(text) ?? []
    if (found !== undefined) return found
  }
  for (const [, inAngles, plain = ''] of text.matchAll(target)) {
    const to = inAngles ?? plain
    if (!/^https?:\/\//i.test(to)) return to === '' ? '()' : to
  }
  const named = [...text.matchAll(labelled)].flatMap(
    ([, label = '']) => definitions.get(label.toLowerCase()) ?? [],
  )
  const found = [...text.matchAll(address)].map(([all]) => withoutEnd(all))
  return [...found, ...named].find((one) => !isKnown(one, known))
}

/** An address without the punctuation and brackets of the sentence around it. */
function withoutEnd(found: string): string {
  const bare = found.replace(/[.,:;!?'"*_~’”»]+$/, '')
  const isClosed = bare.endsWith(')') && !bare.includes('(')
  return isClosed ? withoutEnd(bare.slice(0, -1)) : bare
}

function isKnown(found: string, known: readonly string[]): boolean {
  const canonical = canonicalUrl(found)
  return known.some(
    (text) => text.includes(found) || (canonical !== undefined && canonicalUrl(text) === canonical),
  )
}

/** Whether a sentence is words alone: no link, image, address or HTML. */
export function isPlainText(sentence: string): boolean {
  const isLinking = /\]\(|\]\[(?!\d)|\[[^\][]*[^\d\s,;–—[\]-][^\][]*\]/.test(sentence)
  return !isLinking && !/<[a-z!/?]/i.test(sentence) && foreignPart(sentence, []) === undefined
}
