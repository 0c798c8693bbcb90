import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunEvent } from '../../src/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine } from '../cli/command.ts'
import { type Serving, serve, whenListening } from '../cli/serving.ts'
import { readEvents, type WireEvent } from '../server/served-app.ts'
import { eventfulTeam, type Homes } from './ask-subject.ts'

/** Where a server is killed: when its streams have brought so many stored events, or its model has been called so often. */
export interface ServerKill {
  readonly after: number
  readonly of: 'events' | 'calls'
}

/** How often the model was asked what. */
type Counts = ReadonlyMap<string, number>

/** Runs of a server that nothing happened to. */
export interface CleanRuns {
  readonly events: number
  readonly calls: Counts
  readonly answers: readonly string[]
}

/** The outcome of a kill. Calls are those of the model. */
export interface KillOutcome {
  readonly problems: readonly string[]
  /** Calls whose end was in the log at the kill. */
  readonly finished: number
  /** Calls that had begun by the log at the kill, and had no end there. */
  readonly inFlight: number
  /** Calls that were made again. */
  readonly repeated: number
}

/** The first one waits for the approval of its plan; two are executed at once. */
const questions = ['one', 'two', 'three', 'four'].map(
  (which) => `What is glimmerstone, for reader ${which}?`,
)
const maxRuns = 2

/** A run has two research steps at once, with a call each. */
const maxInFlight = maxRuns * 2

/** So long that a call is in flight at most moments. */
const callMs = 20

/** No server takes so long, however slow the machine is. */
const hangMs = 120_000

/** Points over all of the runs, every second one at a call. */
export function spreadKills(clean: CleanRuns, count: number): readonly ServerKill[] {
  const calls = sum(clean.calls)
  return Array.from({ length: count }, (_, index) => {
    const of = index % 2 === 0 ? 'events' : 'calls'
    const all = of === 'events' ? clean.events : calls
    return { after: 1 + Math.floor(((index + 0.5) / count) * (all - 1)), of }
  })
}

/** Has a server execute the runs to their end. */
export async function serveClean(homes: Homes): Promise<CleanRuns> {
  return withServers(homes.next(), async ({ model, start }) => {
    const server = await start()
    const readers = await startRuns(server)
    model.letGo()
    await bringToEnd(server, readers)
    await server.end('SIGTERM')
    return {
      events: readers.reduce((count, { events }) => count + events.length, 0),
      calls: model.calls(),
      answers: readers.map(({ answer }) => answer),
    }
  })
}

/** Kills a server with SIGKILL, starts it again on the same home, and says what was not as it should be. */
export async function killServer(
  homes: Homes,
  clean: CleanRuns,
  kill: ServerKill,
): Promise<KillOutcome> {
  const home = homes.next()
  return withServers(home, async ({ model, start }) => {
    const killed = await start()
    let left = kill.after
    const reach = (what: ServerKill['of']) => {
      if (what === kill.of && --left === 0) killed.started.child.kill('SIGKILL')
    }
    const readers = await startRuns(killed, () => reach('events'))
    model.letGo(() => reach('calls'))
    await bringToEnd(killed, readers)
    const { exitCode } = await killed.started.outcome
    const [finished, inFlight] = await callsIn(home)

    const next = await start()
    await bringToEnd(next, readers)
    await next.end('SIGTERM')

    const again = [...model.calls()].map(([body, n]) => n - (clean.calls.get(body) ?? 0))
    const repeated = again.reduce((total, more) => total + Math.max(0, more), 0)
    const missing = sum(clean.calls) - finished
    const made = sum(model.calls('2'))
    const problems = [
      exitCode === null ? '' : `it ended with ${exitCode} before it was killed`,
      inFlight <= maxInFlight ? '' : `${inFlight} calls were in flight`,
      repeated <= inFlight ? '' : `${repeated} calls were made again, ${inFlight} were in flight`,
      made === missing ? '' : `${made} calls were made after the kill, ${missing} had no end`,
      ...(await wrongStreams(home, readers)),
      ...readers.map(({ answer }, at) =>
        answer === clean.answers[at] ? '' : `"${questions[at]}" was answered: ${answer}`,
      ),
    ]
    return { problems: problems.filter((problem) => problem !== ''), finished, inFlight, repeated }
  })
}

