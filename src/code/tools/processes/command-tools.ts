import * as z from 'zod'
import { findHidden } from '../../../kernel/text/visible-text.ts'
import { type CodeTool, type CommandRule, declareCodeTool } from '../code-tool.ts'
import { type CodeWorkspace, failCall } from '../files/code-workspace.ts'
import { createCommandJudge, onlyReads } from '../shell/judge-command.ts'
import { createReadingEnvironment } from './command-environment.ts'
import type { JobLook, Jobs } from './jobs.ts'
import { createReadingGuard } from './reading-guard.ts'
import { type CommandOutcome, runCommand } from './run-command.ts'

/** What command tools need. */
export interface CommandToolOptions {
  readonly workspace: CodeWorkspace
  /** The workspace's folder, links unresolved. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly jobs: Jobs
  readonly rules: readonly CommandRule[]
}

const maxSeconds = 600
const defaultSeconds = 120

/** Some models give milliseconds. */
const seconds = z.coerce
  .number()
  .positive()
  .default(defaultSeconds)
  .transform((given) => Math.min(maxSeconds, given > 1_000 ? given / 1_000 : given))

/** A person asked about a line with invisible characters could not see what it does. */
const command = z
  .string()
  .min(1)
  .max(20_000)
  .refine((line) => findHidden(line) === undefined, {
    error: ({ input }) =>
      `The command holds a character that nobody sees: ${findHidden(String(input))}. Write it without, or as an escape: $'\\u00a0'.`,
  })
  .describe('The command line, for Bash.')

const bashInput = z.object({
  command,
  cwd: z.string().min(1).default('.').describe('The folder to begin in, from the workspace on.'),
  timeout_seconds: seconds.describe(
    `${defaultSeconds} unless told otherwise, at most ${maxSeconds}.`,
  ),
  background: z
    .boolean()
    .default(false)
    .describe('For servers and watchers: gives a job for job_output and job_stop at once.'),
})

/** Judges without looking at any file. */
const closedGuard = {
  begin: () => [],
  enter: () => undefined,
  objection: () => 'It is not looked at.',
}

type BashResult = (CommandOutcome & { readonly command: string }) | { readonly jobId: string }

/** Creates the tool that runs command lines. */
export function createBashTool(options: CommandToolOptions): CodeTool {
  const { workspace, jobs } = options
  const judge = createCommandJudge(options.rules, createReadingGuard(options))
  // A command's effect and its denial do not depend on the files it reads.
  const judgeUnread = createCommandJudge(options.rules, closedGuard)
  const environmentOf = (command: string) =>
    onlyReads(command) ? createReadingEnvironment(options.environment) : options.environment
  return declareCodeTool({
    name: 'bash',
    description:
      'Runs a command line in Bash, in the workspace, and gives what it prints and its exit code. It reads no input. Each call begins anew: `cd` and variables are not kept. What it leaves running is ended; use background for that.',
    input: bashInput,
    otherNames: {
      command: ['cmd', 'script'],
      timeout_seconds: ['timeout'],
      cwd: ['workdir', 'directory'],
    },
    effect: 'write',
    timeoutMs: (maxSeconds + 20) * 1_000,
    effectOf: ({ command, background }) => (background ? 'write' : judgeUnread(command).effect),
    judge: ({ command, cwd }) => {
      const { effect: _effect, ...judgement } = judge(command, cwd)
      return judgement
    },
    preview: async ({ command, background, cwd }) => {
      await workspace.place(cwd)
      const where = cwd === '.' ? '' : ` in ${cwd}`
      const title = `run${background ? ' in the background' : ''}${where}`
      return { title, command, paths: [], changes: [] }
    },
    async execute({ command, cwd, timeout_seconds, background }, run): Promise<BashResult> {
      const { verdict, reason } = judgeUnread(command, cwd)
      if (verdict === 'deny')
        failCall(`It was not run. ${reason}`, 'Do it in another way, or ask the person.')
      const { path: folder } = await workspace.place(cwd)
      const environment = environmentOf(command)
      if (background) return { jobId: jobs.start(command, folder, environment) }
      const { signal } = run
      const timeoutMs = timeout_seconds * 1_000
      const onTail = (output: string) => run.emit({ output })
      const start = { command, folder, environment, timeoutMs, signal, onTail }
      return { command, ...(await runCommand(start)) }
    },
    present: renderRun,
  })
}

function renderRun(result: BashResult): string {
  if ('jobId' in result)
    return `It runs as ${result.jobId}. See what it prints with job_output; end it with job_stop.`
  const { exitCode, endedBy, failure, isTimedOut, leftProcesses, output, durationMs } = result
  const end = isTimedOut
    ? 'It took too long and was ended.'
    : failure !== undefined
      ? `It could not be started: ${failure}`
      : endedBy !== undefined
        ? `It was ended by ${endedBy}.`
        : `Exit code ${exitCode}.`
  const left = leftProcesses ? ' Processes that it left behind were ended.' : ''
  return `${output.trimEnd() || '(it printed nothing)'}\n(${end} ${(durationMs / 1_000).toFixed(1)} s.${left})`
}

const jobId = z.string().min(1).describe('What bash gave: job-3fa9-1')

/** Creates the tool that shows the output of background jobs. */
export function createJobOutputTool(jobs: Jobs): CodeTool {
  return declareCodeTool({
    name: 'job_output',
    description:
      'Gives what a background job printed since the last look, and whether it still runs.',
    input: z.object({
      job_id: jobId,
      wait_seconds: z.coerce
        .number()
        .min(0)
        .max(60)
        .default(0)
        .describe('How long to wait for its end or for something new.'),
    }),
    otherNames: { job_id: ['id', 'job', 'jobId'] },
    effect: 'read',
    timeoutMs: 70_000,
    async execute({ job_id, wait_seconds }, { signal }): Promise<JobLook> {
      return (await jobs.look(job_id, wait_seconds * 1_000, signal)) ?? failNoSuchJob(jobs, job_id)
    },
    present: ({ output, state, command }: JobLook) =>
      `${output.trimEnd() || '(nothing new)'}\n(${command}: ${formatState(state)})`,
  })
}

/** Creates the tool that ends background jobs. */
export function createJobStopTool(jobs: Jobs): CodeTool {
  return declareCodeTool({
    name: 'job_stop',
    description: 'Ends a background job with all that it started.',
    input: z.object({ job_id: jobId }),
    otherNames: { job_id: ['id', 'job', 'jobId'] },
    effect: 'write',
    judge: () => ({ verdict: 'allow', reason: 'The session itself started it.', always: [] }),
    async execute({ job_id }): Promise<JobLook['state']> {
      return (await jobs.stop(job_id)) ?? failNoSuchJob(jobs, job_id)
    },
    present: (state: JobLook['state']) => `It is over: ${formatState(state)}.`,
  })
}

function failNoSuchJob(jobs: Jobs, id: string): never {
  const ids = jobs.ids()
  const known = ids.length > 0 ? `Jobs: ${ids.join(', ')}.` : 'There are none.'
  return failCall(`There is no job ${id}. ${known}`, 'Jobs end with the session that started them.')
}

function formatState(state: JobLook['state']): string {
  if (state.status === 'running') return 'running'
  if (state.status === 'exited') return `exit code ${state.exitCode}`
  return state.status === 'killed' ? `ended by ${state.signal}` : `failed: ${state.detail}`
}
