/** Where each line of a text starts. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line of an offset, from 1. */
export function lineAt(starts: readonly number[], offset: number): number {
  return lastAtOrBefore(starts, offset, (start) => start) + 1
}

/** The index of the last item at or before a place, of items in order; 0 where all are behind it. */
export function lastAtOrBefore<T>(
  items: readonly T[],
  place: number,
  placeOf: (item: T) => number,
): number {
  let low = 0
  let high = items.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (placeOf(items[middle] as T) <= place) low = middle
    else high = middle - 1
  }
  return low
}
