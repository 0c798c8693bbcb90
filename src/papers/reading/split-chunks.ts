import { passageId, type SourceId } from '../../citations/source.ts'
import { splitSentences, trimSpan } from '../../claims/language/sentences.ts'
import type { TextSpan } from '../../sources/document.ts'
import type { TokenCounter } from '../../team/count-tokens.ts'
import type { Chunk, ChunkKind } from '../paper.ts'
import type { PageOfText, PaperLayout, PaperSection } from './paper-structure.ts'

/** Maximum tokens of a chunk, and of its overlap with the previous one. */
const maxTokens = 500
const overlapTokens = 50
/**
 * Maximum length of a chunk in UTF-16 code units, and of counted white space before a word: long runs of one character
 * are slow to tokenise.
 */
const maxUnits = 6_000
const maxSpaceUnits = 200
/** Words after this part of a full chunk are searched for a better place to end. */
const sectionEndFrom = 0.5
const endFrom = 0.6

/** What chunks are cut from. */
export interface ChunkSource {
  readonly sourceId: SourceId
  /** The snapshot's text. */
  readonly text: string
  readonly layout: PaperLayout
  /** The reference list; its chunks contain nothing else. */
  readonly references?: TextSpan | undefined
}

/** Raised whenever the same source is split differently. Chunks of one version are identical. */
export const cutVersion = 1

/** A chunk's span and kind, without text. */
export type CutChunk = {
  readonly start: number
  readonly end: number
  /** Where the part that the previous chunk does not have begins. */
  readonly added: number
  readonly tokens: number
  readonly kind: ChunkKind
}

/**
 * Splits a source into chunks, in reading order: each within one page, at most 500 tokens, ending at a section or
 * sentence if one ends near; neighbours on a page share up to 50 tokens of whole words. Together they omit white space
 * only.
 */
export function cutChunks(source: ChunkSource, countTokens: TokenCounter): readonly CutChunk[] {
  const { text, layout, references } = source
  return layout.pages.flatMap((page) =>
    splitAtReferences(page, references).flatMap((part) => {
      const words = splitWords(text, part, countTokens)
      return cutWords(source, words, countTokens).map((cut) => ({
        ...cut,
        kind: part.isReferences ? 'references' : classifyChunk(text.slice(cut.start, cut.end)),
      }))
    }),
  )
}

/** Adds pages and sections. A chunk's section is that of the part it adds to the previous one. */
export function placeChunks(
  { sourceId, layout }: ChunkSource,
  cuts: readonly CutChunk[],
): readonly Chunk[] {
  return cuts.map(({ added, start, end, tokens, kind }) => {
    const page = layout.pages.find((one) => one.start <= start && end <= one.end)?.page
    return {
      id: passageId(sourceId, start, end),
      start,
      end,
      ...(page === undefined ? {} : { page }),
      ...sectionAt(layout.sections, added),
      tokens,
      kind,
    }
  })
}

/** A part of a page that a chunk may be in. */
interface PagePart extends TextSpan {
  readonly isReferences: boolean
}

function splitAtReferences(
  page: PageOfText,
  references: TextSpan | undefined,
): readonly PagePart[] {
  if (references === undefined) return [{ ...page, isReferences: false }]
  const from = Math.min(Math.max(references.start, page.start), page.end)
  const to = Math.min(Math.max(references.end, page.start), page.end)
  return [
    { start: page.start, end: from, isReferences: false },
    { start: from, end: to, isReferences: true },
    { start: to, end: page.end, isReferences: false },
  ].filter(({ start, end }) => end > start)
}

/** A word with the white space before it, or a piece of a longer run without spaces. */
interface Word extends TextSpan {
  /** Of the word and the white space before it, counted alone; the sum approximates the count of the whole. */
  readonly tokens: number
}

/** Long words and scripts without spaces are split into pieces; no piece starts with a combining mark. */
const wordPattern =
  /(?:[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]\p{M}*){1,8}|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}])\S\p{M}{0,8}){1,40}/gu

function splitWords(text: string, part: TextSpan, countTokens: TokenCounter): readonly Word[] {
  const whole = trimSpan(text, part.start, part.end)
  if (whole === undefined) return []
  const slice = text.slice(whole.start, whole.end)
  let before = 0
  return [...slice.matchAll(wordPattern)].map(({ index, 0: word }) => {
    const end = index + word.length
    const tokens = countTokens(slice.slice(Math.max(before, index - maxSpaceUnits), end))
    before = end
    return { start: whole.start + index, end: whole.start + end, tokens }
  })
}

type Cut = Omit<CutChunk, 'kind'>

function cutWords(
  source: ChunkSource,
  words: readonly Word[],
  countTokens: TokenCounter,
): readonly Cut[] {
  const { text } = source
  const ends = findGoodEnds(source, words)
  const cuts: Cut[] = []
  let first = 0
  let added = 0
  while (added < words.length) {
    const start = (words[first] as Word).start
    let next = findChunkEnd(words, first, added, ends)
    let tokens = countTokens(text.slice(start, (words[next - 1] as Word).end))
    while (tokens > maxTokens && next - 1 > added) {
      next--
      tokens = countTokens(text.slice(start, (words[next - 1] as Word).end))
    }
    const end = (words[next - 1] as Word).end
    cuts.push({ start, end, added: (words[added] as Word).start, tokens })
    added = next
    first = findOverlapStart(words, { next, after: first }, countTokens, text)
  }
  return cuts
}

