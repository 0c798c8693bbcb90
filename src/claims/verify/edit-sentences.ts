import { readStoredBlocks } from '../../citations/markup/stored-text.ts'
import { splitClaims } from '../check/parse-claims.ts'
import { type LeftMarks, removeText, replaceText } from './remove-text.ts'

/** How one sentence of an answer changes. */
export interface SentenceEdit extends Slice {
  /** `null` removes the sentence. */
  readonly replacement: string | null
}

/** An edited answer. */
export interface EditedAnswer {
  readonly text: string
  /** Sentences that had to be removed along with others. */
  readonly lost: readonly string[]
}

/**
 * Replaces or removes sentences of a Markdown answer and changes nothing else. List items, paragraphs and rows that become
 * empty are removed with their marks, and so are headers of tables without rows; nested content stays, and no emphasis or
 * bracket is left unpaired. If the result does not contain exactly the remaining sentences, their whole paragraph is
 * removed; if even that fails, each remaining sentence becomes a paragraph.
 */
export function editSentences(answer: string, edits: readonly SentenceEdit[]): EditedAnswer {
  const whole = applyEdits(answer, edits)
  if (keepsOthers(answer, edits, whole)) return { text: whole, lost: [] }
  const safe = [...groupByParagraph(answer, edits)].flatMap(([paragraph, own]) =>
    keepsOthers(answer, own, applyEdits(answer, own))
      ? own
      : [{ ...paragraphAt(answer, paragraph), replacement: null }],
  )
  const shorter = applyEdits(answer, safe)
  const wanted = listExpected(answer, edits)
  // As a last resort, each remaining sentence becomes a paragraph.
  const isSafe = keepsOthers(answer, safe, shorter)
  const text = isSafe ? shorter : wanted.map((one) => one.replace(/\s*\n[\s>]*/g, ' ')).join('\n\n')
  return { text, lost: findMissing(wanted, text) }
}

/** Removals that take along what would lose its meaning, and the sentences taken along. */
export interface WidenedEdits {
  readonly edits: readonly SentenceEdit[]
  readonly lost: readonly string[]
}

/**
 * Widens removals of sentences so that nothing remains that means something else without them: in a list item, the whole item
 * with what is nested in it; in a paragraph of which no sentence remains, its run-in heading, too.
 */
export function widenRemovals(answer: string, edits: readonly SentenceEdit[]): WidenedEdits {
  const claims = splitClaims(answer)
  const removed = edits.filter(({ replacement }) => replacement === null)
  const isRemoved = (claim: Slice) =>
    removed.some(({ start, end }) => start <= claim.start && claim.end <= end)
  const wider = removed.flatMap((edit) => {
    const paragraph = paragraphAt(answer, edit.start)
    const item = itemAt(answer, paragraph.start)
    if (item !== undefined) return [item]
    const own = claims.filter(({ start, end }) => paragraph.start <= start && end <= paragraph.end)
    return own.length > 0 && own.every(isRemoved) ? [paragraph] : []
  })
  const whole = wider.filter(
    (one) => !wider.some((other) => other !== one && contains(other, one) && !contains(one, other)),
  )
  const unique = whole.filter(
    ({ start }, index) => whole.findIndex((other) => other.start === start) === index,
  )
  const inside = (slice: Slice) => unique.some((one) => contains(one, slice))
  return {
    edits: [
      ...edits.filter((edit) => !inside(edit)),
      ...unique.map((slice) => ({ ...slice, replacement: null })),
    ],
    lost: claims.filter((claim) => inside(claim) && !isRemoved(claim)).map(({ text }) => text),
  }
}

function contains(outer: Slice, inner: Slice): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

/** A list item after its mark, with what is nested in it, whose text starts at `start`; `undefined` if none does. */
function itemAt(answer: string, start: number): Slice | undefined {
  const marks = answer.slice(findLineStart(answer, start), start)
  if (!/[-*+•]\s|\d[.)]\s/.test(marks)) return undefined
  const indent = /^[\s>]*/.exec(marks)?.[0].length ?? 0
  let end = findLineEnd(answer, start)
  for (let next = end + 1; next < answer.length; next = findLineEnd(answer, next) + 1) {
    const line = readLine(answer, next)
    const isNested = (/^[\s>]*/.exec(line)?.[0].length ?? 0) > indent
    if (line.trim() !== '' && !isNested && ownBlock.test(line)) break
    if (line.trim() !== '' && !isNested && answer.slice(end, next).trim() === '' && next > end + 1)
      break
    if (line.trim() !== '') end = next + line.length
  }
  return { start, end }
}

