import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { SandboxSession } from '../../tools/sandbox/sandbox-session.ts'
import type { AgentScope } from '../actions/action.ts'
import type { AgentDocument, Condition, Output } from '../document/agent-document.ts'
import type { EnvironmentValues } from '../templates/environment.ts'
import { createTemplates, type Templates } from '../templates/templates.ts'
import type { AgentParts } from './agent-parts.ts'
import { checkSize, holdsRecords, once, recordsIn, withRecords } from './branch-record.ts'
import {
  type AgentSecrets,
  type GivenEnvironment,
  secretsOf,
  withAbsent,
  withRequired,
} from './secrets.ts'
import { type AgentState, asPatch, visibleState } from './state.ts'

/** Where in a run a piece of work is done, and what it sees. */
export interface Site {
  readonly context: RunContext
  readonly state: JsonObject
  /** Names for templates beside those of the file: `item`, `index`. */
  readonly names: JsonObject
}

/** What a piece of work gave, and whether somebody from elsewhere may have written it. */
export interface Performed {
  readonly result: Json
  readonly isTainted: boolean
}

/** The same of a node, with what it would change in the state. */
export interface PerformedNode extends Performed {
  readonly changes: JsonObject
}

/** What is the same for all nodes of one file in one execution. */
export interface AgentRun {
  readonly document: AgentDocument
  readonly parts: AgentParts
  readonly scope: AgentScope
  readonly secrets: AgentSecrets
  /** What of the environment the run was given. */
  readonly given: GivenEnvironment
  /** Files that a node runs for each item of a list, by path. */
  readonly subgraphs: Readonly<Record<string, AgentDocument>>
  /** How many files around this one run it for an item of a list. */
  readonly depth: number
  /** For what the log may show. */
  readonly shown: Reading
  /** For what only an effect may see. */
  readonly real: Reading
  /** The one process a language of this execution. */
  session(): SandboxSession
  /** Does a node of the file by its name. */
  performNode(run: AgentRun, name: string, site: Site): Promise<PerformedNode>
  /** Runs the nodes of a file, `run.document`, from its start to its end: the last state. */
  runDocument(run: AgentRun, state: AgentState, context: RunContext): Promise<AgentState>
  /** The innermost node in which an error was thrown, and whether the log says so already. */
  readonly nodeOf: WeakMap<object, { readonly node: string; readonly isTold: boolean }>
}

/** The template language with what a file says once for all. */
export interface Reading {
  readonly templates: Templates
  readonly constants: JsonObject
}

/** What runs of different files in one execution share. */
export interface AgentRunParts
  extends Pick<
    AgentRun,
    'parts' | 'given' | 'subgraphs' | 'depth' | 'session' | 'performNode' | 'runDocument' | 'nodeOf'
  > {}

/** What one execution has for the nodes of a file. @throws `template_failed` for `settings` that cannot be filled in */
export async function openAgentRun(
  document: AgentDocument,
  shared: AgentRunParts,
): Promise<AgentRun> {
  const { workspace, allow = [] } = shared.parts
  const secrets = secretsOf(document, shared.given)
  const { values, absent, lost, required } = secrets
  const shown = await shownReading(document, secrets)
  const isSame = values.length + absent.length + lost.length + required.length === 0
  const real = isSame ? shown : await realReading(document, secrets)
  const scope: AgentScope = {
    name: document.name,
    variables: document.variables,
    settings: shown.constants.settings as JsonObject,
    workspace,
    allow,
  }
  return { ...shared, document, scope, secrets, shown, real }
}

function shownReading(
  document: AgentDocument,
  { shownEnvironment, shown }: AgentSecrets,
): Promise<Reading> {
  return reading(document, { templates: shownEnvironment, env: shownEnvironment, secrets: shown })
}

/** For effects: a secret without a value is no text that could be taken for one, but an error where it is read. */
function realReading(
  document: AgentDocument,
  { real, realEnvironment, absent, lost, required }: AgentSecrets,
): Promise<Reading> {
  const env = withAbsent(realEnvironment, lost)
  const templates = withRequired(env, required)
  return reading(document, { templates, env, secrets: withAbsent(real, absent) }, lazily)
}

