import type { Line } from './lines.ts'

/** What stands on fewer pages than this, or on a smaller part of them, in the same place is no running head. */
const MIN_PAGES = 3
const MIN_PART_OF_PAGES = 0.3
/** How far a running head's baseline may wander from page to page, in points. */
const PLACE_TOLERANCE_POINTS = 4
/** How many rows at the top and at the bottom of a page are looked at. */
const OUTER_ROWS = 2
/** A running head stands this many font sizes away from the text, at least. */
const MIN_DISTANCE_EM = 1.4

/**
 * The pages without running heads, running feet, page numbers and repeated stamps in the margin. Only what surely is one goes: the
 * same words in the same place on three pages and a third of all, which stay where they first stand, or a bare
 * number that counts with the pages. A page with nothing else stays whole.
 */
export function withoutRunningHeads(
  pages: readonly (readonly Line[])[],
): readonly (readonly Line[])[] {
  if (pages.length < MIN_PAGES) return pages
  const groups = new Map<string, Set<number>>()
  pages.forEach((lines, page) => {
    for (const line of outerLines(lines)) {
      for (const key of keysOf(line, page)) {
        const group = groups.get(key) ?? new Set()
        groups.set(key, group.add(page))
      }
    }
  })
  const isRepeated = (line: Line, page: number) =>
    keysOf(line, page).some((key) => {
      const group = groups.get(key) ?? new Set()
      if (key.startsWith('number')) return group.size >= MIN_PAGES
      const isFirst = group.values().next().value === page
      return !isFirst && group.size >= Math.max(MIN_PAGES, MIN_PART_OF_PAGES * pages.length)
    })
  return pages.map((lines, page) => {
    const repeated = new Set(outerLines(lines).filter((line) => isRepeated(line, page)))
    const kept = lines.filter((line) => !repeated.has(line))
    return kept.length === 0 ? lines : kept
  })
}

/** Stamps in the margin, and the rows at the top and the bottom that stand away from the rest. */
function outerLines(lines: readonly Line[]): Line[] {
  const upright = lines.filter((line) => !line.tilted)
  const downwards = rowsBy(upright, (one, other) => other.y - one.y)
  const upwards = rowsBy(upright, (one, other) => one.y - other.y)
  return [...lines.filter((line) => line.tilted), ...apart(downwards), ...apart(upwards)]
}

function rowsBy(lines: readonly Line[], order: (one: Line, other: Line) => number): Line[][] {
  const rows: Line[][] = []
  for (const line of [...lines].sort(order)) {
    const first = rows.at(-1)?.[0]
    if (first !== undefined && Math.abs(first.y - line.y) < 0.5 * first.size)
      rows.at(-1)?.push(line)
    else if (rows.length > OUTER_ROWS) break
    else rows.push([line])
  }
  return rows
}

function apart(rows: readonly Line[][]): Line[] {
  for (let count = OUTER_ROWS; count > 0; count--) {
    const [last, next] = [rows[count - 1]?.[0], rows[count]?.[0]]
    if (last === undefined || next === undefined) continue
    const isApart = Math.abs(last.y - next.y) > MIN_DISTANCE_EM * Math.max(last.size, next.size)
    if (isApart) return rows.slice(0, count).flat()
  }
  return []
}

/** Two neighbouring places a line may count for, so that rounding does not part what stands together. */
function keysOf(line: Line, page: number): string[] {
  const number = pageNumberIn(line.text)
  const said = number === undefined ? `words ${line.text}` : `number ${number - page}`
  const place = line.y / PLACE_TOLERANCE_POINTS
  return [Math.floor(place), Math.ceil(place)].map((row) => `${said} at ${row}`)
}

function pageNumberIn(text: string): number | undefined {
  const found =
    /^(?:page|p\.)?\s*[-–—|[(]?\s*(\d{1,4})\s*[-–—|\])]?(?:\s*(?:of|\/)\s*\d{1,4})?$/i.exec(text)
  return found === null ? undefined : Number(found[1])
}
