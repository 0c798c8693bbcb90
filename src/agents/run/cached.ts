import { hashJson, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { describedOnce } from '../../kernel/run/described-once.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { Action } from '../actions/action.ts'
import { modelsAsked } from '../actions/composed/model-choice.ts'
import {
  type AgentDocument,
  type CacheRule,
  type Common,
  dottedName,
  type Task,
  tasksOf,
} from '../document/agent-document.ts'
import { documentHash } from './agent-input.ts'
import { type AgentRun, fillIn, type Performed, type Site } from './agent-run.ts'
import { fillParams, withExtraction } from './do-action.ts'
import { readsSecret } from './secrets.ts'
import { isTaintedState, visibleState } from './state.ts'

/** A task whose result may be kept. */
export type Performable = Exclude<Task, { readonly kind: 'expression' }> & Common

/** Work whose result is kept for the same key; one that says that it failed is not, nor what a secret went into. */
export async function cached(
  run: AgentRun,
  task: Performable,
  site: Site,
  work: () => Promise<Performed>,
): Promise<Performed> {
  const { cache } = run.parts
  if (task.cache === undefined || cache === undefined || usesSecret(run, task)) return work()
  const { context } = site
  const key = keyOf(run, task, task.cache, site)
  const found = await context.step('cache', 'read', { key }, async () => {
    const value = await cache.get(key)
    return value === undefined ? null : { value }
  })
  if (found !== null) {
    const { result, isTainted } = found.value as unknown as Performed
    return { result, isTainted: isTainted || isTaintedState(site.state) }
  }
  const performed = await work()
  const { ttlSeconds } = task.cache
  if (!hasFailed(performed.result)) {
    // What is kept twice is kept the same, so it may be repeated.
    await context.step('keep', 'read', { key }, async () => {
      await cache.set(key, { ...performed }, ttlSeconds)
      return null
    })
  }
  return performed
}

/** Says once which results of a file are not kept although it asks for that. */
export async function tellOfUncached(run: AgentRun, context: RunContext): Promise<void> {
  const tasks = run.document.nodes.flatMap(tasksOf)
  const names = tasks
    .filter((task): task is Performable => task.kind !== 'expression' && task.cache !== undefined)
    .filter((task) => usesSecret(run, task))
    .map(({ name }) => name)
  if (names.length === 0) return
  const text = `What ${names.join(', ')} of ${run.document.name} gives is not kept from run to run: a secret goes into it.`
  await context.notice(`cache of ${run.document.name}`, 'warning', text)
}

/** An action that does others is judged by the whole file, of which it may do any node. */
function usesSecret(run: AgentRun, task: Performable): boolean {
  if (readsSecret(run, (task.cache?.key ?? null) as Json)) return true
  if (task.kind === 'code') return false
  const nodes = run.document.nodes as unknown as Json
  return readsSecret(run, seesState(run, task) ? nodes : task.params)
}

const hashOf: (document: AgentDocument) => string = describedOnce(documentHash)

/** All that a result may depend on: the file, what of it does the work, the models that it may ask, and what that is given. */
function keyOf(run: AgentRun, task: Performable, rule: CacheRule, site: Site): string {
  const { document, given, parts } = run
  const facts = {
    document: hashOf(document),
    task: task as unknown as Json,
    environment: { ...given.plain },
    workspace: parts.workspace,
    models: task.kind === 'code' ? null : modelsAsked(actionOf(run, task), site.context, run.scope),
    input: rule.key === undefined ? inputOf(run, task, site) : fillIn(run.shown, rule.key, site),
  }
  return `${document.name}/${task.name}/${hashJson(facts)}`
}

function inputOf(run: AgentRun, task: Performable, site: Site): JsonObject {
  const state = { state: visibleState(site.state), names: site.names }
  if (task.kind === 'code') return state
  const written = withExtraction(run.document, task.action, task.params, site.state)
  if (seesState(run, task)) return { params: written, ...state }
  return { params: fillParams(run, written, site).shown }
}

/** Whether an action sees more than its parameters, as they are filled in before it begins. */
function seesState(run: AgentRun, task: ActionTask): boolean {
  const action = actionOf(run, task)
  if (action?.kind !== 'composed') return false
  return action.readsState === true || (action.lateParams ?? []).length > 0
}

type ActionTask = Extract<Performable, { kind: 'action' }>

function actionOf({ parts }: AgentRun, { action }: ActionTask): Action | undefined {
  return parts.actions.get(dottedName(action))
}

function hasFailed(result: Json): boolean {
  return isJsonObject(result) && (result.success === false || result.error !== undefined)
}
