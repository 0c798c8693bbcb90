/** A use of the outside world that stands where the run context is made, and why it may. */
export interface AllowedEffect {
  readonly path: string
  /** As the check names it: `Date.now`, `setTimeout`. */
  readonly use: string
  readonly reason: string
}

/** Every such use in the folders that workflows are made of. What is not here goes through the run context. */
export const allowedEffects: readonly AllowedEffect[] = [
  { path: 'src/kernel/run/clock.ts', use: 'Date.now', reason: 'the clock that a run context gets' },
  {
    path: 'src/kernel/run/clock.ts',
    use: 'setTimeout',
    reason: 'the waits that a run context gets',
  },
  {
    path: 'src/kernel/run/journal.ts',
    use: 'setImmediate',
    reason: 'gathers the events of one turn into one commit; nothing is decided by it',
  },
  {
    path: 'src/kernel/run/run-context.ts',
    use: 'setImmediate',
    reason:
      'lets signals and timers that are due be noticed between nodes; nothing is decided by it',
  },
  {
    path: 'src/kernel/step/step-attempt.ts',
    use: 'setTimeout',
    reason: 'the time limit of an attempt, whose outcome is recorded',
  },
  {
    path: 'src/kernel/run/deadline.ts',
    use: 'setTimeout',
    reason: 'the time limit of a model call, whose outcome is recorded',
  },
  {
    path: 'src/kernel/model/model-stream.ts',
    use: 'setTimeout',
    reason: 'notices that a model has fallen silent in its answer; the outcome is recorded',
  },
  {
    path: 'src/team/prompt-files.ts',
    use: 'node:fs',
    reason:
      'reads the prompts next to it, which are part of the program; their hashes are recorded',
  },
]
