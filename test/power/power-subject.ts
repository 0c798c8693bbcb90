import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, type RunEvent, type RunStore } from '../../src/index.ts'
import { canonicalJson, resumeRun, ScholiumError, startRun } from '../../src/kernel/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { createQuickClock, FaultStore, type ScriptedModel } from '../../src/testing/index.ts'
import { appOptions, type Driver, Homes, questions, startTeamModel } from '../faults/ask-subject.ts'
import {
  isHonest,
  linesIn,
  type Posted,
  postExecution,
  postWorkflow,
  startPostModel,
} from '../faults/write-graph.ts'
import { DatabaseCopy } from './wal.ts'

/** What is cut off: a question with one of its drivers, or agents that write. */
export type PowerSubjectName = Exclude<Driver, 'sequential'> | 'post'

/** What the disk held at a cut, and what resuming from there gave. */
export interface Found {
  readonly events: readonly RunEvent[]
  readonly problems: readonly string[]
}

/** A run that is recorded whole, then found again as if the power had been cut anywhere in it. */
export class PowerSubject {
  private readonly name: PowerSubjectName
  private readonly homes = new Homes()
  private readonly folder = mkdtempSync(join(tmpdir(), 'scholium-power-'))
  private model: ScriptedModel | undefined
  private whole = ''
  private calls = 0
  private recorded: DatabaseCopy | undefined
  private shm = ''

  constructor(name: PowerSubjectName) {
    this.name = name
  }

  get copy(): DatabaseCopy {
    return this.recorded as DatabaseCopy
  }

  async open(): Promise<void> {
    await this.homes.prepare()
    if (this.name === 'scripted') this.model = await startTeamModel()
    if (this.name === 'post') this.model = await startPostModel()
    const home = this.homes.next()
    const path = join(home, 'runs.db')
    const store = openRunStore(path)
    // Its process is gone when the power comes back.
    this.whole = comparable(await this.start(home, new FaultStore(store)))
    this.calls = this.model?.requests.length ?? 0
    this.recorded = new DatabaseCopy(path)
    this.shm = join(this.folder, 'shm')
    copyFileSync(`${path}-shm`, this.shm)
    await store.close()
  }

  async close(): Promise<void> {
    await this.model?.close()
    this.homes.remove()
    rmSync(this.folder, { recursive: true })
  }

  /** The events that are read from a log of which only so much is on the disk. */
  async read(walBytes: number, withShm = false): Promise<readonly RunEvent[]> {
    const path = join(mkdtempSync(join(this.folder, 'cut-')), 'runs.db')
    this.copy.writeCut(path, walBytes)
    if (withShm) copyFileSync(this.shm, `${path}-shm`)
    const store = openRunStore(path)
    const events = await eventsOf(store)
    await store.close()
    return events
  }

  /** Resumes from a cut, and reports what is wrong. */
  async goOn(walBytes: number): Promise<Found> {
    const home = this.homes.next()
    this.copy.writeCut(join(home, 'runs.db'), walBytes)
    const store = openRunStore(join(home, 'runs.db'))
    try {
      const [run] = await store.list()
      const events = await eventsOf(store)
      const lines = this.name === 'post' ? writeBegunLines(home, events) : []
      const before = this.model?.requests.length ?? 0
      const result =
        run === undefined || events.length === 0
          ? await this.start(home, store)
          : await this.resume(home, store, run.runId)
      const made = (this.model?.requests.length ?? 0) - before
      const after = await eventsOf(store)
      return { events, problems: this.problems(home, events, after, result, made, lines) }
    } catch (error) {
      const problem =
        error instanceof ScholiumError ? `${error.code}: ${error.message}` : `${error}`
      return { events: [], problems: [problem] }
    } finally {
      await store.close()
      rmSync(home, { recursive: true })
    }
  }

  private problems(
    home: string,
    events: readonly RunEvent[],
    after: readonly RunEvent[],
    result: object,
    made: number,
    lines: readonly string[],
  ): readonly string[] {
    const isSame = comparable(result) === this.whole
    const isFine = isSame || (this.name === 'post' && isHonest(result as Posted))
    const paid = ({ type, data }: RunEvent) => type === 'step.done' && data.usage !== undefined
    const left = this.calls - (this.model === undefined ? 0 : events.filter(paid).length)
    const ends = after.flatMap(({ type, key }) => (type === 'step.done' ? [key] : []))
    const written = this.name === 'post' ? [...linesIn(join(home, 'lines.txt'))] : []
    return [
      ...(isFine ? [] : [`the result is another one: ${comparable(result).slice(0, 500)}`]),
      // An agent that is told of a write whose outcome is not known may ask less than before.
      ...(made === left || (made < left && lines.length > 0)
        ? []
        : [`${made} calls were made, where ${left} of ${this.calls} were left to make`]),
      ...(new Set(ends).size === ends.length ? [] : ['a step was finished twice']),
      ...written.flatMap(([line, count]) =>
        count > 1 ? [`"${line}" was written ${count} times`] : [],
      ),
    ]
  }

  private async start(home: string, store: RunStore): Promise<object> {
    if (this.name === 'post') {
      const runId = `post-${(await store.list()).length}`
      const workflow = postWorkflow(join(home, 'lines.txt'))
      return (await startRun(workflow, {}, runId, postExecution(store, this.url))).result
    }
    return this.inApp(home, store, (app) => app.ask({ question: questions[this.name as Driver] }))
  }

  private async resume(home: string, store: RunStore, runId: string): Promise<object> {
    if (this.name !== 'post') return this.inApp(home, store, (app) => app.resume(runId))
    const workflow = postWorkflow(join(home, 'lines.txt'))
    return (await resumeRun(workflow, runId, postExecution(store, this.url))).result
  }

  private async inApp(
    home: string,
    store: RunStore,
    drive: (app: ReturnType<typeof createApp>) => Promise<object>,
  ): Promise<object> {
    const options = appOptions(this.name as Driver, home, this.url)
    const app = createApp({ ...options, store, clock: createQuickClock() })
    return drive(app).finally(() => app.close())
  }

  private get url(): string {
    return this.model?.url ?? ''
  }
}

async function eventsOf(store: RunStore): Promise<readonly RunEvent[]> {
  const [run] = await store.list()
  return run === undefined ? [] : Array.fromAsync(store.events(run.runId))
}

/**
 * Leaves in the file what may have been written by then: each line whose writing had begun, for its beginning is on the disk
 * before it. Gives those of which the log does not know the end.
 */
function writeBegunLines(home: string, events: readonly RunEvent[]): readonly string[] {
  const begun = new Map<string, string>()
  const open = new Set<string>()
  for (const { type, key, data, output } of events) {
    if (!('effect' in data) || data.effect !== 'write') continue
    if (type === 'step.started') {
      begun.set(key, (output as { input: { line: string } }).input.line)
      open.add(key)
    } else open.delete(key)
  }
  writeFileSync(join(home, 'lines.txt'), [...begun.values()].map((line) => `${line}\n`).join(''))
  return [...open]
}

/** All but the run's id and its times. */
function comparable(result: object): string {
  const { runId: _runId, timings: _timings, ...rest } = result as Record<string, unknown>
  return canonicalJson(rest)
}
