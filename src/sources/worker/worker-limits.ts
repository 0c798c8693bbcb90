/** Files are read by this many workers at once at most. */
export const MAX_WORKERS = 2
/** A worker's heap, and as much again for what lies outside it: the file and what is unpacked of it. */
export const WORKER_MEMORY_MB = 768
/** The part of a worker's heap for what is new. Of V8's own choice a worker that reads papers has 90 MB, and so it has 50, as fast. */
export const WORKER_YOUNG_MB = 24
/** After this time without a file a worker is ended, and gives back its memory, some 60 MB. Another starts in 0.3 s as a rule. */
export const IDLE_WORKER_MS = 1_000
/** How often a busy worker's memory is looked at. */
export const MEMORY_CHECK_INTERVAL_MS = 100
/** Time that a worker may take to start and to load a reader's libraries, which is no fault of the file: 0.3 s as a rule. */
export const MAX_START_MS = 30_000
