import { unmarkReferences } from '../../citations/format-passages.ts'
import { referenceHeading } from '../../citations/markup/blocks.ts'
import { parseNumbers } from '../../citations/markup/brackets.ts'
import { noEvidenceText } from '../../citations/role-requests.ts'
import { lemma } from '../language/lemma.ts'
import { splitSentences, type TextSpan } from '../language/sentences.ts'
import { linkVerbs } from '../language/vocabulary.ts'
import { endsInQuotation } from './quotations.ts'

/** A sentence of an answer that makes a statement; `text` is the answer's slice from `start` to `end`. */
export interface CitedSentence {
  readonly text: string
  /** The sentence without citation marks and Markdown. */
  readonly plain: string
  /** The numbers it cites, each once, in order. */
  readonly citations: readonly number[]
  readonly start: number
  readonly end: number
}

/**
 * Splits a Markdown answer into its claims, with the numbers they cite as `[1]`, `[1, 2]`, `[1][2]` or `[1–3]`. Marks
 * after the full stop belong to the sentence before them. A table row is one sentence. Headings, code, the list of
 * references, {@link noEvidenceText}, and what cites nothing and only leads to what follows are not claims: questions, words that
 * introduce a list ("These are:"), run-in headings ("**No backup tasks.**"), announcements ("Next, the results.") and what the
 * sources do not say.
 */
export function splitClaims(answer: string): CitedSentence[] {
  const masked = maskMarkdown(answer)
  const claims: CitedSentence[] = []
  for (const span of joinQuotations(masked, splitSentences(masked))) {
    const claim = toClaim(answer, masked, span)
    const previous = claims.at(-1)
    if (/[\p{L}\p{N}]/u.test(claim.plain)) claims.push(claim)
    else if (claim.citations.length > 0 && previous !== undefined)
      claims[claims.length - 1] = appendMarks(answer, previous, claim)
  }
  return claims.filter(
    ({ text, plain, citations }) =>
      citations.length > 0 || !(plain === noEvidenceText || isLeadIn(text, plain)),
  )
}