/** Starts the runs, with a stream of each. */
async function startRuns(server: Serving, onEvent = () => {}): Promise<readonly RunReader[]> {
  const readers: RunReader[] = []
  for (const [at, question] of questions.entries()) {
    const body = { workflow: 'ask', question, depth: 'thorough', approvePlan: at === 0 }
    readers.push(new RunReader((await server.call('/api/runs', body)).runId, onEvent))
  }
  return readers
}

/** Reads the streams until each run has ended, and approves the plan once all others have; or until the server is dead. */
async function bringToEnd(server: Serving, readers: readonly RunReader[]): Promise<void> {
  const [waiting, ...others] = readers.map((reader) => ({ reader, read: reader.read(server) }))
  await Promise.all(others.map(({ read }) => read))
  const { reader, read } = waiting as { reader: RunReader; read: Promise<void> }
  let isRead = false
  const reading = read.finally(() => {
    isRead = true
  })
  while (!isRead) {
    if (reader.isWaiting)
      await server
        .request(`/api/runs/${reader.runId}/answer`, { answer: 'approve' })
        .catch((error) => throwUnlessDead(server, error))
    await Promise.race([reading, sleep(20)])
  }
  await reading
}

/** A client that reads a run's stream, and takes it up again where it was cut. */
export class RunReader {
  readonly runId: string
  /** The stored ones. */
  readonly events: WireEvent[] = []
  private readonly onEvent: () => void

  constructor(runId: string, onEvent = () => {}) {
    this.runId = runId
    this.onEvent = onEvent
  }

  get isOver(): boolean {
    return this.events.at(-1)?.type === 'run.finished'
  }

  get isWaiting(): boolean {
    const last = this.events.findLast(({ type }) => type.startsWith('run.'))
    // A server that was killed in between has not said that it suspended the run.
    return last?.type === 'run.waiting' || last?.data.data.failure?.code === 'waiting'
  }

  get answer(): string {
    return this.events.at(-1)?.data.output?.answer ?? ''
  }

  /** Reads until the run has ended, or the server is dead. */
  async read(server: Serving): Promise<void> {
    const after = this.events.at(-1)?.id
    const headers = after === undefined ? {} : { 'last-event-id': String(after) }
    try {
      const path = `/api/runs/${this.runId}/events`
      for await (const event of readEvents(await server.request(path, undefined, headers))) {
        if (event.id === undefined) continue
        this.events.push(event)
        this.onEvent()
      }
      if (!this.isOver) throw new Error(`The stream of ${this.runId} ended before the run.`)
    } catch (error) {
      throwUnlessDead(server, error)
    }
  }
}

function throwUnlessDead({ started }: Serving, error: unknown): void {
  if (!started.child.killed) throw error
}

/** Streams that did not bring each event of the log once and in order. */
export async function wrongStreams(
  home: string,
  readers: readonly RunReader[],
): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { runId, events } of readers) {
    const read = events.map(({ id, type, data }) => `${id} ${type} ${data.ts}`)
    const stored = (await logOf(home, runId)).map(({ seq, type, ts }) => `${seq} ${type} ${ts}`)
    if (read.join() !== stored.join()) problems.push(`${runId} was read as ${read}, not ${stored}`)
  }
  return problems
}

/** How many calls of models have an end in the log, and how many only a beginning. */
async function callsIn(home: string): Promise<readonly [finished: number, inFlight: number]> {
  const events = await logOf(home)
  const count = (wanted: RunEvent['type']) =>
    events.filter(({ type, data }) => type === wanted && 'name' in data && data.name === 'model')
      .length
  return [count('step.done'), count('step.started') - count('step.done')]
}

