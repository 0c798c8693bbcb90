import { type Passage, passageId, type SourceId } from '../citations/source.ts'
import { splitSentences, type TextSpan, trimSpan } from '../claims/language/sentences.ts'
import type { Document } from '../sources/document.ts'
import { findChartTicks, isChartTicks } from './chart-ticks.ts'

/** The maximum length of a passage, in words as {@link scanWords} counts them. */
const maxWords = 220
/** The maximum length of a table with its caption, which stay together up to this. */
const maxTableWords = 400
/** The length of the parts of a sentence that is longer than a passage. */
const goalWords = 170

/**
 * Splits a document into passages in reading order: about 120 to 220 words, ending at sentences and, if possible,
 * paragraphs; shorter only if a page or section is, and up to {@link maxTableWords} for a table with its header and caption.
 * Ticks of charts are passages of their own. Each is within one page and one section, its text is the exact slice of the
 * document's, and together they omit only white space.
 */
export function splitPassages(document: Document, sourceId: SourceId): Passage[] {
  const { text, pages, sections } = document
  const passages: Passage[] = []
  const cuts = findHardCuts(document)
  let page = 0
  let section = -1
  for (let index = 0; index + 1 < cuts.length; index++) {
    const start = cuts[index] as number
    while (page < pages.length && (pages[page] as TextSpan).end <= start) page++
    while (section + 1 < sections.length && (sections[section + 1]?.start ?? 0) <= start) section++
    const onPage = page < pages.length && (pages[page] as TextSpan).start <= start
    const heading = sections[section]?.title
    for (const span of splitSection(text, start, cuts[index + 1] as number)) {
      passages.push({
        id: passageId(sourceId, span.start, span.end),
        sourceId,
        ...span,
        ...(onPage ? { page: page + 1 } : {}),
        ...(heading === undefined ? {} : { section: heading }),
        text: text.slice(span.start, span.end),
      })
    }
  }
  return passages
}

/** Whether a passage is layout rather than text: ticks of charts, or a page number. */
export function isLayout({ text }: Pick<Passage, 'text'>): boolean {
  return pageNumber.test(text) || isChartTicks(text)
}

const pageNumber = /^\s*[-–—]?\s*\d{1,5}\s*[-–—]?\s*$/

/** Whether a passage consists of headings, links or layout, which say where something is said rather than what. */
export function isSignpost({ text, section = '' }: Passage): boolean {
  if (isLayout({ text })) return true
  const isHeading = (line: string): boolean =>
    line.length < section.length + 16 && bareWords(line) === bareWords(section)
  return text.split('\n').every((line) => signpostLine.test(line) || isHeading(line))
}

/** A blank line, a Markdown heading, or a link on its own, in a list or not. */
const signpostLine =
  /^\s*(?:|#{1,6}\s.*|(?:[-*+•]|\d{1,3}[.)])?\s*\[[^\]\n]{1,200}\]\([^)\s]{1,500}\))\s*$/

function bareWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The offsets that no passage may cross, in order, including both ends of the text. */
function findHardCuts({ kind, text, pages, sections }: Document): readonly number[] {
  const cuts = new Set([0, text.length])
  const add = (offset: number): void => {
    if (offset > 0 && offset < text.length) cuts.add(offset)
  }
  for (const page of pages) {
    add(page.start)
    add(page.end)
  }
  for (const section of sections) add(section.start)
  if (kind === 'pdf') {
    for (const ticks of findChartTicks(text, 0, text.length)) {
      add(ticks.start)
      add(ticks.end)
    }
  }
  return [...cuts].sort((left, right) => left - right)
}

/** The passages of a part of the text without page or section breaks. */
function splitSection(text: string, start: number, end: number): readonly TextSpan[] {
  const whole = trimSpan(text, start, end)
  if (whole === undefined) return []
  const { words } = scanWords(text, whole.start, whole.end, Number.POSITIVE_INFINITY)
  return words <= maxWords ? [whole] : packUnits(joinTables(text, readUnits(text, whole)), words)
}

/** A sentence, or a part of one that is too long for a passage. */
interface Unit extends TextSpan {
  readonly words: number
  readonly endsParagraph: boolean
}

function readUnits(text: string, stretch: TextSpan): readonly Unit[] {
  const units: Unit[] = []
  const sentences = splitSentences(text.slice(stretch.start, stretch.end))
  for (const [index, sentence] of sentences.entries()) {
    const start = stretch.start + sentence.start
    const end = stretch.start + sentence.end
    const next = stretch.start + (sentences[index + 1]?.start ?? sentence.end)
    const endsParagraph = /\n\s*\n/.test(text.slice(end, next))
    for (const part of splitLong(text, start, end)) {
      const { words } = scanWords(text, part.start, part.end, Number.POSITIVE_INFINITY)
      units.push({ ...part, words, endsParagraph: endsParagraph && part.end === end })
    }
  }
  return units
}

const caption = /^(?:table|tab\.)\s{0,2}[A-Z]?\d{1,3}(?:\.\d{1,2})?\s?[:.|–-]/i
const maxRowWords = 40

/** The units with each table and its caption, above or below, as one, unless that is too long. */
function joinTables(text: string, units: readonly Unit[]): readonly Unit[] {
  const joined: Unit[] = []
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as Unit
    if (!caption.test(text.slice(unit.start, unit.end))) {
      joined.push(unit)
      continue
    }
    const above = countRows(text, joined.toReversed())
    const below = above > 0 ? 0 : countRows(text, units.slice(index + 1))
    const table = [...joined.slice(joined.length - above), ...units.slice(index, index + 1 + below)]
    const words = table.reduce((sum, part) => sum + part.words, 0)
    if (table.length === 1 || words > maxTableWords) {
      joined.push(unit)
      continue
    }
    const [first, last] = [table[0] as Unit, table.at(-1) as Unit]
    joined.splice(joined.length - above, above, {
      start: first.start,
      end: last.end,
      words,
      endsParagraph: last.endsParagraph,
    })
    index += below
  }
  return joined
}

