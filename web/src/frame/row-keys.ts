import type { KeyboardEvent } from 'react'

/** A list of which only the visible rows are there. */
interface VirtualRows {
  readonly scrollElement: Element | null
  scrollToIndex(index: number): void
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 15,
  PageUp: -15,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * Moves the focus through the rows of a long list, on arrows, Page up and down, Home and End.
 * @param count of all rows
 * @param what of a row gets the focus; rows have their index as `data-index`
 */
export function moveThroughRows(
  event: KeyboardEvent,
  rows: VirtualRows,
  count: number,
  what = (row: HTMLElement): HTMLElement | null => row,
): void {
  const step = steps[event.key]
  const row = (event.target as Element).closest<HTMLElement>('[data-index]')
  if (step === undefined || row === null) return
  event.preventDefault()
  const index = Math.min(Math.max(0, Number(row.dataset.index) + step), count - 1)
  rows.scrollToIndex(index)
  const find = () =>
    rows.scrollElement?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? undefined
  const there = find()
  if (there !== undefined) what(there)?.focus()
  // A row far away is there after the list was scrolled.
  else setTimeout(() => what(find() ?? row)?.focus(), 50)
}
