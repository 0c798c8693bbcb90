import { countColumns, cut, pad } from './text.ts'

/**
 * Formats rows as columns. The last column gets the remaining width and is cut to it; without a width nothing is cut.
 */
export function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | undefined,
  shorten: (text: string, columns: number) => string = cut,
): readonly string[] {
  const all = [header, ...rows]
  const widths = header.map((_, index) =>
    Math.max(...all.map((row) => countColumns(row[index] ?? ''))),
  )
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0)
  const room = columns === undefined ? Infinity : Math.max(10, columns - before)
  return all.map((row) => {
    const cells = row.map((cell, index) =>
      index < row.length - 1 ? pad(cell, widths[index] ?? 0) : shorten(cell, room),
    )
    return cells.join('  ').trimEnd()
  })
}
