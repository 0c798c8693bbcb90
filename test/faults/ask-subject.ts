import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Answer,
  type App,
  type AppOptions,
  type AskRequest,
  createApp,
  type RunStore,
} from '../../src/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import {
  createQuickClock,
  type FaultSubject,
  type FaultTrial,
  findRole,
  type ModelRequestSeen,
  passagesIn,
  type Script,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'

/** What drives the team: the built-in engine, or a model behind HTTP that says what a script says; with research in order, too. */
export type Driver = 'extractive' | 'scripted' | 'sequential'

/** Two questions over one small library: each driver is asked what makes it take a long way. */
export const questions: Readonly<Record<Driver, string>> = {
  extractive: 'What is glimmerstone and what does the varnel feed on?',
  scripted: 'What is glimmerstone?',
  sequential: 'What is glimmerstone?',
}

const pages: Readonly<Record<string, string>> = {
  'glimmerstone.md':
    '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n',
  'varnel.md':
    '# The varnel\n\nThe varnel is a bird that weighs 32 grams. The varnel feeds on moths and breeds on cliffs.\n',
}

const wasRejected = ({ lastText }: ModelRequestSeen) => lastText.includes('Your critic rejected')
const rejectIf = (isPoor: boolean): ScriptedReply => ({
  json: { decision: isPoor ? 'reject' : 'approve', feedback: isPoor ? 'Say it in full.' : '' },
})
const search = (...queries: string[]): ScriptedReply => ({
  toolCalls: queries.map((query) => ({ name: 'search_library', input: { query, limit: 2 } })),
})
const poor = 'poor'
const full = 'Glimmerstone is a mineral that melts at 412 degrees Celsius [1].'

/** The number under which the last tool result shows the page about the bird. */
function birdsNumber({ lastText }: ModelRequestSeen): number {
  return passagesIn(lastText).find(({ text }) => text.includes('varnel'))?.n ?? 0
}

/**
 * Three research steps of which the last needs the first, one rejection of each role, a tool call that is printed as text, two at once, a calculation. What is said
 * depends on what is asked alone, so that a call that is made again gets the same answer.
 */
const eventful: TeamScript = {
  planner: (seen) => ({
    json: {
      research_steps: wasRejected(seen)
        ? ['What is glimmerstone?', 'What is the varnel?', 'Who found what step 1 is about?']
        : [poor],
      ...(wasRejected(seen) ? { needs: [[], [], [1]] } : {}),
      expert_steps: ['Answer.'],
    },
  }),
  critic_planner: ({ lastText }) => rejectIf(lastText.includes(poor)),
  researcher: (seen) => {
    if (wasRejected(seen)) return { json: { result: full } }
    if (seen.lastText.includes('what step 1 is about'))
      return { json: { result: 'It was found by Ada Quill in 1907 [1].' } }
    if (seen.lastText.includes('the varnel?'))
      return search('varnel weighs', 'varnel feeds on moths')
    if (seen.lastRole !== 'tool') {
      return {
        text: '<tool_call>{"name":"search_library","arguments":{"query":"glimmerstone"}}</tool_call>',
      }
    }
    const isAboutBird = JSON.stringify(seen.body).includes('varnel weighs')
    if (!isAboutBird) return { json: { result: poor } }
    return { json: { result: `The varnel is a bird that weighs 32 grams [${birdsNumber(seen)}].` } }
  },
  critic_researcher: ({ lastText }) => rejectIf(lastText.includes(poor)),
  expert: (seen) => {
    if (wasRejected(seen)) return { json: { expert_answer: full, reasoning_trace: 'calculate' } }
    if (seen.lastRole === 'tool')
      return { json: { expert_answer: poor, reasoning_trace: 'calculate' } }
    return { toolCalls: [{ name: 'calculate', input: { expression: '400 + 12' } }] }
  },
  critic_expert: ({ lastText }) => rejectIf(lastText.includes(poor)),
}

/** Starts the model that the scripted driver asks. */
export function startTeamModel(): Promise<ScriptedModel> {
  return startScriptedModel(eventfulTeam())
}

