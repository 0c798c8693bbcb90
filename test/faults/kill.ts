import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '../../src/kernel/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import type { Counts, ScriptedModel } from '../../src/testing/index.ts'
import { type Homes, startTeamModel } from './ask-subject.ts'
import { quickStart } from './compile-cache.ts'
import { drivePart, type KillSubject } from './killed-run.ts'
import { isHonest, linesIn, type Posted, startPostModel } from './write-graph.ts'

/** Where a process is killed: after its `event`-th event; `isPaused`: standing still there, else wherever it has come to by then. */
export interface Kill {
  readonly event: number
  readonly isPaused: boolean
}

/** A run that nothing happened to. */
export interface CleanRun {
  readonly events: number
  readonly result: string
  readonly paidCalls: Counts
}

/** Who resumes a run: the process that had the other one killed, or a further process, which takes ten times as long. */
export type Resumer = 'this process' | 'a new process'

const child = fileURLToPath(new URL('./killed-child.ts', import.meta.url))

/** Runs a subject in a process of its own, to its end. */
export async function runClean(subject: KillSubject, homes: Homes): Promise<CleanRun> {
  return withModel(subject, async (model) => {
    const { events, result } = await drive(subject, homes.next(), model, [])
    if (result === undefined) throw new Error(`The clean run of ${subject} gave no result.`)
    return { events, result: comparable(result), paidCalls: new Map(model?.answered ?? []) }
  })
}

/** Kills a process with SIGKILL, has `resumer` resume its run, and says what was not as it should be. */
export async function killAndResume(
  subject: KillSubject,
  homes: Homes,
  clean: CleanRun,
  kill: Kill,
  resumer: Resumer,
): Promise<readonly string[]> {
  return withModel(subject, async (model) => {
    const home = homes.next()
    const killed = await drive(subject, home, model, [], kill)
    if (killed.result !== undefined && kill.isPaused) return ['it was not killed']
    const { status, isOver } = await endIn(home)
    // Its last event may have been stored together with the one at which it was killed.
    if (status !== (isOver ? 'answered' : 'interrupted'))
      return [`the killed run is shown as ${status}`]
    const result =
      resumer === 'a new process'
        ? (await drive(subject, home, model, ['--resume'])).result
        : await resumeHere(subject, home, model)
    if (result === undefined) return ['the resumption gave no result']
    const isSame = comparable(result) === clean.result
    const isFine = isSame || (subject === 'post' && isHonest(result as Posted))
    // Branches other than the stopped one have calls in progress.
    const beside = subject === 'scripted' ? 2 : 0
    const inFlight = subject === 'post' ? 3 : beside + (kill.isPaused ? 0 : 1)
    return [
      ...(isFine ? [] : [`the result is another one: ${comparable(result).slice(0, 1_000)}`]),
      ...repeatedCalls(clean, model?.answered ?? new Map(), inFlight),
      ...(subject === 'post' ? wrongLines(linesIn(join(home, 'lines.txt')), result as Posted) : []),
    ]
  })
}

/** As the new process gives it: read from text. */
async function resumeHere(
  subject: KillSubject,
  home: string,
  model: ScriptedModel | undefined,
): Promise<unknown> {
  const url = model?.url ?? '-'
  return JSON.parse(JSON.stringify(await drivePart({ subject, home, url, isResumed: true })))
}

/** How the home's last run is shown, and whether its log has an end. */
async function endIn(home: string): Promise<{ status: string | undefined; isOver: boolean }> {
  const store = openRunStore(join(home, 'runs.db'))
  const [run] = await store.list({ limit: 1 })
  const events = run ? await Array.fromAsync(store.events(run.runId)) : []
  await store.close()
  return { status: run?.status, isOver: events.some(({ type }) => type === 'run.finished') }
}

async function withModel<T>(
  subject: KillSubject,
  work: (model: ScriptedModel | undefined) => Promise<T>,
): Promise<T> {
  const model =
    subject === 'extractive'
      ? undefined
      : await (subject === 'post' ? startPostModel() : startTeamModel())
  try {
    return await work(model)
  } finally {
    await model?.close()
  }
}

/** Drives one process to its end or to its death; the number of events it reported, and its result. */
async function drive(
  subject: KillSubject,
  home: string,
  model: ScriptedModel | undefined,
  more: readonly string[],
  kill?: Kill,
): Promise<{ events: number; result: unknown }> {
  const pause = kill?.isPaused ? ['--pause-after', String(kill.event)] : []
  const args = [child, subject, home, model?.url ?? '-', ...more, ...pause]
  const started = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: quickStart,
  })
  const closed = once(started, 'close')
  let [events, result]: [number, unknown] = [0, undefined]
  for await (const line of createInterface({ input: started.stdout as Readable })) {
    if (line.startsWith('event ') && ++events === kill?.event) started.kill('SIGKILL')
    if (line.startsWith('result ')) result = JSON.parse(line.slice('result '.length))
  }
  await closed
  return { events, result }
}

/** All but the run's id and its times. */
function comparable(result: unknown): string {
  const { runId: _runId, timings: _timings, ...rest } = result as Record<string, unknown>
  return canonicalJson(rest)
}

function repeatedCalls(clean: CleanRun, answered: Counts, inFlight: number): readonly string[] {
  const extra = [...answered].reduce(
    (sum, [body, count]) => sum + Math.max(0, count - Math.max(1, clean.paidCalls.get(body) ?? 0)),
    0,
  )
  return extra <= inFlight
    ? []
    : [`${extra} paid calls were made again, ${inFlight} at most could be`]
}

/** Lines that were written twice, and lines that are not there though their agent says that they were written. */
function wrongLines(lines: Counts, { items }: Posted): readonly string[] {
  const repeated = [...lines].filter(([, count]) => count > 1)
  const told = items.flatMap((item) => /^(.*) done$/.exec(item)?.[1] ?? [])
  return [
    ...repeated.map(([line, count]) => `"${line}" was written ${count} times`),
    ...told.filter((line) => !lines.has(line)).map((line) => `"${line}" was not written`),
  ]
}
