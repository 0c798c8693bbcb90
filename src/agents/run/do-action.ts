import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { findNonJson, hashJson, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import type { Action, ActionCall, ComposedAction, ToolAction } from '../actions/action.ts'
import { type AgentDocument, toDottedName } from '../document/agent-document.ts'
import type { Templates } from '../templates/templates.ts'
import { type AgentRun, fillIn, type NodeView, type Performed } from './agent-run.ts'
import { runCode } from './do-code.ts'
import { mayReadSecret } from './secrets.ts'
import { isTaintedState, visibleState } from './state.ts'

/** Fills in an action's parameters, except late ones. @throws `template_failed` */
export function fillParams(
  run: AgentRun,
  params: JsonObject,
  view: NodeView,
  {
    late = [],
    names = {},
  }: { readonly late?: readonly string[]; readonly names?: JsonObject } = {},
): Filled {
  const now = Object.entries(params).filter(([key]) => !late.includes(key))
  const later = Object.fromEntries(Object.entries(params).filter(([key]) => late.includes(key)))
  const written = Object.fromEntries(now) as JsonObject
  const inside = { ...view, names: { ...view.names, ...names } }
  const filled = (reading: AgentRun['shown']) => ({
    ...(fillIn(reading, written, inside) as JsonObject),
    ...later,
  })
  const shown = filled(run.shown)
  const revealed = () => (run.real === run.shown ? shown : filled(run.real))
  return { shown, revealed }
}

/**
 * Performs an action with parameters as written in the file. @throws `invalid_agent_file`, `invalid_input`, what the
 * action throws
 */
export function performWritten(
  run: AgentRun,
  name: string,
  params: JsonObject,
  view: NodeView,
): Promise<Performed> {
  const action = getAction(run, name)
  const late = action.kind === 'composed' ? (action.lateParams ?? []) : []
  const all = addExtractionParams(run.document, name, params, view.state)
  return performFilled(run, action, fillParams(run, all, view, { late }), view)
}

/** An action by name. @throws `invalid_agent_file` if there is none */
export function getAction({ parts, document }: AgentRun, written: string): Action {
  const name = toDottedName(written)
  const action = parts.actions.get(name)
  const isOff = action?.needs !== undefined && document.features[action.needs] === false
  if (action !== undefined && !isOff) return action
  const why = isOff ? `features.${action.needs} of the file disables it` : 'it does not exist'
  const names = parts.actions.all.map((known) =>
    known.kind === 'tool' ? known.tool.name : known.name,
  )
  const meant = isOff ? undefined : findNearest(name, names)
  throw new ScholiumError('invalid_agent_file', `The action ${name} cannot be used: ${why}.`, {
    ...(meant === undefined ? {} : { hint: `Did you mean ${meant}?` }),
  })
}

function performFilled(
  run: AgentRun,
  action: Action,
  given: Filled,
  view: NodeView,
): Promise<Performed> {
  const filled = fitParams(action, given, run.shown.templates)
  return action.kind === 'tool'
    ? callTool(action, filled, view)
    : compose(run, action, filled, view)
}

async function compose(
  run: AgentRun,
  action: ComposedAction,
  filled: Filled,
  view: NodeView,
): Promise<Performed> {
  const parsed = action.params.safeParse(filled.shown)
  if (!parsed.success)
    throw createBadParamsError(action.name, parsed.error.issues.map(formatIssue).join('; '))
  const taint = { isTainted: isTaintedState(view.state) }
  const revealed = () => action.params.parse(filled.revealed()) as JsonObject
  const shown = parsed.data as JsonObject
  const call = createActionCall(run, { shown, revealed }, view, taint)
  const result = (await action.run(shown, call)) ?? null
  const place = findNonJson(result)
  if (place !== undefined)
    throw new ScholiumError(
      'tool_failed',
      `${action.name} returned a value at ${place} that cannot be represented in JSON.`,
    )
  return { result, isTainted: taint.isTainted }
}

function formatIssue(issue: {
  readonly path: readonly PropertyKey[]
  readonly message: string
}): string {
  return issue.path.length === 0
    ? issue.message
    : `${issue.path.map(String).join('.')}: ${issue.message}`
}

function createActionCall(
  run: AgentRun,
  filled: Filled,
  view: NodeView,
  taint: { isTainted: boolean },
): ActionCall {
  const { state, names } = view
  const taking = async <Done extends Performed>(performed: Promise<Done>) => {
    const done = await performed
    taint.isTainted ||= done.isTainted
    return done
  }
  const at = (context: RunContext, more: JsonObject = {}): NodeView => ({
    context,
    state,
    names: { ...names, ...more },
  })
  return {
    context: view.context,
    state: visibleState(state),
    scope: run.scope,
    actions: run.parts.actions,
    get isTainted() {
      return taint.isTainted
    },
    taint() {
      taint.isTainted = true
    },
    render: (value, more = {}) => fillIn(run.shown, value, view, more),
    revealed: filled.revealed,
    readsSecret: (written) => mayReadSecret(run, written),
    perform: async (name, params, context) => {
      const given = { shown: params, revealed: () => params }
      return (await taking(performFilled(run, getAction(run, name), given, at(context)))).result
    },
    performWritten: async (name, params, context, more) =>
      (await taking(performWritten(run, name, params, at(context, more)))).result,
    performNode: async (name, context, more) =>
      taking(run.performNode(run, name, at(context, more))),
    runCode: (code, context, more) => runCode(run, code, at(context, more)),
    withState: (changes) =>
      createActionCall(run, filled, { ...view, state: { ...state, ...changes } }, taint),
  }
}

/** Calls a tool as one step, as an agent would: with its hooks, its timeout, and counted against the run's limit. */
async function callTool(
  { tool, calculates, keeps }: ToolAction,
  filled: Filled,
  { context, state }: NodeView,
): Promise<Performed> {
  const { hooks } = context.services
  const report = (text: string) => context.warn('hook', text)
  const call = {
    type: 'tool-call' as const,
    toolCallId: context.id('call'),
    toolName: tool.name,
    input: filled.shown as Json,
  }
  const { input } = await hooks.run('tool:call:before', call, report)
  const isShown = input !== filled.shown || calculates === true || tool.effect === 'pure'
  const parsed = parseFor(tool, input)
  const isTainted = isTaintedState(state)
  const output = await context.step(
    'call',
    tool.effect,
    { tool: tool.name, input: parsed },
    async ({ signal, key }) => {
      const given = isShown ? parsed : parseFor(tool, filled.revealed())
      if (keeps && given !== parsed && hashJson(given) !== hashJson(parsed)) return secretNotStored
      return tool.execute(given, {
        signal,
        key,
        emit: (data) => context.emit('progress', data, 'call'),
        ...(isTainted ? { isTainted } : {}),
      })
    },
    {
      label: tool.name,
      timeoutMs: tool.timeoutMs,
      reservation: { steps: 1, tokens: 0, costUsd: 0 },
    },
  )
  const result = await hooks.run('tool:call:after', output, report)
  return { result, isTainted: isTainted || tool.untrusted !== undefined }
}

/** For secrets and what templates made of them, which nothing would recognize as secret later. */
const secretNotStored: JsonObject = {
  error: 'It contains the value of a secret, which is never stored.',
  success: false,
  error_type: 'secret',
}

function parseFor(tool: Tool, input: unknown): Json {
  const parsed = tool.parse(input)
  if (parsed.ok) return parsed.value
  throw createBadParamsError(tool.name, parsed.reason)
}

function createBadParamsError(name: string, reason: string): ScholiumError {
  return new ScholiumError('invalid_input', `Invalid parameters for ${name}: ${reason}`)
}

/** Filled-in parameters. */
interface Filled {
  /** As the log may show them. */
  readonly shown: JsonObject
  /** With real secrets. */
  revealed(): JsonObject
}

/**
 * Converts parameters to the types an action expects where a template returned another: text to a number, boolean,
 * list or object; a number to text; null counts as absent where it is not allowed. Missing parameters stay missing.
 */
function fitParams({ params }: Action, filled: Filled, templates: Templates): Filled {
  const parsed = params.safeParse(filled.shown)
  if (parsed.success) return filled
  const { issues } = parsed.error
  const wanted = (type: string) =>
    issues.flatMap((issue) =>
      issue.code === 'invalid_type' && issue.expected === type ? [issue.path.map(String)] : [],
    )
  const [texts, numbers] = [wanted('string'), wanted('number')]
  const absent = issues.flatMap(({ path: [key, ...rest] }) =>
    rest.length === 0 && filled.shown[String(key)] === null ? [String(key)] : [],
  )
  if (texts.length + numbers.length + absent.length === 0) return filled
  const inForm = (given: JsonObject) => {
    const named = Object.entries(given).filter(([key]) => !absent.includes(key))
    const asTexts = texts.reduce<Json>(
      (all, path) => readText(all, path, templates),
      Object.fromEntries(named) as JsonObject,
    )
    return numbers.reduce(readNumber, asTexts as JsonObject)
  }
  return { shown: inForm(filled.shown), revealed: () => inForm(filled.revealed()) }
}

function readNumber(params: JsonObject, [key = '', inner]: readonly string[]): JsonObject {
  const { [key]: text } = params
  if (inner !== undefined || typeof text !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(text))
    return params
  return { ...params, [key]: Number(text) }
}

function readText(value: Json, [key, ...rest]: readonly string[], templates: Templates): Json {
  if (key === undefined) return value === null ? null : templates.evaluate('"" ~ value', { value })
  if (Array.isArray(value))
    return value.map((item, index) => (`${index}` === key ? readText(item, rest, templates) : item))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  return { ...value, [key]: readText((value as JsonObject)[key] ?? null, rest, templates) }
}

const extractionActions = ['validate.extraction', 'validate.generate_prompt']

/** Adds the file's extraction schema and the state's extractions as default parameters. */
export function addExtractionParams(
  { extractionSchema }: AgentDocument,
  action: string,
  params: JsonObject,
  state: JsonObject,
): JsonObject {
  if (!extractionActions.includes(action)) return params
  const schema = extractionSchema === undefined ? {} : { extraction_schema: extractionSchema }
  if (action !== 'validate.extraction') return { ...schema, ...params }
  const found = ['entities', 'relationships'].filter((key) => Array.isArray(state[key]))
  const extracted = Object.fromEntries(found.map((key) => [key, `{{ state.${key} }}`]))
  return { ...schema, ...extracted, ...params }
}
