import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ScholiumError } from '../../../kernel/errors.ts'
import { type JobState, type ProcessGroup, startGroup } from './process-group.ts'
import { type BoundedOutput, createBoundedOutput } from './process-output.ts'

export type { JobState } from './process-group.ts'

/** The processes that a session has in the background. */
export interface Jobs {
  /** Starts a command line in a folder. Gives the job's id. @throws `tool_failed` when there are too many */
  start(command: string, folder: string, environment: Readonly<Record<string, string>>): string
  /** The ids of all that were started, in order. */
  ids(): readonly string[]
  /** Its state and what it printed since the last look; waits for that many milliseconds at most for its end or for output. */
  look(id: string, waitMs: number, signal: AbortSignal): Promise<JobLook | undefined>
  /** Ends a job and all processes of its group. Resolves when they are gone. */
  stop(id: string): Promise<JobState | undefined>
  /** Ends all of them; after it no job can be started. */
  close(): Promise<void>
}

/** What is seen of a job. */
export type JobLook = {
  readonly command: string
  readonly state: JobState
  /** What was printed since the last look. */
  readonly output: string
  /** Bytes of it that were left out because there were too many. */
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

/** The background of one session. It ends with this process, however that ends. */
export function createJobs(): Jobs {
  const jobs = new Map<string, Job>()
  // A session that was taken up again has other jobs than before.
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
