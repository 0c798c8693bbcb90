/** A slice of a text. */
export interface Slice {
  readonly start: number
  readonly end: number
}

/** Two marks that belong together: of emphasis, brackets, quotation. */
export interface MarkPair {
  readonly opening: Slice
  readonly closing: Slice
}

interface Open {
  readonly start: number
  end: number
}

const mark =
  /\\.|(?<!`)(`+)(?!`)[^`]+\1(?!`)|\]\([^()\s]*(?:\s"[^"\n]*")?\)|\*{1,3}|_{1,3}|~~|[()[\]“”]/gsu
/** Where no mark reaches over: a blank line, a list item, a row, a heading. */
const blockStart = /^[\s>]*(?:$|(?:[-*+•]|\d{1,9}[.)])\s|[|#])/
const partners: Readonly<Record<string, string>> = { ')': '(', ']': '[', '”': '“' }

/** The paired marks of a Markdown text, within each paragraph. What is in code or in a link's target is none. */
export function pairedMarks(text: string): readonly MarkPair[] {
  const pairs: MarkPair[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at) + 1 || text.length + 1
    if (at > start && blockStart.test(text.slice(at, next - 1))) {
      pairsWithin(text.slice(start, at), start, pairs)
      start = at
    }
    at = next
  }
  pairsWithin(text.slice(start), start, pairs)
  return pairs
}

function pairsWithin(block: string, offset: number, pairs: MarkPair[]): void {
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