/** Ends of sentences, as offsets in the whole text. */
function findSentenceEnds(text: string, words: readonly Word[]): ReadonlySet<number> {
  const start = words[0]?.start ?? 0
  const sentences = splitSentences(text.slice(start, words.at(-1)?.end))
  return new Set(sentences.map(({ end }) => start + end))
}

/** Whether a chunk may well end before the word with this index. */
type GoodEnd = (cut: number) => boolean

/** Preferred ends of chunks: before a section, after a sentence, after a line (a table's row). */
function findGoodEnds({ text, layout }: ChunkSource, words: readonly Word[]): readonly GoodEnd[] {
  const sections = new Set(layout.sections.map(({ start }) => start))
  const sentences = findSentenceEnds(text, words)
  const [start, end] = [
    (cut: number) => words[cut]?.start ?? 0,
    (cut: number) => words[cut - 1]?.end ?? 0,
  ]
  return [
    (cut) => sections.has(start(cut)),
    (cut) => sentences.has(end(cut)),
    (cut) => text.slice(end(cut), start(cut)).includes('\n'),
  ]
}

/** The index after the chunk's last word: as many as fit, or fewer if there is a preferred end nearby. */
function findChunkEnd(
  words: readonly Word[],
  first: number,
  added: number,
  ends: readonly GoodEnd[],
): number {
  const next = findLastFitting(words, first, added)
  if (next === words.length) return next
  for (const [index, isGood] of ends.entries()) {
    const part = index === 0 ? sectionEndFrom : endFrom
    const from = Math.max(added + 1, first + Math.ceil(part * (next - first)))
    for (let cut = next; cut >= from; cut--) if (isGood(cut)) return cut
  }
  return next
}

/** The index after the last word that fits, at least one beyond the overlap. */
function findLastFitting(words: readonly Word[], first: number, added: number): number {
  const { start } = words[first] as Word
  let tokens = 0
  let next = first
  for (const word of words.slice(first, first + maxUnits)) {
    tokens += word.tokens
    if ((tokens > maxTokens || word.end - start > maxUnits) && next > added) break
    next++
  }
  return next
}

/** The first of the words before `next`, and after another, that together fit the overlap. */
function findOverlapStart(
  words: readonly Word[],
  { next, after }: { readonly next: number; readonly after: number },
  countTokens: TokenCounter,
  text: string,
): number {
  const end = (words[next - 1] as Word).end
  const endOfNext = words[next]?.end ?? end
  let first = next
  let tokens = 0
  while (first > after + 1) {
    const before = words[first - 1] as Word
    tokens += before.tokens
    if (tokens > overlapTokens || endOfNext - before.start > maxUnits) break
    first--
  }
  while (first < next && countTokens(text.slice((words[first] as Word).start, end)) > overlapTokens)
    first++
  return first
}

function sectionAt(sections: readonly PaperSection[], offset: number): { section?: string } {
  const section = sections.findLast(({ start }) => start <= offset)?.title
  return section === undefined ? {} : { section }
}

/** A chunk is a table if more than this share of its words is in rows, an equation if more than this share is formulas. */
const tablePart = 0.5
const equationPart = 0.5
/** Minimum words in a row; fewer say nothing. */
const minCells = 3
const minWords = 5

const number = /^[[(~±+−–-]?\$?\d[\d.,:/%±×–-]*[a-z%*†‡)\]]{0,3}$/iu
const mathSign = /[=<>≤≥≈≠±×·∑∏∫√∂∞∈∉∀∃∪∩⊂⊆→⇒↦∇∆‖∥|^_{}\\+−∗∼⊗⊕θαβγδεζηικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ]/u
/** One or two letters that stand for a quantity, with brackets and punctuation. */
const symbol = /^[([{]*\p{L}{1,2}[)\]},;.]*$/u
const smallWords: ReadonlySet<string> = new Set(
  'a i an as at be by do he if in is it me my no of on or so to up us we et al de la'.split(' '),
)

/** What most of a chunk's words belong to: sentences, table rows or formulas. */
export function classifyChunk(text: string): Exclude<ChunkKind, 'references'> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  let words = 0
  let inRows = 0
  let inFormulas = 0
  for (const line of lines) {
    const cells = line.trim().split(/\s+/)
    words += cells.length
    if (isRow(line, cells)) inRows += cells.length
    else inFormulas += formulaWords(cells)
  }
  if (words < minWords) return 'text'
  if (inRows > tablePart * words) return 'table'
  return inFormulas > equationPart * words ? 'equation' : 'text'
}

function isRow(line: string, cells: readonly string[]): boolean {
  if (/^\s*\|.*\|\s*$/.test(line)) return true
  const numbers = cells.filter((cell) => number.test(cell)).length
  return cells.length >= minCells && numbers >= 2 && numbers >= 0.4 * cells.length
}

function formulaWords(cells: readonly string[]): number {
  return cells.filter(
    (cell) => mathSign.test(cell) || (symbol.test(cell) && !smallWords.has(cell.toLowerCase())),
  ).length
}