function applyEdits(answer: string, edits: readonly SentenceEdit[]): string {
  const pairs = pairMarks(answer)
  const merged = mergeRemovals(answer, edits)
  return merged.reduceRight((text, { start, end, replacement }) => {
    const left = findLeftMarks(answer, pairs, { start, end })
    return replacement === null
      ? removeText(text, start, end, left)
      : replaceText(text, start, end, replacement, left)
  }, answer)
}

/** The edits in order, with adjacent removals merged. */
function mergeRemovals(answer: string, edits: readonly SentenceEdit[]): readonly SentenceEdit[] {
  const merged: SentenceEdit[] = []
  for (const edit of [...edits].sort((one, other) => one.start - other.start)) {
    const last = merged.at(-1)
    const isNext =
      last?.replacement === null &&
      edit.replacement === null &&
      /^[^\S\n]*\n?[^\S\n]*$/.test(answer.slice(last.end, edit.start))
    if (isNext) merged[merged.length - 1] = { ...last, end: Math.max(last.end, edit.end) }
    else merged.push(edit)
  }
  return merged
}

/** Marks inside a slice whose partners are outside. */
function findLeftMarks(answer: string, pairs: readonly MarkPair[], slice: Slice): LeftMarks {
  const isIn = ({ start, end }: Slice) => slice.start <= start && end <= slice.end
  const written = ({ start, end }: Slice) => answer.slice(start, end)
  const closing = pairs.filter((pair) => isIn(pair.closing) && !isIn(pair.opening))
  const opening = pairs.filter((pair) => isIn(pair.opening) && !isIn(pair.closing))
  const inOrder = (one: Slice, other: Slice) => one.start - other.start
  return {
    closing: closing
      .map((pair) => pair.closing)
      .sort(inOrder)
      .map(written)
      .join(''),
    opening: opening
      .map((pair) => pair.opening)
      .sort(inOrder)
      .map(written)
      .join(''),
  }
}

/** The sentences expected after the edits, without marks and spacing. */
function listExpected(answer: string, edits: readonly SentenceEdit[]): readonly string[] {
  return splitClaims(answer).flatMap(({ start, end, text }) => {
    const edit = edits.find((one) => one.start < end && start < one.end)
    if (edit === undefined) return [text]
    return edit.replacement === null ? [] : [edit.replacement]
  })
}

/** Whether an edited answer has exactly the expected sentences, none of them newly inside a code block. */
function keepsOthers(answer: string, edits: readonly SentenceEdit[], text: string): boolean {
  const wanted = listExpected(answer, edits).map(bare)
  const found = splitClaims(text).map((claim) => bare(claim.text))
  if (wanted.length !== found.length || wanted.some((one, index) => one !== found[index]))
    return false
  const before = inCode(answer)
  return inCode(text).every((sentence) => before.includes(sentence))
}

function inCode(text: string): readonly string[] {
  const code = readStoredBlocks(text).spans.filter(({ kind }) => kind === 'code')
  return splitClaims(text).flatMap(({ text: said, start }) =>
    code.some((span) => span.start <= start && start < span.end) ? [bare(said)] : [],
  )
}

function findMissing(wanted: readonly string[], text: string): readonly string[] {
  const found = splitClaims(text).map((claim) => bare(claim.text))
  return wanted.filter((sentence) => {
    const at = found.indexOf(bare(sentence))
    if (at !== -1) found.splice(at, 1)
    return at === -1
  })
}