/** Whether words only lead to what follows. */
export function isLeadIn(text: string, plain: string): boolean {
  if (/[:?：？؟]["”’)*_]*$/.test(plain)) return true
  const isEmphasised = /^(\*\*|__)(?!\s)[^*_]+[.!:]?\1[.:]?$/.test(text.trim())
  return isEmphasised ? isRunInHeading(plain) : isAnnouncement(plain)
}

/** In words; longer emphasised text is a statement. */
const maxHeadingWords = 10

/** A few words without a verb, or a clause that stands for a question: "Two learning problems.", "How they measure it." */
function isRunInHeading(plain: string): boolean {
  const words = plain.match(/[\p{L}\p{N}'’-]+/gu) ?? []
  if (words.length > maxHeadingWords || /\d/.test(plain)) return false
  return /^(?:how|why|what|where|when|who|which)$/i.test(words[0] ?? '') || !words.some(isVerb)
}

function isVerb(word: string, index: number): boolean {
  const plain = word.toLowerCase()
  return (
    linkVerbs.has(lemma(plain)) ||
    plain === 'not' ||
    /n['’]t$/.test(plain) ||
    (index > 0 && /[^e]ed$/.test(plain))
  )
}

/** A sentence without a number in which the writer says what comes next or what is missing, and nothing about the subject. */
function isAnnouncement(plain: string): boolean {
  if (/\d/.test(plain)) return false
  return announcements.some((pattern) => pattern.test(plain)) || isAbsence(plain)
}

/** That the sources leave something open: "The passages do not say how well the annotators agreed." */
function isAbsence(plain: string): boolean {
  return (
    absence.test(plain) &&
    !/[;:]|, (?:and|so|which)\b|\band (?:the|an?|this|these|it|they|finds?|found|shows?|showed)\b|\b(?:but|although|though|while|whereas|yet|because|instead|only)\b/i.test(
      plain,
    )
  )
}

const sources = '(?:sources?|passages?|documents?|excerpts?|papers?|stud(?:y|ies)|articles?|texts?)'
const saying = '(?:say|state|report|give|mention|tell|specify|answer|cover|address|contain)'
const absence = new RegExp(
  String.raw`^(?:(?:so|and|but|however|beyond that|apart from that),?\s)?(?:(?:the|these|those|this) (?:[\p{L}\d-]+ ){0,3}?${sources}(?: (?:found|read|shown|searched|given|provided|cited))? (?:do not|does not|don['’]t|doesn['’]t|did not) ${saying}|(?:none|neither) of the (?:\p{L}+ )?${sources} ${saying}s?|it is not (?:known|stated|said|given|reported|mentioned|found) (?:from|in|by) the (?:\p{L}+ )?${sources})\b`,
  'iu',
)

const announcements: readonly RegExp[] = [
  /^(?:(?:first|next|now|then|finally|second|third|so|and),?\s)?(?:let (?:me|us)|let['’]s)\b/i,
  /^(?:(?:first|next|now|then|finally|below|here|in what follows),?\s)?(?:I|we)(?: will|['’]ll| now| first| next)*\s(?:begin|start|turn|come|take|go|proceed|move|look|list|sum|summari[sz]e|describe|discuss|explain|focus|consider)\b/i,
  /^(?:what follows|the following)\b.{0,60}$/i,
  /^(?:here|below|next|now)(?: (?:is|are|come|comes|follow|follows)\b|,? (?:to|for|on to|back to)\b|, (?:the|a|an|some)\b)(?!.*\b(?:was|were|has|have|shows?|showed)\b).{0,60}$/i,
  /^to (?:answer|see|understand|judge|explain|show) (?:this|that|it),? (?:one|we|I|you) (?:has|have|need|must|should)\b/i,
  /^(?:to (?:sum up|summari[sz]e|conclude|begin with|start with)|in (?:short|sum|summary|brief))[.,]?$/i,
  /^(?:a few|some|several|two|three|four|five|a couple of|one) (?:\p{L}+ )?(?:remark|caveat|caution|note|point|comment|limitation|question|observation|word|thing|quantit|qualification|reservation)(?:s|y|ies)?(?: (?:remains?|matters?|here|follows?|first|is in order|are in order|apply|applies|on what is still to come))*[.]?$/iu,
  /^first (?:the|a|come|comes)\b[^,;]{0,60}, then\b.{0,60}$/i,
]

function appendMarks(answer: string, claim: CitedSentence, marks: CitedSentence): CitedSentence {
  const citations = [...new Set([...claim.citations, ...marks.citations])]
  return { ...claim, citations, text: answer.slice(claim.start, marks.end), end: marks.end }
}

/** Joins the sentences inside one quotation with the words around it. */
function joinQuotations(masked: string, spans: readonly TextSpan[]): TextSpan[] {
  const joined: TextSpan[] = []
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index] as TextSpan
    let last = index
    let end = span.end
    while (endsInQuotation(masked.slice(span.start, end)) && last < index + maxQuotationSentences) {
      const next = spans[++last]
      if (next === undefined || /\n\s*\n/.test(masked.slice(end, next.start))) break
      end = next.end
    }
    const isClosed = !endsInQuotation(masked.slice(span.start, end))
    joined.push(isClosed ? { start: span.start, end } : span)
    if (isClosed) index = last
  }
  return joined
}

/** In sentences; a quotation mark that stays open longer is a mistake. */
const maxQuotationSentences = 8

const itemMark = /^(?:(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?)+/
/**
 * A run of citation marks; not after a letter ("arr[1]"), a bracket or a backslash, and not a link ("[1](…)"). Scripts without
 * spaces put them directly after a letter.
 */
export const citationRun =
  /(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrl}\p{N}_\]\\])(?:\[\d{1,4}(?:\s?[,;–—-]\s?\d{1,4}){0,31}\](?!\())+/gu

function toClaim(answer: string, masked: string, span: TextSpan): CitedSentence {
  const start = span.start + (itemMark.exec(masked.slice(span.start, span.end))?.[0].length ?? 0)
  const text = answer.slice(start, span.end)
  const citations = new Set<number>()
  let plain = ''
  let from = start
  for (const { 0: run, index } of masked.slice(start, span.end).matchAll(citationRun)) {
    plain += answer.slice(from, start + index).trimEnd()
    from = start + index + run.length
    for (const list of run.slice(1, -1).split(']['))
      for (const n of parseNumbers(list)) citations.add(n)
  }
  plain += answer.slice(from, span.end)
  return { text, plain: stripMarkdown(plain), citations: [...citations], start, end: span.end }
}

function stripMarkdown(text: string): string {
  return unmarkReferences(text)
    .replace(/(?<=\p{L})-\n\s*(?=\p{Ll})/gu, '-')
    .replace(/\n[^\S\n]{0,3}(?:>[^\S\n]?)+/g, '\n')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\\)!\[[^[\]]*\]\([^()\s]*\)/g, '')
    .replace(/\[([^[\]]*)\]\([^()\s]*(?: "[^"]*")?\)/g, '$1')
    .replace(/`+([^`]*)`+/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('\\!', '!')
    .replace(/(?<![\p{L}\p{N}])(\*{1,3}|_{1,3})(?=\S)([^*_]+?)(?<=\S)\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/^\| ?(.*?)(?: ?\|)?$/, (_row, cells: string) => cells.replaceAll(/ ?\| ?/g, '; '))
    .trim()
}

/** The answer at the same length: spaces for anything that is not a sentence, letters for inline code and addresses. */
function maskMarkdown(answer: string): string {
  const state = { fence: '', inReferences: false, inTable: false }
  const lines = answer.split('\n')
  const masked = lines.map((line, index) => maskLine(line, lines[index + 1] ?? '', state))
  return masked
    .join('\n')
    .replace(/(?<!`)(`+)(?!`)([^`\n]+)\1(?!`)/g, maskText)
    .replace(/(?<=\])\([^()\s]*(?:\s+"[^"\n]*")?\)/g, (all) => `(${'x'.repeat(all.length - 2)})`)
}

function maskText(all: string): string {
  return 'x'.repeat(all.length)
}

const fence = /^\s{0,3}(`{3,}|~{3,})/
const heading = /^\s{0,3}#{1,6}(?:\s|$)|^\s*(\*\*|__)[^*_[\].!?]+\1:?\s*$/
const referenceEntry = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[\d{1,4}\])|^\s*$/
/** "[1]: https://…", a horizontal rule, the line below a table's header. */
const nonSentence = /^\s{0,3}\[[^\]]+\]:\s|^\s{0,3}(?:[-*_]\s*){3,}$|^\s*={3,}\s*$/
/** The line below a table's header. */
export const tableRule = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)+(?:\|\s*)?$/

function maskLine(
  line: string,
  next: string,
  state: { fence: string; inReferences: boolean; inTable: boolean },
): string {
  const blank = ' '.repeat(line.length)
  const [, mark = ''] = fence.exec(line) ?? []
  if (state.fence !== '') {
    if (mark.startsWith(state.fence)) state.fence = ''
    return blank
  }
  if (mark !== '') {
    state.fence = mark
    return blank
  }
  const isHeading = heading.test(line)
  if (referenceHeading.test(line)) state.inReferences = true
  else if (!referenceEntry.test(line)) state.inReferences = false
  if (state.inReferences || isHeading || nonSentence.test(line)) return blank
  const isTableRule = tableRule.test(line)
  if (isTableRule) state.inTable = true
  else if (line.trim() === '') state.inTable = false
  if (isTableRule || (tableRule.test(next) && line.includes('|'))) return blank
  if (state.inTable) return line.replace(/[.!?…](?=\s)/g, ',')
  return line.replace(/^\s{0,3}(?:>\s?)+/, (all) => ' '.repeat(all.length))
}
