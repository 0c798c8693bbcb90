/** The line and the column, both from 1, of an offset in UTF-16 units. */
export function placeIn(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}
