import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import type { ActionCall, ComposedAction } from '../action.ts'
import { runConcurrently } from './ask-agent.ts'
import {
  defineComposedAction,
  failedResult,
  requireModelFailure,
  toText,
} from './composed-action.ts'
import { applyLlmSettings, chooseActionModel, type Providers } from './model-choice.ts'
import { modelParams } from './model-params.ts'
import {
  collectResults,
  computeProgress,
  countByStatus,
  isOver,
  type Plan,
  readPlan,
  type Subtask,
  toJson,
  withSubtasks,
} from './plan.ts'
import { countReplans, planDecomposeAction, planReplanAction, replan } from './plan-decompose.ts'
import {
  type AttemptOutcome,
  getWords,
  type InlineAction,
  inlineActionSchema,
  parseInlineAction,
  retryWork,
} from './written-work.ts'

/** `plan.*`: goals divided into subtasks. */
export function planActions(providers: Providers): readonly ComposedAction[] {
  return [
    planDecomposeAction(providers),
    planExecuteAction(providers),
    planReplanAction(providers),
    statusAction(),
  ]
}

function statusAction(): ComposedAction {
  return defineComposedAction({
    name: 'plan.status',
    description: 'Reports the progress of a plan.',
    readsState: true,
    params: z.strictObject({
      plan: z.json().optional().describe('The plan. Default: state.plan.'),
      include_completed: z
        .boolean()
        .nullish()
        .describe('Whether to list completed subtasks. Default true.'),
      include_details: z.boolean().nullish().describe('Whether to list subtasks. Default false.'),
    }),
    result:
      '{status: {total, pending, in_progress, completed, failed, skipped}, the same counts at the top level, progress (0 to 1: share completed or skipped), plan_id, goal, subtasks (with include_details), success}. Without a plan: {error, success: false}.',
    run: async (given, call) => {
      const read = readPlan((given.plan as Json | undefined) ?? call.state.plan)
      if (!read.ok) return failedResult(read.error)
      const { plan } = read
      const listed = plan.subtasks.filter(
        ({ status }) => given.include_completed !== false || status !== 'completed',
      )
      const counts = countByStatus(plan)
      return {
        ...counts,
        status: counts,
        progress: computeProgress(plan),
        plan_id: plan.id,
        goal: plan.goal,
        ...(given.include_details ? { subtasks: listed } : {}),
        success: true,
      }
    },
  })
}

const params = z.strictObject({
  plan: z.json().optional().describe('The plan. Default: state.plan.'),
  parallel: z
    .boolean()
    .nullish()
    .describe('Whether independent subtasks run in parallel. Default false.'),
  max_concurrent: z
    .int()
    .min(1)
    .max(1_000)
    .nullish()
    .describe('How many run in parallel. Default 3.'),
  subtask_executor: inlineActionSchema
    .nullish()
    .describe(
      'The action for a subtask: {action, with}; its templates can read subtask, state.subtask_results and state.current_subtask. Default: llm.call with the description and the results it depends on.',
    ),
  on_subtask_failure: z
    .enum(['abort', 'retry', 'replan', 'skip'])
    .nullish()
    .describe(
      'abort (stop the plan), retry (retry, then abort), replan (replan the remaining work), skip (continue without it). Default abort.',
    ),
  max_retries: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .describe('For retry: retries per subtask. Default 2.'),
  retry_delay: z
    .number()
    .min(0)
    .max(3_600)
    .nullish()
    .describe('For retry: seconds before the first retry, doubled each time. Default 1.'),
  max_replans: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .describe('For replan: maximum number of replans. Default 2.'),
  ...modelParams,
})

type ExecuteParams = z.output<typeof params>

/** `plan.execute`. */
function planExecuteAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'plan.execute',
    description: 'Executes the subtasks of a plan in order of their dependencies.',
    lateParams: ['subtask_executor'],
    params,
    result:
      '{plan, subtask_results: {id: result}, plan_status: {total, pending, in_progress, completed, failed, skipped}, replan_count, planning_trace, success}; if a subtask failed, also error, failed_subtask, failure_reason and success: false. Without a plan: {error, success: false}.',
    run: async (given, call) => {
      const read = readPlan((given.plan as Json | undefined) ?? call.state.plan)
      if (!read.ok) return failedResult(read.error)
      return new PlanExecution(given, call, providers, reopenPlan(read.plan)).run()
    },
  })
}

/** Subtasks that were in progress or failed are to be done again. */
function reopenPlan(plan: Plan): Plan {
  const subtasks = plan.subtasks.map(
    (subtask): Subtask =>
      isOver(subtask.status) ? subtask : { ...subtask, status: 'pending', error: null },
  )
  return { ...plan, subtasks }
}

interface Failed {
  readonly id: string
  readonly reason: string
}

/** One execution of a plan, in batches whose order does not depend on timing. */
class PlanExecution {
  private readonly given: ExecuteParams
  private readonly call: ActionCall
  private readonly providers: Providers
  private readonly executor: InlineAction
  private readonly trace: JsonObject[] = []
  private plan: Plan
  private before: JsonObject

  constructor(given: ExecuteParams, call: ActionCall, providers: Providers, plan: Plan) {
    this.given = given
    this.call = call
    this.providers = providers
    this.plan = plan
    this.executor = findExecutor(given)
    const { subtask_results: before } = call.state
    this.before = isJsonObject(before) ? before : {}
  }

