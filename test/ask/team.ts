import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addPaths, readSources } from '../../src/app/library/read-sources.ts'
import { askWorkflow } from '../../src/ask/ask.ts'
import { toInitialPatch } from '../../src/ask/ask-definition.ts'
import { loadPrompts } from '../../src/ask/prompts.ts'
import type { AskInput } from '../../src/ask/question.ts'
import type { AskResult } from '../../src/ask/result.ts'
import { type AskPatch, type AskState, channels, withFields } from '../../src/ask/state.ts'
import type { TeamParts } from '../../src/ask/team.ts'
import { changedFields, type StateChange } from '../../src/graph/change-state.ts'
import { applyPatch, initialState } from '../../src/graph/graph.ts'
import {
  type Execution,
  type JsonObject,
  type Replay,
  type RunEvent,
  replayRun,
  resumeRun,
  startRun,
} from '../../src/kernel/index.ts'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import { findPlace, forkRun } from '../../src/kernel/run/fork.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { stateAt } from '../../src/kernel/run/state-at.ts'
import type { ModelSettings } from '../../src/models/model-settings.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import {
  createQuickClock,
  findRole,
  type ModelRequestSeen,
  type QuickClock,
  type Script,
  type ScriptedModel,
  type ScriptedRole,
  scriptTeam,
  startScriptedModel,
  type TeamScript,
} from '../../src/testing/index.ts'
import { createCalculationTools } from '../../src/tools/calculator/calculation-tools.ts'

/** Two made-up things that no model has read about. */
const sources: Readonly<Record<string, string>> = {
  'glimmerstone.md': `# Glimmerstone

Glimmerstone melts at 412 degrees Celsius. It was found by Ada Quill in 1907 near the town of Harrowmere.

## Uses

Glimmerstone is used in the lamps of lighthouses because it shines without heat.
`,
  'varnel.md': `# The varnel

The varnel is a bird that weighs 32 grams. It breeds on the cliffs of Harrowmere and feeds on moths.
`,
}

/** What an ask came to. */
export interface Asked {
  readonly runId: string
  readonly result: AskResult
  readonly events: readonly RunEvent[]
  /** The state after the last node. */
  readonly state: AskState
  /** The agents' nodes in the order of their visits. */
  readonly visits: readonly string[]
  /** What the models were asked in this run. */
  readonly requests: readonly ModelRequestSeen[]
}

/** How an ask differs from a plain one. */
export interface Asking extends Partial<Omit<AskInput, 'question'>> {
  readonly team?: TeamScript
  readonly execution?: Partial<Execution>
  readonly settings?: Partial<ModelSettings>
  readonly parts?: Partial<TeamParts>
  /** Changes the models before they are asked. */
  readonly schedule?: (models: ModelSource) => ModelSource
}

/** The whole team over a real library, a real log and a model behind a real HTTP server that says what a test scripts. */
export class TestTeam {
  readonly clock: QuickClock = createQuickClock()
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-ask-'))
  private readonly runs: RunStore = openRunStore(join(this.folder, 'runs.db'))
  private readonly books: Library = createLibrary(openLibraryStore(join(this.folder, 'library.db')))
  private script: Script = scriptTeam()
  private model: ScriptedModel | undefined
  private count = 0

  async open(): Promise<void> {
    this.model = await startScriptedModel((seen) => this.script(seen))
    const folder = join(this.folder, 'sources')
    mkdirSync(folder)
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text)
    await Array.fromAsync(addPaths(this.books, [folder], { isListed: true }))
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.runs.close()
    await this.books.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get server(): ScriptedModel {
    return this.model as ScriptedModel
  }

  get store(): RunStore {
    return this.runs
  }

  get library(): Library {
    return this.books
  }

  /** A file for a question, in addition to the library. */
  async addFile(name: string, text: string): Promise<string> {
    const path = join(this.folder, name)
    writeFileSync(path, text)
    return path
  }

  /** Asks, and gives the outcome with what the log says of the way there. */
  ask(question: string, asking: Asking = {}): Promise<Asked> {
    this.script = scriptTeam(asking.team ?? {})
    return this.askAs(question, `run-${++this.count}`, asking)
  }

