import { hashJson, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { memoizeByIdentity } from '../../kernel/run/memoize-by-identity.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { Action } from '../actions/action.ts'
import { findModelsAsked } from '../actions/composed/model-choice.ts'
import {
  type AgentDocument,
  type CacheRule,
  type Common,
  listTasks,
  type Task,
  toDottedName,
} from '../document/agent-document.ts'
import { documentHash } from './agent-input.ts'
import { type AgentRun, fillIn, type NodeView, type Performed } from './agent-run.ts'
import { addExtractionParams, fillParams } from './do-action.ts'
import { mayReadSecret } from './secrets.ts'
import { isTaintedState, visibleState } from './state.ts'

/** A task whose result may be cached. */
export type Performable = Exclude<Task, { readonly kind: 'expression' }> & Common

/** Runs work whose result is cached by key. Results that report failure or involve a secret are not cached. */
export async function runCached(
  run: AgentRun,
  task: Performable,
  view: NodeView,
  work: () => Promise<Performed>,
): Promise<Performed> {
  const { cache } = run.parts
  if (task.cache === undefined || cache === undefined || usesSecret(run, task)) return work()
  const { context } = view
  const key = createCacheKey(run, task, task.cache, view)
  const found = await context.step('cache', 'read', { key }, async () => {
    const value = await cache.get(key)
    return value === undefined ? null : { value }
  })
  if (found !== null) {
    const { result, isTainted } = found.value as Performed
    return { result, isTainted: isTainted || isTaintedState(view.state) }
  }
  const performed = await work()
  const { ttlSeconds } = task.cache
  if (!isFailedResult(performed.result)) {
    // Storing the same value twice is harmless, so this may be repeated.
    await context.step('keep', 'read', { key }, async () => {
      await cache.set(key, { ...performed }, ttlSeconds)
      return null
    })
  }
  return performed
}

/** Notes once which results of a file are not cached although it asks for it. */
export async function noticeUncached(run: AgentRun, context: RunContext): Promise<void> {
  const tasks = run.document.nodes.flatMap(listTasks)
  const names = tasks
    .filter((task): task is Performable => task.kind !== 'expression' && task.cache !== undefined)
    .filter((task) => usesSecret(run, task))
    .map(({ name }) => name)
  if (names.length === 0) return
  const text = `The result of ${names.join(', ')} in ${run.document.name} is not cached between runs because it depends on a secret.`
  await context.notice(`cache of ${run.document.name}`, 'warning', text)
}

/** An action that performs others is judged by the whole file, since it may run any node. */
function usesSecret(run: AgentRun, task: Performable): boolean {
  if (mayReadSecret(run, task.cache?.key ?? null)) return true
  if (task.kind === 'code') return false
  return mayReadSecret(run, dependsOnState(run, task) ? run.document.nodes : task.params)
}

const hashInput: (document: AgentDocument) => string = memoizeByIdentity(documentHash)

/** Everything a result may depend on: the file, the work, the models it may call and their settings. */
function createCacheKey(run: AgentRun, task: Performable, rule: CacheRule, view: NodeView): string {
  const { document, given, parts } = run
  const facts = {
    document: hashInput(document),
    task,
    environment: { ...given.plain },
    workspace: parts.workspace,
    models:
      task.kind === 'code' ? null : findModelsAsked(findAction(run, task), view.context, run.scope),
    input:
      rule.key === undefined ? readCacheInput(run, task, view) : fillIn(run.shown, rule.key, view),
  }
  return `${document.name}/${task.name}/${hashJson(facts)}`
}

function readCacheInput(run: AgentRun, task: Performable, view: NodeView): JsonObject {
  const state = { state: visibleState(view.state), names: view.names }
  if (task.kind === 'code') return state
  const written = addExtractionParams(run.document, task.action, task.params, view.state)
  if (dependsOnState(run, task)) return { params: written, ...state }
  return { params: fillParams(run, written, view).shown }
}

/** Whether an action sees more than its filled-in parameters. */
function dependsOnState(run: AgentRun, task: ActionTask): boolean {
  const action = findAction(run, task)
  if (action?.kind !== 'composed') return false
  return action.readsState === true || (action.lateParams ?? []).length > 0
}

type ActionTask = Extract<Performable, { kind: 'action' }>

function findAction({ parts }: AgentRun, { action }: ActionTask): Action | undefined {
  return parts.actions.get(toDottedName(action))
}

function isFailedResult(result: Json): boolean {
  return isJsonObject(result) && (result.success === false || result.error !== undefined)
}
