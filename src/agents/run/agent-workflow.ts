import { foldState } from '../../graph/fold-state.ts'
import { endsRun, type Failure, toFailure } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { wasEndedEarly } from '../../kernel/limits/limit-reached.ts'
import { readCutAnswers } from '../../kernel/model/cut-answer.ts'
import type { StateEvent } from '../../kernel/run/rewind.ts'
import { RunContext } from '../../kernel/run/run-context.ts'
import { minSecretLength } from '../../kernel/run/secret-forms.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import type { SandboxSession } from '../../tools/sandbox/sandbox-session.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import { anyField, runDocument } from './agent-graph.ts'
import { type AgentInput, type AgentRunInput, checkAgentInput } from './agent-input.ts'
import type { AgentParts } from './agent-parts.ts'
import type { AgentResult, AgentStopReason } from './agent-result.ts'
import { type AgentRun, openAgentRun } from './agent-run.ts'
import { noticeUncached } from './cached.ts'
import { refusedByPerson } from './interrupts.ts'
import { findSecrets, type GivenEnvironment, listSecretVariables } from './secrets.ts'
import { type AgentState, hiddenKey, toPatch, visibleState } from './state.ts'
import { performNode } from './visit-node.ts'

/**
 * Agent files as a workflow; the document is part of the input.
 * @param promptHashes recorded with the run: the file with its {@link documentHash}
 */
export function agentWorkflow(
  parts: AgentParts,
  promptHashes: Readonly<Record<string, string>> = {},
): Workflow<AgentRunInput, AgentResult & JsonObject> {
  return {
    name: 'agent',
    version: '1',
    promptHashes,
    title: ({ document, input }) => formatTitle(document, input),
    run: (context, input) => runAgentFile(parts, context, input),
    foldState: (input, ends) => visibleState(foldAgentState(input, ends)),
    status: ({ status }) => status,
  }
}

const maxTitleLength = 200

function formatTitle({ name }: AgentDocument, input: JsonObject): string {
  const given = Object.keys(input).length === 0 ? '' : ` ${JSON.stringify(input)}`
  return `${name}${given}`.replaceAll(/\s+/g, ' ').slice(0, maxTitleLength)
}

/** The first state: the file's initial values, overridden by the run's input. */
function createFirstState({ document, input }: AgentInput): AgentState {
  return toPatch({ ...document.initialState, ...input }, 'The input')
}

/** The state after the node ends and forks in a log, including keys hidden from files. */
export function foldAgentState(input: AgentInput, ends: readonly StateEvent[]): AgentState {
  return foldState<AgentState>({}, createFirstState(input), ends, anyField)
}

async function runAgentFile(
  parts: AgentParts,
  outer: RunContext,
  given: AgentInput,
): Promise<AgentResult & JsonObject> {
  const { document, subgraphs = {} } = given
  const environment = readEnvironment(given, parts)
  const documents = [document, ...Object.values(subgraphs)]
  const context = withSecrets(outer, environment, documents)
  const failedNodes: AgentRun['failedNodes'] = new WeakMap()
  let opened: SandboxSession | undefined
  let last: AgentState = {}
  const session = () => {
    opened ??= parts.sandbox?.openSession()
    return opened as SandboxSession
  }
  try {
    const agent = { ...given, document }
    await checkAgentInput(document, agent.input, context.signal)
    last = createFirstState(agent)
    const works = { performNode, runDocument, failedNodes }
    const shared = { parts, given: environment, subgraphs, depth: 0, session, ...works }
    const run = await openAgentRun(document, shared)
    await noticeEnvironment(context, given)
    await checkSecrets(context, run)
    await noticeUncached(run, context)
    last = await runDocument(run, last, context, (state) => {
      last = state
    })
    const gaps = listCutAnswers(readCutAnswers(context))
    const status = gaps.length === 0 ? 'answered' : 'partial'
    return toAgentResult(document, last, { status, stopReason: 'finished', gaps })
  } catch (thrown) {
    const failure = context.redact(toFailure(thrown) as Failure & JsonObject)
    if (endsRun(failure.code) && failure.code !== 'limit_reached') throw thrown
    const { node, isTold } = (thrown instanceof Error ? failedNodes.get(thrown) : undefined) ?? {}
    if (isTold !== true && failure.code !== 'limit_reached')
      await context.notice('failed', 'error', `${node ?? document.name}: ${failure.message}`)
    return failedResult(document, last, failure, node)
  } finally {
    await opened?.close()
  }
}

