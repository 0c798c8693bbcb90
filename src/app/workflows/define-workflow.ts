import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Effect } from '../../kernel/run/event.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import type { StepAttempt } from '../../kernel/step/step-attempt.ts'
import type { WorkflowQuestion } from '../questions.ts'
import { checkValue, type StandardSchema } from './own-schema.ts'

/** Options of a step. */
export interface StepSettings {
  /**
   * Whether it only computes (`pure`), reads from outside (`read`) or changes something (`write`). After a crash, an interrupted
   * `read` is repeated; an interrupted `write` is not, and the step rejects with `outcome_unknown`.
   */
  readonly effect: Effect
  /** Everything the result depends on, without secrets. A recorded result is used only if this is equal. Default: nothing. */
  readonly input?: Json
  /** Time limit. Default: none. */
  readonly timeoutMs?: number
}

/** An agent that can run as part of a run, such as one of `app.createAgent`. */
export interface RunnableAgent<Output> {
  readonly name: string
  /** Runs the agent as part of another run. */
  runIn(context: RunContext, prompt: string): Promise<Output>
}

/** What a workflow uses for everything outside of its own values, so that a run can be resumed and replayed. */
export interface WorkflowContext {
  readonly runId: string
  /** Aborted when the run is interrupted. */
  readonly signal: AbortSignal
  /** The kernel's own context, for functions of `scholium/kernel`, `scholium/graph` and `scholium/reasoning`. */
  readonly kernel: RunContext
  /**
   * Executes an effect once per run; when the run is resumed or replayed, its recorded result is used.
   * @param name unique within the workflow: number the steps of a loop
   * @param work its result is JSON, or nothing
   * @throws what `work` throws, `step_changed`, `outcome_unknown`, `cancelled`, `limit_reached`
   */
  step<Result>(
    name: string,
    settings: StepSettings,
    work: (attempt: StepAttempt) => Promise<Result> | Result,
  ): Promise<Result>
  /** Asks a person, through `answer` of the run's options. With nobody to answer, the run waits and can be resumed. @throws `waiting` */
  ask(name: string, question: Omit<WorkflowQuestion, 'kind'>): Promise<Json>
  /** Runs an agent as part of this run. @param name unique within the workflow. Default: the agent's */
  run<Output>(agent: RunnableAgent<Output>, prompt: string, name?: string): Promise<Output>
  /** Reports progress to listeners; it is not stored. */
  tell(text: string): void
  /** The time at which the last step ended, in milliseconds since 1970: the same when the run is resumed or replayed. */
  now(): number
  /** A number from 0 to below 1, the same for the same name when the run is resumed or replayed. */
  random(name: string): number
}

/** Declares a workflow. */
export interface WorkflowDeclaration<Input extends StandardSchema, Output extends StandardSchema> {
  /** Letters, digits, `_` and `-`. Runs are recorded under it. */
  readonly name: string
  /** Change it when recorded runs can no longer be continued by the code. Default `1`. */
  readonly version?: string
  /** Of a JSON object. */
  readonly input: Input
  /** Of a JSON object. */
  readonly output: Output
  /** What a run is listed as. Default: the workflow's name. */
  readonly title?: (input: OutputOf<Input>) => string
  /** The work. */
  run(context: WorkflowContext, input: OutputOf<Input>): Promise<InputOf<Output>>
}

/** The type that a schema accepts. */
export type InputOf<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['input']
/** The type that a schema produces. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** A workflow for `createApp({ workflows: [it] })` and `app.run(it, input)`. */
export interface DefinedWorkflow<Input, Output> extends Workflow<JsonObject, JsonObject> {
  /** Checks an input and an output, and tells their types. */
  readonly schemas: {
    readonly input: StandardSchema<Input>
    readonly output: StandardSchema<unknown, Output>
  }
}

/** A workflow of your own: steps on a log, resumed after a crash without doing a finished step again. */
export function defineWorkflow<Input extends StandardSchema, Output extends StandardSchema>(
  declaration: WorkflowDeclaration<Input, Output>,
): DefinedWorkflow<InputOf<Input>, OutputOf<Output>> {
  const { name, version = '1', input, output, title } = declaration
  const read = async (given: JsonObject) =>
    (await checkValue(input, given, 'The input')) as OutputOf<Input>
  return {
    name,
    version,
    promptHashes: {},
    title: (given) => title?.(given as OutputOf<Input>) ?? name,
    status: () => 'answered',
    schemas: { input, output } as DefinedWorkflow<InputOf<Input>, OutputOf<Output>>['schemas'],
    async run(context, given) {
      const made = await declaration.run(toWorkflowContext(context), await read(given))
      return (await checkValue(output, made, 'The output')) as JsonObject
    },
  }
}

function toWorkflowContext(kernel: RunContext): WorkflowContext {
  return {
    runId: kernel.runId,
    signal: kernel.signal,
    kernel,
    step: async (name, { effect, input = null, timeoutMs }, work) => {
      const done = async (attempt: StepAttempt) => ((await work(attempt)) ?? null) as Json
      return (await kernel.step(name, effect, input, done, {
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      })) as never
    },
    ask: (name, question) => kernel.ask(name, { kind: 'question', ...question }),
    run: (agent, prompt, name = agent.name) => agent.runIn(kernel.child(name), prompt),
    tell: (text) => kernel.emit('progress', { text }),
    now: () => kernel.now(),
    random: (name) => kernel.random(name),
  }
}
