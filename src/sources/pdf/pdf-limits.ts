/** Pages of one file that are read at most; a note says so when there are more. */
export const MAX_PAGES = 3_000
/** UTF-16 code units of one file's text that are read at most. */
export const MAX_TEXT_UNITS = 20_000_000
/** Files are read by this many workers at once at most. */
export const MAX_WORKERS = 2
/** A worker's heap, and as much again for what lies outside it: the file and its unpacked streams. */
export const WORKER_MEMORY_MB = 768
/** How often a busy worker's memory is looked at. */
export const MEMORY_CHECK_INTERVAL_MS = 100
/** Time a page may take on average in files so long that the file's time limit would cut them short. */
export const MS_PER_PAGE = 20
/** The part of its time after which a worker gives what it has rather than be ended with nothing. */
export const SOFT_PART_OF_TIME = 0.85

/** How long a file with so many pages may take, in milliseconds. */
export function timeLimitMs(timeoutMs: number, pageCount: number): number {
  return Math.max(timeoutMs, Math.min(pageCount, MAX_PAGES) * MS_PER_PAGE)
}
