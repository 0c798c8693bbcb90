import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { SandboxSession } from '../../tools/sandbox/sandbox-session.ts'
import type { AgentScope } from '../actions/action.ts'
import type { AgentDocument, Condition, Output } from '../document/agent-document.ts'
import type { EnvironmentValues } from '../templates/environment.ts'
import { createTemplates, type Templates } from '../templates/templates.ts'
import type { AgentParts } from './agent-parts.ts'
import { checkSize, expandRecords, hasRecords, memoize, withRecords } from './branch-record.ts'
import {
  type AgentSecrets,
  findSecrets,
  type GivenEnvironment,
  withAbsent,
  withRequired,
} from './secrets.ts'
import { type AgentState, toPatch, visibleState } from './state.ts'

/** What a piece of work sees in its place in a run. */
export interface NodeView {
  readonly context: RunContext
  readonly state: JsonObject
  /** Template names in addition to those of the file: `item`, `index`. */
  readonly names: JsonObject
}

/** The result of work, and whether it may contain untrusted text. */
export type Performed = {
  readonly result: Json
  readonly isTainted: boolean
}

/** The same for a node, with the changes it would make to the state. */
export interface PerformedNode extends Performed {
  readonly changes: JsonObject
}

/** What all nodes of a file share in one execution. */
export interface AgentRun {
  readonly document: AgentDocument
  readonly parts: AgentParts
  readonly scope: AgentScope
  readonly secrets: AgentSecrets
  /** What the run was granted of the environment. */
  readonly given: GivenEnvironment
  /** Files that a node runs for each item of a list, by path. */
  readonly subgraphs: Readonly<Record<string, AgentDocument>>
  /** Nesting depth of files that run this one for an item. */
  readonly depth: number
  /** Values as the log may show them. */
  readonly shown: BoundTemplates
  /** Values as only an effect may see them. */
  readonly real: BoundTemplates
  /** The process per language of this execution. */
  session(): SandboxSession
  /** Runs a node of the file by name. */
  performNode(run: AgentRun, name: string, view: NodeView): Promise<PerformedNode>
  /** Runs the nodes of `run.document` from start to end and returns the last state. */
  runDocument(run: AgentRun, state: AgentState, context: RunContext): Promise<AgentState>
  /** The innermost node in which an error was thrown, and whether that is already logged. */
  readonly failedNodes: WeakMap<object, { readonly node: string; readonly isTold: boolean }>
}

/** The template language with the values that a file defines once. */
export interface BoundTemplates {
  readonly templates: Templates
  readonly constants: JsonObject
}

/** What runs of different files share in one execution. */
export interface AgentRunParts
  extends Pick<
    AgentRun,
    | 'parts'
    | 'given'
    | 'subgraphs'
    | 'depth'
    | 'session'
    | 'performNode'
    | 'runDocument'
    | 'failedNodes'
  > {}

/**
 * Opens what an execution needs for the nodes of a file. @throws `template_failed` for `settings` that cannot be
 * filled in
 */
export async function openAgentRun(
  document: AgentDocument,
  shared: AgentRunParts,
): Promise<AgentRun> {
  const { workspace, allow = [] } = shared.parts
  const secrets = findSecrets(document, shared.given)
  const { values, absent, lost, required } = secrets
  const shown = await bindMaskedTemplates(document, secrets)
  const isSame = values.length + absent.length + lost.length + required.length === 0
  const real = isSame ? shown : await bindRevealedTemplates(document, secrets)
  const scope: AgentScope = {
    name: document.name,
    variables: document.variables,
    settings: shown.constants.settings as JsonObject,
    workspace,
    allow,
  }
  return { ...shared, document, scope, secrets, shown, real }
}

function bindMaskedTemplates(
  document: AgentDocument,
  { shownEnvironment, shown }: AgentSecrets,
): Promise<BoundTemplates> {
  return bindTemplates(document, {
    templates: shownEnvironment,
    env: shownEnvironment,
    secrets: shown,
  })
}

/** For effects: a secret without a value is an error when read, not a text that could be mistaken for one. */
function bindRevealedTemplates(
  document: AgentDocument,
  { real, realEnvironment, absent, lost, required }: AgentSecrets,
): Promise<BoundTemplates> {
  const env = withAbsent(realEnvironment, lost)
  const templates = withRequired(env, required)
  return bindTemplates(document, { templates, env, secrets: withAbsent(real, absent) }, deferValues)
}

