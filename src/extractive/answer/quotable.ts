import type { ShownPassage } from '../../citations/role-requests.ts'
import { splitSentences, type TextSpan, trimSpan } from '../../claims/language/sentences.ts'
import { fold, oneLine, type Word } from '../language/words.ts'

/**
 * Splits a text into the pieces that may be quoted: its sentences, and each line of a run of labelled lines
 * ("CEO: Jane Roe").
 */
export function splitQuotable(text: string): readonly TextSpan[] {
  return splitSentences(text).flatMap((span) => {
    const lines = splitLines(text, span)
    const isNotes = lines.every(({ start, end }) =>
      isLabelledLine(toQuotable(text.slice(start, end))),
    )
    return isNotes ? lines : splitAtShortLines(text, span, lines)
  })
}

function splitLines(text: string, { start, end }: TextSpan): readonly TextSpan[] {
  const breaks = [...text.slice(start, end).matchAll(/\n/g)].map(({ index }) => start + index)
  const starts = [start, ...breaks]
  return starts.flatMap((from, index) => trimSpan(text, from, breaks[index] ?? end) ?? [])
}

/**
 * Splits a sentence where its writer ended a line: the next line begins with a capital, and its first word
 * would still have fitted on the line before.
 */
function splitAtShortLines(
  text: string,
  span: TextSpan,
  lines: readonly TextSpan[],
): readonly TextSpan[] {
  const paragraphStart = text.lastIndexOf('\n\n', span.start) + 1
  const paragraphEnd = text.indexOf('\n\n', span.end)
  const paragraph = text.slice(paragraphStart, paragraphEnd < 0 ? text.length : paragraphEnd)
  const room = Math.max(...paragraph.split('\n').map((line) => line.length))
  const starts = lines.flatMap(({ start }, index) => {
    const before = lines[index - 1]
    if (before === undefined) return span.start
    const line = text.slice(text.lastIndexOf('\n', before.start) + 1, before.end)
    const first = /^\S+/.exec(text.slice(start))?.[0] ?? ''
    const isBroken =
      /^\p{Lu}/u.test(first) && !openEnd.test(line) && line.length + 1 + first.length <= room
    return isBroken ? start : []
  })
  return starts.flatMap(
    (start, index) => trimSpan(text, start, starts[index + 1] ?? span.end) ?? [],
  )
}

/** Whether a line is a label with its value: "Warranty: 3 years". */
export function isLabelledLine(text: string): boolean {
  return /^\p{L}[^\s:.!?]*(?: [^\s:.!?]+){0,3}: \S.{0,120}$/u.test(text)
}

/** A sentence without citation marks, link targets and emphasis. */
export function toQuotable(raw: string): string {
  return oneLine(raw)
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/\s?\[\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,8}\]/g, '')
    .replaceAll(/\*\*|__|(?<=\s|^)[*_](?=\S)|(?<=\S)[*_](?=[\s.,;:]|$)/g, '')
    .replace(/^(?:[-*+•>]|\d{1,3}[.)])\s+/, '')
    .trim()
}

const maxSentenceWords = 90

/** Whether a piece of a page is a sentence, and not a heading, table row, list of links, reference or fragment. */
export function isSentence(
  raw: string,
  text: string,
  words: readonly Word[],
  passage: ShownPassage,
): boolean {
  if (words.length > maxSentenceWords || /^\s*(?:#|\||>?\s*```)/.test(raw)) return false
  if (/^(?:https?:|doi:|www\.)/i.test(text) || isReference(text, passage)) return false
  if (words.length < 4) return words.length > 1 && isLabelledLine(text)
  const folded = fold(text)
  if (folded === fold(passage.title) || folded === fold(passage.section ?? '')) return false
  if (isTorn(text, words)) return false
  return endsSentence(text) || words.length >= 8 || isLabelledLine(text)
}

function endsSentence(text: string): boolean {
  return /[.!?…。！？]["'”’»)\]]*$/.test(text)
}

/** Whether a text begins and ends like a sentence. */
export function isCompleteSentence(text: string): boolean {
  return endsSentence(text) && !lowerStart.test(text)
}

/** Words that cannot end a sentence. */
const openEnd =
  /(?:[-‐–—,(]|\b(?:the|an?|of|that|which|and|or|to|with|by|for|from|is|are|was|were))[.\s]*$/i
const lowerStart = /^["'“‘(]*\p{Ll}[\p{Ll}'’]*[\s,.;:-]/u

/**
 * Whether a piece was cut by a page or line break, or mixed with a figure's labels: it ends in the middle, or
 * begins without a capital and has no end.
 */
function isTorn(text: string, words: readonly Word[]): boolean {
  if (/^(?:[\p{N}.,%±–-]+\s+){4}/u.test(text)) return true
  if (openEnd.test(text)) return !/\b(?:to|with|by|for|from|is|are|was|were|of)\.$/i.test(text)
  return words.length >= 4 && lowerStart.test(text) && !endsSentence(text)
}

const referenceSection =
  /^(?:\d+[.\s]+)?(?:references|bibliography|works cited|literature(?: cited)?)$/i
const referenceMark =
  /\bIn Proc(?:\.|eedings)|\bProceedings of the .*\b(?:19|20)\d{2}|\barXiv preprint|\barXiv:\s?\d|\bdoi:|\bpp?\.\s?\d|\bpages \d+\s?[-–]\s?\d+|\b\d+\s?\(\d+\)\s?:\s?\d+|\bet al\.,? (?:19|20)\d{2}[a-z]?\. /i
/** A list of authors: "J. Smith, A. Lee and" or "Smith, J., Lee, A.". */
const authorList =
  /^(?:(?:\p{Lu}\.[\s-]?){1,3}\p{Lu}[\p{L}'’-]+,? (?:and )?){2}|^(?:\p{Lu}[\p{L}'’-]+, (?:\p{Lu}\.[\s-]?){1,3},? (?:and |& )?){2}/u

function isReference(text: string, { section = '' }: ShownPassage): boolean {
  return referenceSection.test(section.trim()) || referenceMark.test(text) || authorList.test(text)
}