/** A map whose texts are filled in where they are read: what nobody reads needs no secret. */
function lazily(value: Json, fill: (value: Json) => Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fill(value)
  const members = Object.entries(value as JsonObject).map(([key, member = null]) => [
    key,
    { enumerable: true, get: () => lazily(member, fill) },
  ])
  return Object.defineProperties({}, Object.fromEntries(members))
}

/** What texts of a file are filled in with. */
interface Sources {
  /** For `${NAME}`. */
  readonly templates: EnvironmentValues
  /** For `env.NAME`. */
  readonly env: EnvironmentValues
  /** For `secrets.NAME`. */
  readonly secrets: EnvironmentValues
}

async function reading(
  { variables, data, settings, initialState }: AgentDocument,
  { templates: environment, env, secrets }: Sources,
  fillWith: typeof lazily = (value, fill) => fill(value),
): Promise<Reading> {
  const templates = await createTemplates(environment)
  const given = { variables, data, secrets, env, checkpoint: { dir: '', last: '' } }
  const names = { ...given, settings: settings.all, state: initialState }
  const filled = fillWith(settings.all, (value) => templates.render(value, names))
  return { templates, constants: { ...given, settings: filled } }
}

/** A template, or a value with templates in it, filled in at a place. @throws `template_failed` */
export function fillIn(reading: Reading, value: Json, site: Site, names: JsonObject = {}): Json {
  const filled = reading.templates.render(value, namesAt(reading, site, names))
  // What the results of branches share is written out with each of them.
  if (holdsRecords(site.state)) checkSize(filled)
  return filled
}

/** What an expression gives at a place. @throws `template_failed` */
export function evaluateAt({ shown }: AgentRun, expression: string, site: Site): Json {
  return shown.templates.evaluate(expression, namesAt(shown, site))
}

/** Whether a condition holds at a place; where that cannot be told it does not, and the log says why. */
export function holdsAt(
  { shown }: AgentRun,
  { text, isNegated }: Condition,
  site: Site,
  name: string,
  names: JsonObject = {},
): boolean {
  const { value, problem } = shown.templates.isTrue(text, namesAt(shown, site, names))
  if (problem === undefined) return value !== isNegated
  site.context.warn(
    name,
    `The condition ${text} does not hold, because it cannot be read: ${problem}`,
  )
  return false
}

function namesAt(
  { constants }: Reading,
  { state, names }: Site,
  more: JsonObject = {},
): JsonObject {
  const seen = withRecords(visibleState(state))
  const { parallel_results: results } = state
  const made = once(() => (Array.isArray(results) ? recordsIn(results, seen) : null))
  const parallel = { parallel_results: { enumerable: true, configurable: true, get: made } }
  const first = Object.defineProperties({ state: seen }, parallel)
  const rest = Object.getOwnPropertyDescriptors({ ...constants, ...names, ...more })
  return Object.defineProperties(first, rest) as JsonObject
}

/** The document of a subgraph. @throws `invalid_agent_file` when it is not among those the run was begun with */
export function subgraphOf({ subgraphs, document }: AgentRun, path: string): AgentDocument {
  const found = Object.hasOwn(subgraphs, path) ? subgraphs[path] : undefined
  if (found !== undefined) return found
  throw new ScholiumError(
    'invalid_agent_file',
    `"${document.name}" runs ${path}, which the run was begun without.`,
  )
}

/** What a piece of work came to. */
export interface Done {
  readonly patch: AgentState
  readonly result: Json
}

/**
 * What a result changes in the state, by the rule of its `output`.
 * @throws `template_failed`, `invalid_input` for a key that no state can have
 */
export function patchOf(run: AgentRun, output: Output, result: Json, site: Site): AgentState {
  const whose = 'The output'
  switch (output.kind) {
    case 'key':
      return asPatch({ [output.key]: result }, whose)
    case 'map': {
      const names = { result, action_result: result }
      return asPatch(fillIn(run.shown, output.values, site, names) as JsonObject, whose)
    }
    case 'merge':
      return asPatch(isJsonObject(result) ? result : { result: result ?? '' }, whose)
  }
}