/** The events of a run, or of all. */
export async function logOf(home: string, runId?: string): Promise<readonly RunEvent[]> {
  const store = openRunStore(join(home, 'runs.db'))
  try {
    const runIds =
      runId === undefined ? (await store.list({ limit: 100 })).map((run) => run.runId) : [runId]
    const logs = runIds.map((id) => Array.fromAsync(store.events(id)))
    return (await Promise.all(logs)).flat() as RunEvent[]
  } finally {
    await store.close()
  }
}

const scripted = ['--model', 'openai-compatible:scripted']

/** Servers on one home, each a process. */
export class Servers {
  private readonly cli: CommandLine
  private readonly modelUrl: string
  private readonly all: Serving[] = []

  constructor(home: string, modelUrl: string) {
    this.cli = new CommandLine({ SCHOLIUM_HOME: home })
    this.modelUrl = modelUrl
  }

  /** Starts one more server. Its key at the model is its number, from 1. */
  async start(maxRuns: number): Promise<Serving> {
    const args = ['--quiet', ...scripted, '--max-runs', `${maxRuns}`]
    const key = `${this.all.length + 1}`
    const env = { OPENAI_BASE_URL: this.modelUrl, OPENAI_API_KEY: key }
    const server = await serve(this.cli, args, env)
    this.all.push(server)
    // What waits for it then fails, and says what is missing.
    setTimeout(() => server.started.child.kill('SIGKILL'), hangMs).unref()
    return server
  }

  /** Starts one more as `npm start` does, in a process group of its own. @param shell in which npm runs scripts */
  async startByNpm(shell: string): Promise<Serving> {
    const npm = ['start', '--silent', '--script-shell', shell, '--', 'serve', '--port', '0']
    const env = { OPENAI_BASE_URL: this.modelUrl, OPENAI_API_KEY: 'npm' }
    const args = [...npm, '--json', '--quiet', ...scripted]
    const server = await whenListening(this.cli.startGroup('npm', args, { env }))
    this.all.push(server)
    return server
  }

  close(): void {
    for (const { started } of this.all) started.child.kill('SIGKILL')
    this.cli.remove()
  }
}

/** What a trial works with. */
interface Trial {
  readonly model: PacedModel
  /** Starts one more server on the home. */
  start(): Promise<Serving>
}

async function withServers<T>(home: string, work: (trial: Trial) => Promise<T>): Promise<T> {
  const model = await PacedModel.start()
  const servers = new Servers(home, model.url)
  try {
    return await work({ model, start: () => servers.start(maxRuns) })
  } finally {
    servers.close()
    await model.close()
  }
}

/** The model of the team, which waits until it is let go, and takes its time. */
class PacedModel {
  private readonly gate = Promise.withResolvers<void>()
  private onCall: () => void = () => {}
  private scripted: ScriptedModel | undefined

  static async start(): Promise<PacedModel> {
    const model = new PacedModel()
    const team = eventfulTeam()
    model.scripted = await startScriptedModel(async (seen) => {
      await model.gate.promise
      model.onCall()
      return { ...(await team(seen)), delayMs: callMs }
    })
    return model
  }

  get url(): string {
    return this.scripted?.url ?? ''
  }

  letGo(onCall = () => {}): void {
    this.onCall = onCall
    this.gate.resolve()
  }

  /** How often it was asked what. @param key whose calls; absent: all */
  calls(key?: string): Counts {
    const calls = new Map<string, number>()
    for (const { body, apiKey } of this.scripted?.requests ?? []) {
      if (key !== undefined && apiKey !== key) continue
      // Each run has other ids for calls of tools.
      const asked = JSON.stringify(body).replaceAll(/id":"[0-9a-f]{9}"/g, 'id":""')
      calls.set(asked, (calls.get(asked) ?? 0) + 1)
    }
    return calls
  }

  async close(): Promise<void> {
    await this.scripted?.close()
  }
}

function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, count) => total + count, 0)
}