function readEnvironment(
  { environment = {}, secretNames = [], withheld = [] }: AgentInput,
  { secrets = {} }: AgentParts,
): GivenEnvironment {
  return { plain: environment, secretNames, secretValues: secrets, withheld }
}

/** Notes which environment variables the files read but were not granted. */
async function noticeEnvironment(
  context: RunContext,
  { document, subgraphs = {}, withheld = [] }: AgentInput,
): Promise<void> {
  if (withheld.length === 0) return
  const secrets = new Set([document, ...Object.values(subgraphs)].flatMap(listSecretVariables))
  const ways = withheld.map((name) => `--${secrets.has(name) ? 'secret' : 'env'} ${name}`)
  const text = `${document.name} reads environment variables that it was not given; they count as unset: ${withheld.join(', ')}. To pass them: ${ways.join(' ')} (use --secret instead of --env for values that must not be recorded).`
  await context.notice('environment', 'warning', text)
}

/** The same context, with the values of the files' secrets treated as secret. */
function withSecrets(
  context: RunContext,
  environment: GivenEnvironment,
  documents: readonly AgentDocument[],
): RunContext {
  const own = documents.flatMap((document) => findSecrets(document, environment).values)
  if (own.length === 0) return context
  const { services, path, signal } = context
  const secrets = [...new Set([...services.secrets, ...own])]
  return new RunContext({ services: { ...services, secrets }, path, signal })
}

/** Notes which secrets cannot be used or not be kept secret. */
async function checkSecrets(context: RunContext, { secrets }: AgentRun): Promise<void> {
  for (const { name, message, hint } of secrets.missing)
    await context.notice(`secret ${name}`, 'warning', `${message} ${hint}`)
  for (const [name, { length }] of Object.entries(secrets.real)) {
    if (length === 0 || length >= minSecretLength) continue
    const text = `The secret ${name} is shorter than ${minSecretLength} characters, so it is not recognised if a tool returns it.`
    await context.notice(`secret ${name}`, 'warning', text)
  }
}

function failedResult(
  document: AgentDocument,
  state: AgentState,
  failure: Failure,
  node: string | undefined,
): AgentResult & JsonObject {
  const isLimit = failure.code === 'limit_reached'
  const isRefused = failure.details?.reason === refusedByPerson || wasEndedEarly(failure)
  const stopReason: AgentStopReason = isRefused ? 'stopped_by_person' : isLimit ? 'limit' : 'error'
  return toAgentResult(document, state, {
    status: isLimit || isRefused ? 'partial' : 'failed',
    stopReason,
    failure: node === undefined ? failure : { ...failure, node },
    gaps: listGaps(failure, node),
  })
}

/** Gaps for answers that were cut off. @param told the notices in the log */
export function listCutAnswers(told: readonly string[]): AgentResult['gaps'] {
  return told.map((detail) => ({ kind: 'cut_off', detail }))
}

/** Gaps of a run that ended with a failure. */
export function listGaps(
  { code, message }: Pick<Failure, 'code' | 'message'>,
  node: string | undefined,
): AgentResult['gaps'] {
  const where = node === undefined ? '' : `${node}: `
  return [{ kind: code === 'limit_reached' ? 'limit' : 'error', detail: `${where}${message}` }]
}

function toAgentResult(
  { name }: AgentDocument,
  state: AgentState,
  end: Pick<AgentResult, 'status' | 'stopReason'> & Partial<Pick<AgentResult, 'failure' | 'gaps'>>,
): AgentResult & JsonObject {
  const output = state[hiddenKey.output]
  const result: AgentResult = {
    schema: 'scholium.agent/1',
    agent: name,
    gaps: [],
    ...end,
    state: visibleState(state),
    ...(output === undefined ? {} : { output }),
  }
  return result as AgentResult & JsonObject
}
