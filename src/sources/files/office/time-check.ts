/** The part of its time after which the rest of a document is left rather than all of it lost. */
const SOFT_PART_OF_TIME = 0.85

/** Tells whether most of a file's time, counted from now, is up. */
export function createTimeCheck(limitMs: number): () => boolean {
  const startedAt = performance.now()
  return () => performance.now() - startedAt > SOFT_PART_OF_TIME * limitMs
}

/** What is noted of a document of which the rest was left. */
export function timeUpNote(read: string): string {
  return `only ${read} read: the time limit per file was reached`
}