/** What the scripted driver's team says. */
export function eventfulTeam(): Script {
  return scriptTeam(eventful)
}

/** What is asked of a driver, of the whole team. */
export function requestOf(driver: Driver): AskRequest {
  return {
    question: questions[driver],
    sequential: driver === 'sequential',
    depth: 'thorough',
  }
}

/** How an app is made for a driver. */
export function appOptions(driver: Driver, home: string, url: string): AppOptions {
  if (driver === 'extractive') return { home, environment: {} }
  const models = { default: 'openai-compatible:scripted' }
  return { home, models, environment: { OPENAI_BASE_URL: url } }
}

/** Homes for trials: copies of one with the library in it. */
export class Homes {
  private readonly folder = mkdtempSync(join(tmpdir(), 'scholium-faults-'))
  private count = 0

  async prepare(): Promise<void> {
    const folder = join(this.folder, 'pages')
    mkdirSync(folder)
    for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text)
    const app = createApp({ home: join(this.folder, 'home'), environment: {} })
    await Array.fromAsync(app.addToLibrary([folder]))
    await app.close()
    // The copy of a log gives no rights: each trial makes a log of its own.
    rmSync(join(this.folder, 'home', 'runs.db'))
  }

  /** A new home that holds the library and no runs. */
  next(): string {
    const home = join(this.folder, String(++this.count))
    cpSync(join(this.folder, 'home'), home, { recursive: true })
    return home
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** `ask` through the app, as a subject of faults inside of this process. */
export function askSubject(driver: Driver, homes: Homes): FaultSubject<Answer> {
  return {
    // Two research steps are worked on at once, each with a call of its own.
    ...(driver === 'scripted' ? { parallelCalls: 2 } : {}),
    async open() {
      const model = driver === 'extractive' ? undefined : await startTeamModel()
      return openTrial(driver, homes, model, (drive) => drive())
    },
  }
}

/**
 * As {@link askSubject} over HTTP, with a model that refuses the expert until a run has failed by that: the run is then tried
 * again.
 */
export function retriedSubject(homes: Homes): FaultSubject<Answer> {
  return {
    async open() {
      let isDown = true
      const team = scriptTeam(eventful)
      const model = await startScriptedModel((seen) =>
        isDown && findRole(seen) === 'expert' ? { status: 503 } : team(seen),
      )
      return openTrial('scripted', homes, model, async (drive, app) => {
        const answer = await drive()
        if (answer.status !== 'failed') return answer
        isDown = false
        return resumed(app, answer.runId)
      })
    },
    // How often the model refused is no part of the answer.
    comparable: ({ runId: _runId, timings: _timings, usage: _usage, ...answer }) => answer,
  }
}

async function resumed(app: App, runId: string): Promise<Answer> {
  const answer = await app.resume(runId)
  if (answer.schema !== 'scholium.answer/1') throw new Error(`${runId} is no question`)
  return answer
}

/** A trial over a home of its own; `through` brings what one process does to its end. */
function openTrial(
  driver: Driver,
  homes: Homes,
  model: ScriptedModel | undefined,
  through: (drive: () => Promise<Answer>, app: App) => Promise<Answer>,
): FaultTrial<Answer> {
  const home = homes.next()
  const store = openRunStore(join(home, 'runs.db'))
  const options = { ...appOptions(driver, home, model?.url ?? ''), clock: createQuickClock() }
  const inProcess = (view: RunStore, drive: (app: App) => Promise<Answer>) => {
    const app = createApp({ ...options, store: view })
    return through(() => drive(app), app).finally(() => app.close())
  }
  return {
    store,
    start: (view) => inProcess(view, (app) => app.ask(requestOf(driver))),
    resume: (view, runId) => inProcess(view, (app) => resumed(app, runId)),
    paidCalls: () => model?.answered ?? new Map(),
    async close() {
      await store.close()
      await model?.close()
      rmSync(home, { recursive: true })
    },
  }
}
