import type { Claim, ReadPassage } from '../../citations/claim.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import { type CitedSentence, splitClaims } from '../check/parse-claims.ts'
import { trimSpan } from '../language/sentences.ts'
import { editSentences, type SentenceEdit } from './edit-sentences.ts'

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
 * Claims as they were judged, but `altered` where a sentence leads to an address, shows an image from one or runs HTML that is none
 * of what it cites: no comparison of words sees that, and whoever opens the answer would send something there. An address may stand
 * in a cited passage or be a cited source's. `answer` is searched for what its labels stand for.
 */
export function checkAddresses(
  claims: readonly Claim[],
  answer: string,
  cited: CitedTexts,
): readonly Claim[] {
  const definitions = readDefinitions(answer)
  return claims.map((claim) => {
    if (claim.citations.length === 0 || claim.verdict === 'unavailable') return claim
    const foreign = findForeignPart(claim.text, collectKnown(cited, claim.citations), definitions)
    if (foreign === undefined) return claim
    return { ...claim, verdict: 'altered', reason: explainForeign(foreign) }
  })
}

/** Why a text does not hold that has a {@link findForeignPart}. */
export function explainForeign(foreign: string): string {
  return `"${foreign}" is no address of what it cites.`
}

/** What addresses are compared with: the texts, titles and addresses of cited sources, of all where no numbers are given. */
export function collectKnown(
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
export function readDefinitions(answer: string): ReadonlyMap<string, string> {
  const found = answer.matchAll(/^(?:[^\S\n]|>)*\[([^\][]{1,999})\]:[^\S\n]*\n?[^\S\n]*(\S+)/gm)
  return new Map([...found].map(([, label = '', target = '']) => [label.toLowerCase(), target]))
}

const tag =
  /<[a-z][^<>]*\s(?:href|src|srcset|style|on[a-z]+|action|formaction|data|poster|background|cite|ping)\s*=|<(?:script|i?frame|object|embed|style|base|meta|link|form|svg|math)\b/i
/** An address in angle brackets without two slashes: `<javascript:…>`. */
const angled = /<[a-z][a-z\d+.-]{1,31}:(?!\/\/)[^\s<>]*>/i
const target = /(?<!\\)\]\(\s*(?:<([^>\n]{0,4000})>|([^\s)]*))/g
const address = /(?:\b[a-z][a-z\d+.-]{0,31}:[\\/]{2,}|(?<![\w.])www\.)[^\s<>"`[\]{}|]*/gi
const labelled = /\[([^\][]+)\]/g

/**
 * The first part of a text that leads, or sends something, to another place than those that are known; `undefined` where there
 * is none. Links and images are alike; in code only addresses count.
 */
export function findForeignPart(
  text: string,
  known: readonly string[],
  definitions: ReadonlyMap<string, string> = new Map(),
): string | undefined {
  const shown = text.replace(/(?<!`)(`+)(?!`)[^`]+\1(?!`)/g, ' ')
  for (const pattern of [tag, angled]) {
    const [found] = pattern.exec(shown) ?? []
    if (found !== undefined) return found
  }
  const targets = [...shown.matchAll(target)].map(([, inAngles, plain = '']) => inAngles ?? plain)
  const named = [...shown.matchAll(labelled)].flatMap(
    ([, label = '']) => definitions.get(label.toLowerCase()) ?? [],
  )
  const own = findAddresses([text])
  // Most texts lead nowhere: what is known is not looked through for them.
  const addresses = findAddresses(targets.length + named.length + own.size === 0 ? [] : known)
  const others = [...targets, ...named].find((one) =>
    /^https?:\/\//i.test(one) ? !isKnown(trimAddress(one), addresses) : !isOwnPath(one, known),
  )
  return others ?? [...own].find((one) => !isKnown(one, addresses))
}

function findAddresses(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) => [...text.matchAll(address)].map(([all]) => trimAddress(all))),
  )
}

/** Whether a link's target is a path that a source has as one too. */
function isOwnPath(path: string, known: readonly string[]): boolean {
  const isElsewhere = /^(?:[a-z][a-z\d+.-]*(?::|&)|[\\/]{2})/i.test(path)
  return !isElsewhere && known.some((text) => text.includes(`](${path}`))
}

/** An address without the punctuation of the sentence around it, and without closing brackets that it did not open. */
function trimAddress(found: string): string {
  const ending = found.includes('(') ? trailing : `${trailing})`
  let end = found.length
  while (end > 0 && ending.includes(found.charAt(end - 1))) end--
  return found.slice(0, end)
}

const trailing = '.,:;!?\'"*_~’”»'

function isKnown(found: string, addresses: ReadonlySet<string>): boolean {
  if (addresses.has(found)) return true
  const canonical = canonicalUrl(found)
  return canonical !== undefined && [...addresses].some((one) => canonicalUrl(one) === canonical)
}

/** Whether a sentence is words alone: no link, image, address or HTML. `![1]` behind an exclamation is a citation. */
export function isPlainText(sentence: string): boolean {
  const isLinking = /\]\(|\]\[(?!\d)|\[(?=[^\][]*\])[\d\s,;–—-]*[^\d\s,;–—[\]-]/.test(sentence)
  return !isLinking && !/<[a-z!/?]/i.test(sentence) && findForeignPart(sentence, []) === undefined
}

/** An answer without parts of it, and what these were. */
interface ClearedAnswer {
  readonly answer: string
  readonly removed: readonly { readonly text: string; readonly foreign: string }[]
}

/**
 * An answer without what asserts nothing and leads to an address that is not known: questions, headings, lead-ins, definitions
 * of labels. Code blocks stay as they are, and so do claims.
 */
export function clearOutsideClaims(answer: string, known: readonly string[]): ClearedAnswer {
  const removed = findSpansOutsideClaims(answer).flatMap(({ start, end }) => {
    const text = answer.slice(start, end)
    const foreign = findForeignPart(text, known)
    return foreign === undefined ? [] : [{ start, end, text, foreign }]
  })
  if (removed.length === 0) return { answer, removed }
  const edits = removed.map(({ start, end }): SentenceEdit => ({ start, end, replacement: null }))
  return {
    answer: editSentences(answer, edits).text,
    removed: removed.map(({ text, foreign }) => ({ text, foreign })),
  }
}

const fenceMark = /^[\s>]*(`{3,}|~{3,})/

/** What is in no claim and in no code block, line by line. */
function findSpansOutsideClaims(
  answer: string,
): readonly { readonly start: number; readonly end: number }[] {
  const claims = splitClaims(answer)
  const spans: { start: number; end: number }[] = []
  let fence = ''
  let first = 0
  for (const { 0: line, index } of answer.matchAll(/[^\n]+/g)) {
    const [, mark = ''] = fenceMark.exec(line) ?? []
    const wasFenced = fence !== ''
    if (wasFenced && mark.startsWith(fence)) fence = ''
    else if (!wasFenced) fence = mark
    if (wasFenced || mark !== '') continue
    const lineEnd = index + line.length
    let from = index
    while ((claims[first]?.end ?? lineEnd) <= index) first++
    for (let at = first; (claims[at]?.start ?? lineEnd) < lineEnd; at++) {
      const claim = claims[at] as CitedSentence
      spans.push({ start: from, end: claim.start })
      from = claim.end
    }
    spans.push({ start: from, end: lineEnd })
  }
  return spans.flatMap(({ start, end }) => trimSpan(answer, start, end) ?? [])
}
