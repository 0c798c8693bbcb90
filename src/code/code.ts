import type { Message } from '../kernel/agent/message.ts'
import { toFailure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { EventData, RunEvent } from '../kernel/run/event.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import { promptHashes } from '../team/prompt-files.ts'
import type { CodeEvent } from './events.ts'
import { createSystemMessage, readInstructions } from './instructions.ts'
import type { CodeParts, SessionDriver } from './parts.ts'
import type { CodePrompts } from './prompts.ts'
import { type CodeResult, toCodeResult } from './result.ts'
import { SessionAgents } from './session-agents.ts'
import { type CodeInput, limitSettings, listWithheldOptions } from './settings.ts'
import {
  applyTurn,
  createSessionState,
  type SessionState,
  type TurnPatch,
  withForkedFields,
} from './state.ts'
import { runTurn } from './take-turn.ts'
import type { TurnContext } from './turn-context.ts'

/**
 * The `code` workflow: a session of requests, each handled by one agent with tools. Between turns the run waits for
 * the person. Each turn records what it changed at its boundary, so a resumed session starts where it stopped.
 */
export function codeWorkflow(
  parts: CodeParts,
  driver: SessionDriver = {},
): Workflow<CodeInput, CodeResult & JsonObject> {
  return {
    ...codeWorkflowInfo(parts.prompts),
    run: async (context, input) =>
      toCodeResult(await runSession(context, input, parts, driver)) as CodeResult & JsonObject,
  }
}

/** The workflow without its `run`: name, version, prompt hashes, and how its state and result are read from the log. */
export function codeWorkflowInfo(
  prompts: CodePrompts,
): Omit<Workflow<CodeInput, CodeResult & JsonObject>, 'run'> {
  return {
    name: 'code',
    version: '1',
    promptHashes: promptHashes(prompts),
    title: ({ title = 'a coding session' }) => title.replaceAll(/\s+/g, ' ').slice(0, 200),
    foldState: (input, ends) => foldSession(input, ends) as JsonObject,
    soFar: (input, ends) => toCodeResult(foldSession(input, ends)) as CodeResult & JsonObject,
    status: (result) => result.status,
  }
}

/** Runs turns until the person ends the session. */
async function runSession(
  context: RunContext,
  input: CodeInput,
  parts: CodeParts,
  driver: SessionDriver,
): Promise<SessionState> {
  const shared = await openSession(context, input, parts, driver)
  const forked = await context.changedFields('')
  let state = forked.reduce<SessionState>(withForkedFields, createSessionState(input))
  let conversation: readonly Message[] | undefined
  let isFirst = true
  driver.onTools?.(shared.agents.getRegistry(state.settings).tools)
  for (let turn = 1; !state.hasEnded; turn++) {
    const name = `turn[${turn}]`
    const isBegun =
      context.services.journal.recordedStep(context.key(`${name}/prompt`)) !== undefined
    // A replay of a session that waits ends here.
    if (context.isReplay && !isBegun) break
    const known = await context.boundary('node.done', name)
    let patch = known?.output as TurnPatch | undefined
    if (patch === undefined) {
      conversation ??= await context.loadMessages(state.messages)
      const before = state
      state = isFirst ? limitToGrants(shared, state) : state
      const now = { turn, state, conversation, isBegun, isReduced: state !== before }
      isFirst = false
      const scope = { ...shared, context: context.child(name), ...now }
      driver.onState?.(state)
      const ended = await recordTurn(scope).catch((error) => ignoreOpenQuestion(context, error))
      if (ended === undefined) break
      patch = ended.patch
      conversation = ended.conversation
    }
    state = applyTurn(state, patch)
    driver.onState?.(state)
    if (known === undefined) emitTurnDone(patch, shared.emit)
    const forks = await context.changedFields(name)
    if (forks.length > 0) conversation = undefined
    state = forks.reduce<SessionState>(withForkedFields, state)
  }
  return state
}

/** What all turns of a session share: instructions, tools and the event emitter. */
async function openSession(
  context: RunContext,
  input: CodeInput,
  parts: CodeParts,
  driver: SessionDriver,
) {
  const { workspace } = input
  const instructions = await readInstructions(context, workspace, () =>
    parts.files(workspace).readInstructions(withoutRevokedTrust(input, driver)),
  )
  const { skills = [] } = instructions
  const more = await parts.moreTools(context, input)
  const shared = {
    session: context,
    input,
    parts,
    driver,
    instructions,
    system: createSystemMessage(context, parts.prompts.system, workspace, instructions),
    agents: new SessionAgents(context, input, parts, { more, skills }),
    emit: (event: CodeEvent) => driver.onEvent?.(event),
  }
  for (const text of [...instructions.notes, ...more.notes])
    shared.emit({ type: 'notice', level: 'warning', text })
  return shared
}

/** The input without trust that has since been withdrawn. */
function withoutRevokedTrust(input: CodeInput, { granted }: SessionDriver): CodeInput {
  const { isTrusted: _recorded, ...others } = input
  return granted?.isTrusted === false ? others : input
}

/**
 * Limits the session to what is granted now and reports what was withheld. Without trust, `--yolo` no longer applies.
 */
function limitToGrants(
  {
    driver: { granted },
    input,
    instructions,
    emit,
  }: Pick<TurnContext, 'driver' | 'input' | 'instructions' | 'emit'>,
  state: SessionState,
): SessionState {
  if (granted === undefined) return state
  const isUntrusted = instructions.isTrusted === true && !granted.isTrusted
  const platform = instructions.platform as NodeJS.Platform
  const options = listWithheldOptions(state.settings, granted, platform)
  const asked = [...(isUntrusted ? ['--trust'] : []), ...options]
  const isClosed = input.web && !granted.hasWeb
  const outcome = [
    ...(asked.length === 0 ? [] : ['you are asked before each action that needs them']),
    ...(isClosed ? ['it cannot fetch from the web'] : []),
  ].join(', and ')
  if (outcome === '') return state
  const withheld = [...asked, ...(isClosed ? ['--web'] : [])].join(' ')
  const text = `The session had permissions that are not granted now, so ${outcome}. To grant them again: ${withheld}`
  emit({ type: 'notice', level: 'warning', text })
  if (asked.length === 0) return state
  const isYolo = granted.isYolo && !isUntrusted
  return { ...state, settings: limitSettings(state.settings, { ...granted, isYolo }) }
}

/** In a replay, a question that is still open ends the session instead of failing it. */
function ignoreOpenQuestion({ isReplay, services }: RunContext, error: unknown): undefined {
  const { code, details = {} } = toFailure(error)
  const isOpen = services.journal.decision('run.waiting', String(details.key)) !== undefined
  if (!isReplay || code !== 'step_missing' || !isOpen) throw error
}

/** Runs a turn and records its patch. */
async function recordTurn(scope: TurnContext) {
  const { session, turn, conversation: before } = scope
  const { patch: own, conversation, kind } = await runTurn(scope)
  const from = countCommonMessages(before, conversation)
  const added = session.keepMessages(conversation.slice(from))
  const patch: TurnPatch = { turn, kind, ...own, messages: { from, added } }
  const name = `turn[${turn}]`
  const data = { node: name, kind, outcome: patch.outcome }
  await endTurn(session, name, data, patch)
  return { patch, conversation }
}

/** Like `reachBoundary`, but waits for the log: the person is only told what can no longer be lost. */
async function endTurn(
  session: RunContext,
  name: string,
  data: EventData['node.done'],
  patch: JsonObject,
): Promise<void> {
  const { journal, clock } = session.services
  const key = session.key(name)
  if (session.isReplay || journal.decision('node.done', key) !== undefined)
    return session.reachBoundary('node.done', name, data, patch)
  const event = { key, type: 'node.done', data, output: patch, ts: clock.now() } as const
  session.advanceTime((await journal.append(event, 'full')).ts)
}

function emitTurnDone(
  { turn, outcome, answer, failure }: TurnPatch,
  emit: TurnContext['emit'],
): void {
  emit({ type: 'turn.done', turn, outcome, answer, ...(failure === undefined ? {} : { failure }) })
}

function countCommonMessages(one: readonly Message[], other: readonly Message[]): number {
  const at = one.findIndex((message, index) => message !== other[index])
  return at === -1 ? one.length : at
}

/** Rebuilds the session's state from the turn ends and forks in its log. */
export function foldSession(
  input: Pick<CodeInput, 'settings'>,
  ends: readonly RunEvent[],
): SessionState {
  return ends.reduce<SessionState>((state, { type, output }) => {
    if (type === 'run.forked') return withForkedFields(state, output as JsonObject)
    return applyTurn(state, output as TurnPatch)
  }, createSessionState(input))
}
