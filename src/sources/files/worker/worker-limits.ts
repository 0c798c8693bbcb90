import { availableParallelism } from 'node:os'

/** Maximum number of reading processes: one per core, at most four. */
export const maxProcesses = Math.min(4, availableParallelism())
/** Heap of a process in MB; as much again may be used outside it, for the file and its unpacked content. */
export const heapMb = 768
/**
 * A third of the young generation of a process's heap: with 8 MB reading papers takes 5 % more CPU time, with more it
 * takes no less.
 */
export const semiSpaceMb = 16
/** Total memory of a process, of which Node and a reader's libraries take about 100 MB. */
export const maxResidentMb = 2 * heapMb + 128
/** A process that holds more than this after a file is ended, so that the next file has the full amount. */
export const keptResidentMb = 512
/** Idle time after which a process is ended to free about 100 MB. Starting another takes about 0.2 s. */
export const idleMs = 5_000
/** A process is ended after its file once it was busy this long, because the system limits its total CPU time. */
export const maxBusyMs = 60_000
/** Time to start a process and load a reader's libraries, not counted for the file; usually 0.2 s. */
export const maxStartMs = 30_000
/** Maximum time a reader can ask for: a workbook of 100 MB. */
export const maxFileMs = 200_000
/** Interval of memory checks on a busy process. */
export const memoryCheckIntervalMs = 100
/** Maximum size of a reply without the text: a million headings. */
export const maxHeadBytes = 64_000_000
/** Maximum size of a text in UTF-8: readers stop at 20 million characters, after the page or chapter that reaches them. */
export const maxTextBytes = 100_000_000