function bare(sentence: string): string {
  return sentence.replace(/[\s*_~()[\]“”"]+/g, '')
}

/** Groups edits by the start of their paragraph or list item. */
function groupByParagraph(
  answer: string,
  edits: readonly SentenceEdit[],
): ReadonlyMap<number, readonly SentenceEdit[]> {
  const groups = new Map<number, SentenceEdit[]>()
  for (const edit of edits) {
    const { start } = paragraphAt(answer, edit.start)
    groups.set(start, [...(groups.get(start) ?? []), edit])
  }
  return groups
}

const itemMarks = /^[\s>]*(?:(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)*/
const ownBlock = /^[\s>]*(?:$|(?:[-*+•]|\d{1,9}[.)])\s|[|#]|`{3}|~{3})/

/** The paragraph around an offset, after its marks. */
function paragraphAt(answer: string, at: number): Slice {
  let start = findLineStart(answer, at)
  while (start > 0 && !ownBlock.test(readLine(answer, start))) {
    const above = findLineStart(answer, start - 1)
    if (/^[\s>]*(?:$|[|#]|`{3}|~{3})/.test(readLine(answer, above))) break
    start = above
  }
  let end = start + readLine(answer, start).length
  while (end < answer.length && !ownBlock.test(readLine(answer, end + 1)))
    end += 1 + readLine(answer, end + 1).length
  const marks = itemMarks.exec(readLine(answer, start))?.[0].length ?? 0
  return { start: start + marks, end }
}

function findLineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

function findLineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function readLine(text: string, start: number): string {
  return text.slice(start, findLineEnd(text, start))
}

/** A half-open slice of a text. */
interface Slice {
  readonly start: number
  readonly end: number
}

/** Two marks that belong together: emphasis, brackets, quotation marks. */
interface MarkPair {
  readonly opening: Slice
  readonly closing: Slice
}

interface Open {
  readonly start: number
  end: number
}

const mark =
  /\\.|(?<!`)(`+)(?!`)[^`]+\1(?!`)|\]\([^()\s]*(?:\s"[^"\n]*")?\)|\*{1,3}|_{1,3}|~~|[()[\]“”]/gsu
/** Lines that marks do not span: a blank line, a list item, a row, a heading. */
const blockStart = /^[\s>]*(?:$|(?:[-*+•]|\d{1,9}[.)])\s|[|#])/
const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '”': '“' }

/** The paired marks of a Markdown text within each paragraph; none in code or link targets. */
function pairMarks(text: string): readonly MarkPair[] {
  const pairs: MarkPair[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at) + 1 || text.length + 1
    if (at > start && blockStart.test(text.slice(at, next - 1))) {
      collectPairs(text.slice(start, at), start, pairs)
      start = at
    }
    at = next
  }
  collectPairs(text.slice(start), start, pairs)
  return pairs
}

function collectPairs(block: string, offset: number, pairs: MarkPair[]): void {
  const open = new Map<string, Open[]>()
  const opened = (kind: string): Open[] => {
    const known = open.get(kind) ?? []
    open.set(kind, known)
    return known
  }
  const pair = (opening: Slice, start: number, end: number) =>
    pairs.push({
      opening: { start: opening.start + offset, end: opening.end + offset },
      closing: { start: start + offset, end: end + offset },
    })
  for (const { 0: all, index } of block.matchAll(mark)) {
    const [found] = all
    if (all.startsWith('](')) pairLink(opened('['), index, index + all.length, pair)
    else if (found === '(' || found === '[' || found === '“')
      opened(found).push({ start: index, end: index + 1 })
    else if (found !== undefined && partners[found] !== undefined)
      pairLink(opened(partners[found]), index, index + 1, pair)
    else if (found === '*' || found === '_' || found === '~')
      pairEmphasis(block, index, all, opened(found), pair)
  }
}

type Pair = (opening: Slice, start: number, end: number) => void

function pairLink(open: Open[], start: number, end: number, pair: Pair): void {
  const opening = open.pop()
  if (opening !== undefined) pair(opening, start, end)
}

function pairEmphasis(block: string, at: number, run: string, open: Open[], pair: Pair): void {
  const end = at + run.length
  const [before = ' ', after = ' '] = [block[at - 1], block[end]]
  const isWithin =
    run.startsWith('_') && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)
  if (isWithin) return
  let start = at
  if (/\S/.test(before)) {
    for (let top = open.at(-1); top !== undefined && start < end; top = open.at(-1)) {
      const length = Math.min(top.end - top.start, end - start)
      pair({ start: top.end - length, end: top.end }, start, start + length)
      start += length
      top.end -= length
      if (top.end === top.start) open.pop()
    }
  }
  if (start < end && /\S/.test(after)) open.push({ start, end })
}
