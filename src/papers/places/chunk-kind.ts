import type { ChunkKind } from './paper.ts'

/** A chunk is a table when more than this part of its words stand in rows, an equation when more than that part is formula. */
const TABLE_PART = 0.5
const EQUATION_PART = 0.5
/** A row has this many words or more; fewer say nothing. */
const FEWEST_CELLS = 3
const FEWEST_WORDS = 5

const NUMBER = /^[[(~±+−–-]?\$?\d[\d.,:/%±×–-]*[a-z%*†‡)\]]{0,3}$/iu
const MATH_SIGN = /[=<>≤≥≈≠±×·∑∏∫√∂∞∈∉∀∃∪∩⊂⊆→⇒↦∇∆‖∥|^_{}\\+−∗∼⊗⊕θαβγδεζηικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ]/u
/** A letter or two that stand for a quantity, with what is around them. */
const SYMBOL = /^[([{]*\p{L}{1,2}[)\]},;.]*$/u
const SMALL_WORDS: ReadonlySet<string> = new Set(
  'a i an as at be by do he if in is it me my no of on or so to up us we et al de la'.split(' '),
)

/** What most of a chunk's words stand in: sentences, a table's rows or formulas. */
export function chunkKind(text: string): Exclude<ChunkKind, 'references'> {
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
  if (words < FEWEST_WORDS) return 'text'
  if (inRows > TABLE_PART * words) return 'table'
  return inFormulas > EQUATION_PART * words ? 'equation' : 'text'
}

function isRow(line: string, cells: readonly string[]): boolean {
  if (/^\s*\|.*\|\s*$/.test(line)) return true
  const numbers = cells.filter((cell) => NUMBER.test(cell)).length
  return cells.length >= FEWEST_CELLS && numbers >= 2 && numbers >= 0.4 * cells.length
}

function formulaWords(cells: readonly string[]): number {
  return cells.filter(
    (cell) => MATH_SIGN.test(cell) || (SYMBOL.test(cell) && !SMALL_WORDS.has(cell.toLowerCase())),
  ).length
}