  /** As {@link ask}, with the script as it is and a run id of its own, so that several can be asked at once. */
  async askAs(question: string, runId: string, asking: Asking = {}): Promise<Asked> {
    const { team: _team, execution = {}, settings = {}, schedule, ...others } = asking
    const { parts = {}, files = [], ...input } = others
    const before = this.server.requests.length
    const workflow = askWorkflow(this.parts(parts))
    const given = { question, files, ...input }
    const driven = this.execution(execution, settings)
    const models = schedule?.(driven.models) ?? driven.models
    await startRun(workflow, given, runId, { ...driven, models })
    return this.asked(runId, before)
  }

  /** The id of the run that {@link ask} started last. */
  get lastRunId(): string {
    return `run-${this.count}`
  }

  async resume(runId: string, asking: Asking = {}): Promise<Asked> {
    const before = this.server.requests.length
    this.script = scriptTeam(asking.team ?? {})
    const workflow = askWorkflow(this.parts(asking.parts ?? {}))
    await resumeRun(workflow, runId, this.execution(asking.execution ?? {}, asking.settings ?? {}))
    return this.asked(runId, before)
  }

  /** Runs on from before a step of another run, with other values in the state. */
  async fork(
    parentId: string,
    at: string,
    changes: readonly StateChange[],
    asking: Asking = {},
  ): Promise<Asked> {
    const before = this.server.requests.length
    this.script = scriptTeam(asking.team ?? {})
    const workflow = askWorkflow(this.parts(asking.parts ?? {}))
    const place = await findPlace(this.runs, parentId, at)
    const state = await stateAt(workflow, this.runs, parentId, place)
    const runId = `run-${++this.count}`
    const fork = { parentId, place, fields: changedFields(state, changes, channels) }
    await forkRun(workflow, fork, runId, this.execution(asking.execution ?? {}, {}))
    return this.asked(runId, before)
  }

  replay(runId: string): Promise<Replay<AskResult & JsonObject>> {
    return replayRun(askWorkflow(this.parts({})), runId, this.execution({}, {}))
  }

  events(runId: string): Promise<readonly RunEvent[]> {
    return Array.fromAsync(this.runs.events(runId))
  }

  parts(changes: Partial<TeamParts>): TeamParts {
    return {
      prompts: loadPrompts(),
      library: this.books,
      expertTools: createCalculationTools(),
      readSources: (paths, signal) => readSources(this.books, paths, signal),
      ...changes,
    }
  }

  private execution(changes: Partial<Execution>, settings: Partial<ModelSettings>): Execution {
    const models = createModelSource({
      choices: { default: 'openai-compatible:scripted' },
      environment: { OPENAI_BASE_URL: this.server.url },
      builtIn: {},
      ...settings,
    })
    return {
      store: this.runs,
      owner: currentOwner(),
      clock: this.clock,
      models,
      packageVersion: '0',
      configuration: {},
      ...changes,
    }
  }

  private async asked(runId: string, before: number): Promise<Asked> {
    const events = await this.events(runId)
    const finished = events.findLast(({ type }) => type === 'run.finished')
    const states = statesOf(events)
    return {
      runId,
      result: finished?.output as unknown as AskResult,
      events,
      state: states.at(-1)?.state as AskState,
      visits: states.map(({ node }) => node),
      requests: this.server.requests.slice(before),
    }
  }
}

/** The state after each node of the team's graph, folded from the log as a resumption folds it. */
export function statesOf(
  events: readonly RunEvent[],
): readonly { readonly node: string; readonly state: AskState }[] {
  const started = events.find(({ type }) => type === 'run.started')
  let state = initialState(channels, toInitialPatch(started?.output as unknown as AskInput))
  return events.flatMap(({ type, key, data, output }) => {
    if (type === 'run.forked') state = withFields(state, output as AskPatch)
    if (type !== 'node.done' || !/^ask\/\w+\[\d+\]$/.test(key)) return []
    state = applyPatch(channels, state, output as AskPatch)
    return [{ node: String(data.node), state }]
  })
}

/** The messages of a request, as they were sent. */
export function messagesOf(
  seen: ModelRequestSeen | undefined,
): readonly { readonly role: string; readonly content: string | null }[] {
  return (seen?.body.messages ?? []) as { role: string; content: string | null }[]
}

/** The requests that a role got. */
export function requestsOf(
  { requests }: Pick<Asked, 'requests'>,
  role: ScriptedRole,
): readonly ModelRequestSeen[] {
  return requests.filter((seen) => findRole(seen) === role)
}
