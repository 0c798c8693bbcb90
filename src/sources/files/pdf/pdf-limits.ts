/** Pages of one file that are read at most; a note says so when there are more. */
export const MAX_PAGES = 3_000
/** Time a page may take on average in files so long that the file's time limit would cut them short. */
export const MS_PER_PAGE = 20
/** The part of its time after which a reader gives what it has rather than be ended with nothing. */
export const SOFT_PART_OF_TIME = 0.85

/** How long a file with so many pages may take, in milliseconds. */
export function timeLimitMs(timeoutMs: number, pageCount: number): number {
  return Math.max(timeoutMs, Math.min(pageCount, MAX_PAGES) * MS_PER_PAGE)
}
