/** How a process ended, or that it has not. */
export type JobState =
  | { readonly status: 'running' }
  | { readonly status: 'exited'; readonly exitCode: number }
  | { readonly status: 'killed'; readonly signal: string }
  | { readonly status: 'failed'; readonly detail: string }

/** The processes that a session has in the background. */
export interface Jobs {
  /** Starts a command line in a folder. Gives the job's id. */
  start(command: string, folder: string, environment: Readonly<Record<string, string>>): string
  /** The ids of all that were started, in order. */
  ids(): readonly string[]
  /** Its state and what it printed since the last look; waits for that many milliseconds at most for an end or for output. */
  look(id: string, waitMs: number, signal: AbortSignal): Promise<JobLook | undefined>
  /** Ends a job and all processes of its group. Resolves when they are gone. */
  stop(id: string): Promise<JobState | undefined>
  /** Ends all of them; after it no job can be started. */
  close(): Promise<void>
}

/** What is seen of a job. */
export interface JobLook {
  readonly command: string
  readonly state: JobState
  /** What was printed since the last look. */
  readonly output: string
  /** Bytes of it that were left out because there were too many. */
  readonly droppedBytes: number
}