/** How many units, from the first on, are rows of a table: short, without a sentence's end, some with two numbers. */
function countRows(text: string, units: readonly Unit[]): number {
  const end = units.findIndex(({ start, end, words }) => {
    const row = text.slice(start, end)
    return words > maxRowWords || /[.!?:;,]["')\]]?$/.test(row) || caption.test(row)
  })
  const rows = end < 0 ? units : units.slice(0, end)
  const hasNumbers = rows.some(({ start, end }) => /\d(?:.*\D)\d/s.test(text.slice(start, end)))
  return hasNumbers ? rows.length : 0
}

/** Splits into parts of at most {@link goalWords} words, between words or inside very long ones. */
function splitLong(text: string, start: number, end: number): readonly TextSpan[] {
  if (scanWords(text, start, end, maxWords).words <= maxWords) return [{ start, end }]
  const parts: TextSpan[] = []
  let from = start
  while (from < end) {
    const to = scanWords(text, from, end, goalWords).index
    const part = trimSpan(text, from, to)
    if (part !== undefined) parts.push(part)
    from = to
  }
  return parts
}

/** Packs units into passages of about equal length, ending with a paragraph if one is near. */
function packUnits(units: readonly Unit[], totalWords: number): readonly TextSpan[] {
  const spans: TextSpan[] = []
  let first: Unit | undefined
  let last: Unit | undefined
  let words = 0
  let wordsLeft = totalWords
  const close = (): void => {
    if (first === undefined || last === undefined) return
    spans.push({ start: first.start, end: last.end })
    wordsLeft -= words
    first = undefined
    words = 0
  }
  for (const unit of units) {
    const goal = wordsLeft / Math.max(1, Math.ceil(wordsLeft / maxWords))
    const isFull = words + unit.words > maxWords || words + unit.words / 2 > goal
    const isNearBreak = last?.endsParagraph === true && words >= goal * 0.7
    if (isFull || isNearBreak) close()
    first ??= unit
    last = unit
    words += unit.words
  }
  close()
  return spans
}

/** The maximum length of a word in characters; a longer one counts as several. */
const maxWordChars = 24

/**
 * Counts words from `start` to `end` or to one more than `most`; `index` is where it stopped. A character of a script
 * without spaces counts as half a word.
 */
function scanWords(
  text: string,
  start: number,
  end: number,
  most: number,
): { words: number; index: number } {
  let words = 0
  let room = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (isSpace(code)) {
      room = 0
      continue
    }
    const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff
    if (room <= 0 && !isLowSurrogate) {
      if (words === most) return { words: words + 1, index }
      words++
      room = maxWordChars
    }
    room -= isUnspacedScript(code) ? maxWordChars / 2 : 1
  }
  return { words, index: end }
}

function isSpace(code: number): boolean {
  return code <= 32 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

/** Thai, Lao, kana and Han, which are written without spaces between words. */
function isUnspacedScript(code: number): boolean {
  return (code >= 0xe00 && code <= 0xeff) || (code >= 0x3040 && code <= 0x9fff)
}