  async run(): Promise<JsonObject> {
    const replansBefore = countReplans(this.plan)
    for (let number = 1; ; number++) {
      const batch = this.nextBatch()
      if (batch.length === 0) return this.result()
      const failed = await this.doBatch(batch, this.call.context.child(`batch[${number}]`))
      if (failed === undefined) continue
      const replans = countReplans(this.plan) - replansBefore
      const mayReplan =
        this.given.on_subtask_failure === 'replan' && replans < (this.given.max_replans ?? 2)
      if (!mayReplan || !(await this.planAnew(failed, number))) return this.result(failed)
    }
  }

  private nextBatch(): readonly Subtask[] {
    const { subtasks } = this.plan
    const over = new Set(subtasks.flatMap(({ id, status }) => (isOver(status) ? [id] : [])))
    const ready = subtasks.filter(
      ({ status, dependencies }) =>
        status === 'pending' && dependencies.every((id) => over.has(id)),
    )
    return ready.slice(0, this.given.parallel ? (this.given.max_concurrent ?? 3) : 1)
  }

  /** Runs some subtasks concurrently; returns the first one that ends the plan. */
  private async doBatch(
    batch: readonly Subtask[],
    context: RunContext,
  ): Promise<Failed | undefined> {
    const { on_subtask_failure: onFailure, max_retries: retries, retry_delay: delay } = this.given
    const rule = {
      retries: onFailure === 'retry' ? (retries ?? 2) : 0,
      delayMs: (delay ?? 1) * 1_000,
    }
    const done = this.results()
    const outcomes = await runConcurrently(
      context,
      'subtask',
      batch,
      batch.length,
      (subtask, inside) => retryWork(inside, rule, (place) => this.doSubtask(subtask, done, place)),
    )
    const changes = new Map(
      batch.map((subtask, index) => [
        subtask.id,
        toStateChange(outcomes[index] as AttemptOutcome, onFailure === 'skip'),
      ]),
    )
    this.plan = withSubtasks(this.plan, changes)
    for (const { id } of batch)
      this.note('subtask_end', { subtask: id, status: changes.get(id)?.status ?? '' })
    const [first] = batch.filter(({ id }) => changes.get(id)?.status === 'failed')
    return first && { id: first.id, reason: changes.get(first.id)?.error ?? '' }
  }

  private doSubtask(subtask: Subtask, done: JsonObject, context: RunContext): Promise<Json> {
    const shown: JsonObject = subtask
    const inside = { subtask_results: done, current_subtask: shown }
    const names = { subtask: shown, ...inside, subtask_prompt: renderPrompt(subtask, done) }
    const { name = '', params } = this.executor
    return this.call.withState(inside).performWritten(name, params, context, names)
  }

  /** Whether the remaining work was planned again. */
  private async planAnew({ id, reason }: Failed, number: number): Promise<boolean> {
    const context = this.call.context.child(`replan[${number}]`)
    const settings = applyLlmSettings(this.call, this.given, this.providers)
    try {
      const model = await chooseActionModel(context, 'plan.execute', settings, this.providers)
      const { plan, added } = await replan(
        context,
        model,
        this.plan,
        `The subtask ${id} failed: ${reason}`,
      )
      this.plan = plan
      this.note('replan', { failed_subtask: id, new_subtasks: added })
      return true
    } catch (thrown) {
      const { message } = requireModelFailure(thrown, this.call.context)
      await context.notice('failed', 'warning', message)
      await context.reachBoundary('turn.done', 'failed', {})
      this.note('replan_failed', { failed_subtask: id, error: message })
      return false
    }
  }

  private results(): JsonObject {
    return { ...this.before, ...collectResults(this.plan) }
  }

  private note(step: string, facts: JsonObject): void {
    this.trace.push({ step, timestamp: this.call.context.now() / 1_000, ...facts })
  }

  private result(failed?: Failed): JsonObject {
    const facts = {
      plan: toJson(this.plan),
      subtask_results: this.results(),
      plan_status: countByStatus(this.plan),
      replan_count: countReplans(this.plan),
      planning_trace: this.trace,
    }
    if (failed === undefined) return { ...facts, success: true }
    const { id, reason } = failed
    const error = `The subtask ${id} failed: ${reason}`
    return { ...facts, error, failed_subtask: id, failure_reason: reason, success: false }
  }
}

function toStateChange(outcome: AttemptOutcome, isSkipped: boolean): Partial<Subtask> {
  if (outcome.ok)
    return { status: 'completed', result: getWords(outcome.result) as Subtask['result'] }
  return { status: isSkipped ? 'skipped' : 'failed', error: outcome.error }
}

function findExecutor({ subtask_executor: written }: ExecuteParams): InlineAction {
  const { name = 'llm.call', params: own } = parseInlineAction(written ?? {})
  const asksItself = own.messages !== undefined || own.prompt !== undefined || name !== 'llm.call'
  // Passed as a template value, so that the planner's text is never read as a template.
  const asked = asksItself
    ? {}
    : {
        system: 'You do one subtask of a larger plan. Give its result alone.',
        prompt: '{{ subtask_prompt }}',
      }
  const isDispatch = name === 'agent.dispatch' && own.task === undefined
  return {
    name,
    params: { ...asked, ...(isDispatch ? { task: '{{ subtask_prompt }}' } : {}), ...own },
  }
}

function renderPrompt({ description, dependencies }: Subtask, done: JsonObject): string {
  const needed = dependencies.map(
    (id) => `<result of="${id}">\n${toText(done[id] ?? null)}\n</result>`,
  )
  return [`Subtask: ${description}`, ...needed].join('\n\n')
}