/** An object whose texts are filled in when read, so that unread ones require no secret. */
function deferValues(value: Json, fill: (value: Json) => Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fill(value)
  const members = Object.entries(value as JsonObject).map(([key, member = null]) => [
    key,
    { enumerable: true, get: () => deferValues(member, fill) },
  ])
  return Object.defineProperties({}, Object.fromEntries(members))
}

/** Values that fill in a file's texts. */
interface Sources {
  /** For `${NAME}`. */
  readonly templates: EnvironmentValues
  /** For `env.NAME`. */
  readonly env: EnvironmentValues
  /** For `secrets.NAME`. */
  readonly secrets: EnvironmentValues
}

async function bindTemplates(
  { variables, data, settings, initialState }: AgentDocument,
  { templates: environment, env, secrets }: Sources,
  fillWith: typeof deferValues = (value, fill) => fill(value),
): Promise<BoundTemplates> {
  const templates = await createTemplates(environment)
  const given = { variables, data, secrets, env, checkpoint: { dir: '', last: '' } }
  const names = { ...given, settings: settings.all, state: initialState }
  const filled = fillWith(settings.all, (value) => templates.render(value, names))
  return { templates, constants: { ...given, settings: filled } }
}

/** Fills in a template, or a value containing templates. @throws `template_failed` */
export function fillIn(
  reading: BoundTemplates,
  value: Json,
  view: NodeView,
  names: JsonObject = {},
): Json {
  const filled = reading.templates.render(value, listNames(reading, view, names))
  // What branch results share is written out with each of them.
  if (hasRecords(view.state)) checkSize(filled)
  return filled
}

/** Evaluates an expression. @throws `template_failed` */
export function evaluateAt({ shown }: AgentRun, expression: string, view: NodeView): Json {
  return shown.templates.evaluate(expression, listNames(shown, view))
}

/** Whether a condition holds; if that fails it does not, and the log says why. */
export function isConditionTrue(
  { shown }: AgentRun,
  { text, isNegated }: Condition,
  view: NodeView,
  name: string,
  names: JsonObject = {},
): boolean {
  const { value, problem } = shown.templates.isTrue(text, listNames(shown, view, names))
  if (problem === undefined) return value !== isNegated
  view.context.warn(
    name,
    `The condition ${text} counts as false because it cannot be evaluated: ${problem}`,
  )
  return false
}

function listNames(
  { constants }: BoundTemplates,
  { state, names }: NodeView,
  more: JsonObject = {},
): JsonObject {
  const seen = withRecords(visibleState(state))
  const { parallel_results: results } = state
  const made = memoize(() => (Array.isArray(results) ? expandRecords(results, seen) : null))
  const parallel = { parallel_results: { enumerable: true, configurable: true, get: made } }
  const first = Object.defineProperties({ state: seen }, parallel)
  const rest = Object.getOwnPropertyDescriptors({ ...constants, ...names, ...more })
  return Object.defineProperties(first, rest) as JsonObject
}

/** The document of a subgraph. @throws `invalid_agent_file` if the run was not started with it */
export function getSubgraph({ subgraphs, document }: AgentRun, path: string): AgentDocument {
  const found = Object.hasOwn(subgraphs, path) ? subgraphs[path] : undefined
  if (found !== undefined) return found
  throw new ScholiumError(
    'invalid_agent_file',
    `"${document.name}" runs ${path}, which was not part of the run when it started.`,
  )
}

/** The outcome of a piece of work. */
export interface WorkOutcome {
  readonly patch: AgentState
  readonly result: Json
}

/**
 * The state change that a result makes under an `output` rule.
 * @throws `template_failed`, `invalid_input` for a key that no state can have
 */
export function applyOutput(
  run: AgentRun,
  output: Output,
  result: Json,
  view: NodeView,
): AgentState {
  const whose = 'The output'
  switch (output.kind) {
    case 'key':
      return toPatch({ [output.key]: result }, whose)
    case 'map': {
      const names = { result, action_result: result }
      return toPatch(fillIn(run.shown, output.values, view, names) as JsonObject, whose)
    }
    case 'merge':
      return toPatch(isJsonObject(result) ? result : { result: result ?? '' }, whose)
  }
}
