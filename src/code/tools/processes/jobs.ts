import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ScholiumError } from '../../../kernel/errors.ts'
import { type JobState, type ProcessGroup, startGroup } from './process-group.ts'
import { type BoundedOutput, createBoundedOutput } from './process-output.ts'

export type { JobState } from './process-group.ts'

/** A session's background processes. */
export interface Jobs {
  /** Starts a command line in a folder and returns the job's id. @throws `tool_failed` if too many are running */
  start(command: string, folder: string, environment: Readonly<Record<string, string>>): string
  /** Ids of all jobs started so far, in order. */
  ids(): readonly string[]
  /** A job's state and its output since the last look. Waits up to `waitMs` milliseconds for its end or for output. */
  look(id: string, waitMs: number, signal: AbortSignal): Promise<JobLook | undefined>
  /** Ends a job with all processes of its group. Resolves when they are gone. */
  stop(id: string): Promise<JobState | undefined>
  /** Ends all jobs; after that, none can be started. */
  close(): Promise<void>
}

/** A look at a job. */
export type JobLook = {
  readonly command: string
  readonly state: JobState
  /** Output since the last look. */
  readonly output: string
  /** Bytes omitted because there were too many. */
  readonly droppedBytes: number
}

const maxRunning = 16
const maxOutputBytes = 30_000
const pollMs = 50

interface Job {
  readonly command: string
  readonly group: ProcessGroup
  readonly output: BoundedOutput
}

/** Creates a session's jobs. They end with this process, however it ends. */
export function createJobs(): Jobs {
  const jobs = new Map<string, Job>()
  // A resumed session has other jobs than before.
  const session = randomUUID().slice(0, 4)
  let isClosed = false
  return {
    start(command, folder, environment) {
      const running = [...jobs.values()].filter(({ group }) => group.state.status === 'running')
      if (isClosed) throw new ScholiumError('tool_failed', 'The session is over.')
      if (running.length >= maxRunning) {
        throw new ScholiumError('tool_failed', `${maxRunning} jobs are running already.`, {
          hint: 'Stop one with job_stop.',
        })
      }
      const output = createBoundedOutput(maxOutputBytes)
      const onOutput = (chunk: Uint8Array) => output.add(chunk)
      const id = `job-${session}-${jobs.size + 1}`
      jobs.set(id, {
        command,
        output,
        group: startGroup({ command, folder, environment, onOutput }),
      })
      return id
    },
    ids: () => [...jobs.keys()],
    async look(id, waitMs, signal) {
      const job = jobs.get(id)
      if (job === undefined) return undefined
      await waitForNews(job, waitMs, signal)
      const { text, droppedBytes } = job.output.take()
      return { command: job.command, state: job.group.state, output: text, droppedBytes }
    },
    async stop(id) {
      const job = jobs.get(id)
      await job?.group.kill()
      return job?.group.state
    },
    async close() {
      isClosed = true
      await Promise.all([...jobs.values()].map(({ group }) => group.kill()))
    },
  }
}

async function waitForNews({ group, output }: Job, waitMs: number, signal: AbortSignal) {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
    if (output.sizeBytes > 0 || group.state.status !== 'running') return
    await sleep(pollMs, null, { signal })
  }
}
