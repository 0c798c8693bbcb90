import { codeWorkflowInfo } from '../../code/code.ts'
import { loadCodePrompts } from '../../code/prompts.ts'
import type { CodeSettings } from '../../code/settings.ts'
import type { PastTurn, SessionState, TurnPatch } from '../../code/state.ts'
import { parseTurnAnswer } from '../../code/turn-answer.ts'
import type { Hash, JsonObject } from '../../kernel/json.ts'
import { effectiveEvents, isStateEvent, type StateEvent } from '../../kernel/run/rewind.ts'
import type { AppParts } from '../app-parts.ts'
import { removeRun } from '../runs/remove-runs.ts'
import { newRunId } from '../runs/run-id.ts'
import { type FoundSession, findSession } from './find-session.ts'
import { type StoredMessage, sessionInput, sessionMessages } from './session-messages.ts'
import { codeWorkflowName, hasEnded, placeAfter, sessionId } from './session-place.ts'

/** A session in a list. */
export interface SessionSummary {
  readonly runId: string
  readonly title: string
  /** The folder in which it works. */
  readonly workspace: string
  /** Milliseconds since 1970. */
  readonly updatedAtMs: number
}

/** A turn of a session with its messages. */
export interface TurnMessages {
  readonly turn: PastTurn
  /** The messages that the turn added, the request first. */
  readonly messages: readonly StoredMessage[]
}

/** The history of a session, from its log. */
export interface SessionHistory {
  readonly runId: string
  readonly workspace: string
  readonly settings: CodeSettings
  readonly todo: SessionState['todo']
  readonly turns: readonly TurnMessages[]
  /** The request that was being processed when the session was left. */
  readonly interrupted?: string
  /** The model it was started with. */
  readonly model: string
}

/** Sessions are listed from this number of the newest runs. */
const mostListed = 1_000

/** Reads sessions of the coding agent from their logs. */
export class SessionReader {
  private readonly parts: AppParts

  constructor(parts: AppParts) {
    this.parts = parts
  }

  /** An id for a new session. */
  newId(): string {
    return newRunId(this.parts.clock.now())
  }

  /** The model of new sessions, and whether it takes pictures. */
  get model(): { readonly name: string; readonly takesImages: boolean } {
    const { name, takesImages = false } = this.parts.modelSource.forRole('default')
    return { name, takesImages }
  }

  /** Sessions, newest first, from the newest 1,000 runs. @param workspace only those of this folder */
  async *list(workspace?: string): AsyncGenerator<SessionSummary> {
    const { store } = this.parts
    for (const run of await store.list({ limit: mostListed })) {
      if (run.workflow !== codeWorkflowName) continue
      const { runId, title, updatedAt } = run
      const input = await sessionInput(store, runId)
      if (workspace !== undefined && input.workspace !== workspace) continue
      yield { runId, title, workspace: input.workspace, updatedAtMs: updatedAt }
    }
  }

  /**
   * Removes the session with exactly this id and everything it recorded; a missing one is ignored. @throws `run_busy`
   */
  async remove(runId: string): Promise<void> {
    const run = await this.parts.store.get(runId).catch(() => undefined)
    if (run?.workflow === codeWorkflowName) await removeRun(this.parts, runId)
  }

  /**
   * Finds the session that a person means, `last` for the newest one of a folder, and its folder.
   * @param workspace the folder that was named. Default for `last`: that of the app
   * @throws `run_not_found`; `invalid_input` for a run that is not a session, or one of another folder than was named
   */
  find(run: string, workspace?: string): Promise<FoundSession> {
    return findSession(this.parts, run, workspace)
  }

  /**
   * The run that continues a session: itself or, once it has ended, the newest one that continued from its end.
   * @throws `run_not_found`, `invalid_input` for a run that is not a session
   */
  async latest(run: string): Promise<string> {
    const { store } = this.parts
    let record = await store.get(await sessionId(store, run))
    const runs = await store.list({ limit: mostListed })
    while (hasEnded(record.status)) {
      const { runId } = record
      const { seq } = await placeAfter(store, runId)
      const next = runs.find(({ parent }) => parent?.runId === runId && parent.seq === seq)
      if (next === undefined) break
      record = next
    }
    return record.runId
  }

  /** The history of a session. @throws `run_not_found`, `invalid_input` for a run that is not a session */
  async past(run: string): Promise<SessionHistory> {
    const { store } = this.parts
    const runId = await sessionId(store, run)
    const { ends, prompts, model } = await this.readLog(runId)
    const input = await sessionInput(store, runId)
    const { foldState } = codeWorkflowInfo(loadCodePrompts())
    const state = foldState?.(input, ends) as SessionState
    const turns = await this.told(runId, ends)
    const interrupted = await this.openRequest(runId, prompts.get(state.turns.length + 1))
    return {
      runId,
      workspace: input.workspace,
      settings: state.settings,
      todo: state.todo,
      turns,
      model,
      ...(interrupted === undefined ? {} : { interrupted }),
    }
  }

  private async readLog(runId: string) {
    let ends: StateEvent[] = []
    let model = ''
    for await (const event of this.parts.store.events(runId, { types: endTypes })) {
      if (event.type !== 'node.done') {
        const { models } = event.data.configuration as { models?: { default?: string } }
        model = models?.default ?? model
      }
      ends = effectiveEvents(ends, event)
      if (isStateEvent(event)) ends.push(event)
    }
    return { ends, model, prompts: await this.promptPlaces(runId) }
  }

  /** The place in the log where each turn's prompt was answered. */
  private async promptPlaces(runId: string): Promise<ReadonlyMap<number, number>> {
    const places = new Map<number, number>()
    const filter = { types: ['step.done'], withOutput: false } as const
    for await (const { key, seq } of this.parts.store.events(runId, filter)) {
      const turn = /^code\/turn\[(\d+)\]\/prompt$/.exec(key)?.[1]
      if (turn !== undefined) places.set(Number(turn), seq)
    }
    return places
  }

  private async openRequest(runId: string, seq: number | undefined): Promise<string | undefined> {
    const given = seq === undefined ? undefined : await this.parts.store.output(runId, seq)
    const answer = given === undefined ? undefined : parseTurnAnswer(given)
    return answer?.kind === 'prompt' ? answer.text : undefined
  }

  private async told(runId: string, ends: readonly StateEvent[]): Promise<readonly TurnMessages[]> {
    let before: readonly Hash[] = []
    const turns: TurnMessages[] = []
    for (const { type, output } of ends) {
      if (type === 'run.forked') {
        before = ((output as JsonObject)?.messages as readonly Hash[] | undefined) ?? before
        continue
      }
      const { messages, ...turn } = output as TurnPatch
      const { from, added } = messages
      const left = before.slice(from)
      before = [...before.slice(0, from), ...added]
      const said = from === 0 && turn.notes !== undefined ? without(added, left) : added
      turns.push({ turn, messages: await sessionMessages(this.parts.store, runId, said) })
    }
    return turns
  }
}

const endTypes = ['run.started', 'run.resumed', 'run.forked', 'node.done'] as const

/** A compaction adds a summary before what it kept: neither is new. */
function without(added: readonly Hash[], known: readonly Hash[]): readonly Hash[] {
  const kept = [...known]
  return added.slice(1).filter((hash) => {
    const at = kept.indexOf(hash)
    if (at !== -1) kept.splice(at, 1)
    return at === -1
  })
}
