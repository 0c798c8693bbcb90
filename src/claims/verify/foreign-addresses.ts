import type { Claim, ReadPassage } from '../../citations/claim.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import { type CitedSentence, splitClaims } from '../check/parse-claims.ts'
import { trimSpan } from '../language/sentences.ts'
import { editSentences, type SentenceEdit } from './edit-sentences.ts'

/** The sources that an answer cites. */
export interface CitedTexts {
  readonly passages: readonly Pick<ReadPassage, 'n' | 'text'>[]
  readonly citations: readonly {
    readonly n: number
    readonly title: string
    readonly url?: string
  }[]
}

/**
 * Marks claims as `altered` if they link to an address, show an image from one or contain HTML that their citations do not
 * have. A comparison of words does not notice these, and opening the answer could send data there. An address is allowed
 * if it is in a cited passage or is a cited source's own. `answer` supplies the definitions of its link labels.
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
    return { ...claim, verdict: 'altered', alteration: 'address', reason: explainForeign(foreign) }
  })
}

/** The reason for a claim with a {@link findForeignPart}. */
export function explainForeign(foreign: string): string {
  return `"${foreign}" is not an address of a source it cites.`
}

/** What addresses are compared with: the texts, titles and addresses of cited sources, or of all if no numbers are given. */
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

/** The addresses that an answer's labels stand for (`[label]: https://…`), by label in lower case. */
function readDefinitions(answer: string): ReadonlyMap<string, string> {
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
 * The first part of a text that links or sends something to an unknown address; `undefined` if there is none. Links and
 * images count alike; in code only addresses do.
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
  // Most texts have no links; then nothing is searched.
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

/** Whether a link's target is a path that a source also links to. */
function isOwnPath(path: string, known: readonly string[]): boolean {
  const isElsewhere = /^(?:[a-z][a-z\d+.-]*(?::|&)|[\\/]{2})/i.test(path)
  return !isElsewhere && known.some((text) => text.includes(`](${path}`))
}

/** An address without the sentence's punctuation and without closing brackets that it did not open. */
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

/** Whether a sentence is text only: no link, image, address or HTML. `![1]` is a citation after an exclamation mark. */
export function isPlainText(sentence: string): boolean {
  const isLinking = /\]\(|\]\[(?!\d)|\[(?=[^\][]*\])[\d\s,;–—-]*[^\d\s,;–—[\]-]/.test(sentence)
  return !isLinking && !/<[a-z!/?]/i.test(sentence) && findForeignPart(sentence, []) === undefined
}

/** An answer without the parts that were removed, and those parts. */
interface ClearedAnswer {
  readonly answer: string
  readonly removed: readonly { readonly text: string; readonly foreign: string }[]
}

/**
 * Removes parts that are not claims and link to an unknown address: questions, headings, introductions, label definitions.
 * Code blocks and claims stay.
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

/** Spans that are in no claim and no code block, line by line. */
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
