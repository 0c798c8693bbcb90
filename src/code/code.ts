import type { Message } from '../kernel/agent/message.ts'
import { toFailure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { RunEvent } from '../kernel/run/event.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import { promptHashes } from '../team/prompt-files.ts'
import { readInstructions, systemMessage } from './instructions.ts'
import type { CodeParts, SessionDriver } from './parts.ts'
import type { CodePrompts } from './prompts.ts'
import { type CodeResult, resultOf } from './result.ts'
import { SessionAgents } from './session-agents.ts'
import { type CodeInput, withheldFrom, withinGranted } from './settings.ts'
import type { TurnSite } from './site.ts'
import { afterTurn, firstState, type SessionState, type TurnPatch, withFields } from './state.ts'
import { takeTurn } from './take-turn.ts'

/**
 * The `code` workflow: a session of requests, each worked on by one agent with tools. Between two turns the run waits for the
 * person; what a turn changed stands in its boundary, so that a resumed session begins where it was.
 */
export function codeWorkflow(
  parts: CodeParts,
  driver: SessionDriver = {},
): Workflow<CodeInput, CodeResult & JsonObject> {
  return {
    ...describedWorkflow(parts.prompts),
    run: async (context, input) =>
      resultOf(await runSession(context, input, parts, driver)) as CodeResult & JsonObject,
  }
}

/** What the workflow is beside its running: names, hashes, and how a log is read. */
export function describedWorkflow(
  prompts: CodePrompts,
): Omit<Workflow<CodeInput, CodeResult & JsonObject>, 'run'> {
  return {
    name: 'code',
    version: '1',
    promptHashes: promptHashes(prompts),
    title: ({ title = 'a coding session' }) => title.replaceAll(/\s+/g, ' ').slice(0, 200),
    foldState: (input, ends) => foldSession(input, ends) as JsonObject,
    soFar: (input, ends) => resultOf(foldSession(input, ends)) as CodeResult & JsonObject,
    status: (result) => result.status,
  }
}

/** Takes turns until the person ends the session. */
async function runSession(
  context: RunContext,
  input: CodeInput,
  parts: CodeParts,
  driver: SessionDriver,
): Promise<SessionState> {
  const { workspace } = input
  const instructions = await readInstructions(context, workspace, () =>
    parts.files(workspace).readInstructions(trustedInput(input, driver)),
  )
  const { skills = [] } = instructions
  const more = await parts.moreTools(context, input)
  const shared = {
    session: context,
    input,
    parts,
    driver,
    instructions,
    system: systemMessage(context, parts.prompts.system, workspace, instructions),
    agents: new SessionAgents(context, input, parts, { more, skills }),
    emit: (event: Parameters<NonNullable<SessionDriver['onEvent']>>[0]) => driver.onEvent?.(event),
  }
  for (const text of [...instructions.notes, ...more.notes])
    shared.emit({ type: 'notice', level: 'warning', text })
  const forked = await context.changedFields('')
  let state = forked.reduce<SessionState>(withFields, firstState(input))
  let conversation: readonly Message[] | undefined
  let isFirst = true
  driver.onTools?.(shared.agents.registryUnder(state.settings).tools)
  for (let turn = 1; !state.hasEnded; turn++) {
    const name = `turn[${turn}]`
    const isBegun =
      context.services.journal.recordedStep(context.key(`${name}/prompt`)) !== undefined
    // What a replay of a session that waits comes to.
    if (context.isReplay && !isBegun) break
    const known = await context.boundary('node.done', name)
    let patch = known?.output as TurnPatch | undefined
    if (patch === undefined) {
      conversation ??= await context.loadMessages(state.messages)
      const before = state
      state = isFirst ? asGranted(shared, state) : state
      const now = { turn, state, conversation, isBegun, isReduced: state !== before }
      isFirst = false
      const site = { ...shared, context: context.child(name), ...now }
      driver.onState?.(state)
      const ended = await taken(site).catch((error) => unlessItWaits(context, error))
      if (ended === undefined) break
      patch = ended.patch
      conversation = ended.conversation
    }
    state = afterTurn(state, patch)
    driver.onState?.(state)
    if (known === undefined) tellEnd(patch, shared.emit)
    const forks = await context.changedFields(name)
    if (forks.length > 0) conversation = undefined
    state = forks.reduce<SessionState>(withFields, state)
  }
  return state
}

/** What the session begins with, without trust that is not given any more. */
function trustedInput(input: CodeInput, { granted }: SessionDriver): CodeInput {
  const { isTrusted: _recorded, ...others } = input
  return granted?.isTrusted === false ? others : input
}

/** The session with what is granted to it now; what is not is told. Without trust nothing is done without asking. */
function asGranted(
  {
    driver: { granted },
    input,
    instructions,
    emit,
  }: Pick<TurnSite, 'driver' | 'input' | 'instructions' | 'emit'>,
  state: SessionState,
): SessionState {
  if (granted === undefined) return state
  const isUntrusted = instructions.isTrusted === true && !granted.isTrusted
  const platform = instructions.platform as NodeJS.Platform
  const options = withheldFrom(state.settings, granted, platform)
  const asked = [...(isUntrusted ? ['--trust'] : []), ...options]
  const isClosed = input.web && !granted.hasWeb
  const outcome = [
    ...(asked.length === 0 ? [] : ['you are asked about it']),
    ...(isClosed ? ['it cannot fetch from the web'] : []),
  ].join(', and ')
  if (outcome === '') return state
  const withheld = [...asked, ...(isClosed ? ['--web'] : [])].join(' ')
  const text = `The session had more than is granted now, so ${outcome}. To grant it again: ${withheld}`
  emit({ type: 'notice', level: 'warning', text })
  if (asked.length === 0) return state
  const isYolo = granted.isYolo && !isUntrusted
  return { ...state, settings: withinGranted(state.settings, { ...granted, isYolo }) }
}

/** In a replay, the question to a person at which the session waits is no fault: what was before it is what it comes to. */
function unlessItWaits({ isReplay, services }: RunContext, error: unknown): undefined {
  const { code, details = {} } = toFailure(error)
  const isOpen = services.journal.decision('run.waiting', String(details.key)) !== undefined
  if (!isReplay || code !== 'step_missing' || !isOpen) throw error
}

/** A turn, with its patch in the log when it is over. */
async function taken(site: TurnSite) {
  const { session, turn, conversation: before } = site
  const { patch: own, conversation, kind } = await takeTurn(site)
  const from = commonLength(before, conversation)
  const added = session.keepMessages(conversation.slice(from))
  const patch: TurnPatch = { turn, kind, ...own, messages: { from, added } }
  const name = `turn[${turn}]`
  const data = { node: name, kind, outcome: patch.outcome }
  await endTurn(session, name, data, patch as unknown as JsonObject)
  return { patch, conversation }
}

/** As `reachBoundary`, but waits for the log: the person is told only what cannot be lost any more. */
async function endTurn(
  session: RunContext,
  name: string,
  data: JsonObject,
  patch: JsonObject,
): Promise<void> {
  const { journal, clock } = session.services
  const key = session.key(name)
  if (session.isReplay || journal.decision('node.done', key) !== undefined)
    return session.reachBoundary('node.done', name, data, patch)
  const event = { key, type: 'node.done', data, output: patch, ts: clock.now() } as const
  session.reach((await journal.append(event, 'full')).ts)
}

function tellEnd({ turn, outcome, answer, failure }: TurnPatch, emit: TurnSite['emit']): void {
  emit({ type: 'turn.done', turn, outcome, answer, ...(failure === undefined ? {} : { failure }) })
}

function commonLength(one: readonly Message[], other: readonly Message[]): number {
  const at = one.findIndex((message, index) => message !== other[index])
  return at === -1 ? one.length : at
}

/** The session after the ends of turns, and the forks, of a log. */
export function foldSession(
  input: Pick<CodeInput, 'settings'>,
  ends: readonly RunEvent[],
): SessionState {
  return ends.reduce<SessionState>((state, { type, output }) => {
    if (type === 'run.forked') return withFields(state, output as JsonObject)
    return afterTurn(state, output as unknown as TurnPatch)
  }, firstState(input))
}
