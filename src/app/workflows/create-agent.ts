import { type JsonObject, sha256 } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import type { ModelChoice } from '../../models/model-settings.ts'
import type { AppParts } from '../app-parts.ts'
import type { ExecutionOptions } from '../options.ts'
import type { NamedAgent } from './converse.ts'
import type { RunStream } from './run-stream.ts'
import type { WorkflowRun } from './run-workflow.ts'

/** Declares an agent: a model with instructions and tools. */
export interface AgentDeclaration<Output> extends Omit<NamedAgent<Output>, 'name' | 'model'> {
  /** Letters, digits, `_` and `-`. Its runs are recorded under it, so give each agent of an app its own. Default `assistant`. */
  readonly name?: string
  /** Default: the app's. */
  readonly model?: ModelChoice
}

/** An agent of an app. */
export interface AppAgent<Output = string> {
  readonly name: string
  /**
   * Runs the agent until it has an answer. Each call of its model and tools is a step on the log, so `app.resume(runId)` continues
   * after a crash, in an app with an agent of this name.
   * @throws `cancelled`, `limit_reached`, `model_output_malformed`, and the errors of its model's service
   */
  run(prompt: string, options?: ExecutionOptions): Promise<WorkflowRun<Output>>
  /** The same as a stream of events that ends with the result. */
  stream(prompt: string, options?: ExecutionOptions): RunStream<WorkflowRun<Output>>
  /** Runs the agent as part of another run. */
  runIn(context: RunContext, prompt: string): Promise<Output>
}

/** The name of an agent that has none. */
export const defaultAgentName = 'assistant'

/** An agent of an app, which knows it from now on by its name. @throws `invalid_configuration` for a name that is taken */
export function createAgent<Output>(
  parts: AppParts,
  { model, name = defaultAgentName, ...declared }: AgentDeclaration<Output>,
): AppAgent<Output> {
  const models = model === undefined ? undefined : parts.nameModels({ default: model })
  const choice = models?.default
  const modelName = typeof choice === 'object' ? choice.name : choice
  const agent = { ...declared, name, ...(modelName === undefined ? {} : { model: modelName }) }
  const bound = parts.workflows.add(toWorkflow(agent), models)
  const run = async (prompt: string, options: ExecutionOptions = {}) => {
    const { runBound } = await import('./run-workflow.ts')
    const { output, ...facts } = await runBound(parts, bound, { prompt }, options)
    return { ...facts, output: output.answer as Output }
  }
  return {
    name,
    run,
    async *stream(prompt, options = {}) {
      const { streamRun } = await import('./run-stream.ts')
      return yield* streamRun(parts.store, (execution) => run(prompt, execution), options)
    },
    runIn: async (context, prompt) =>
      (await import('./converse.ts')).converse(context, agent, prompt),
  }
}

/** The agent's work: its input is the prompt, its output the answer. */
function toWorkflow<Output>(agent: NamedAgent<Output>): Workflow<JsonObject, JsonObject> {
  return {
    name: agent.name,
    version: '1',
    promptHashes: { instructions: sha256(agent.instructions) },
    title: ({ prompt }) => String(prompt).replaceAll(/\s+/g, ' ').slice(0, maxTitleLength),
    status: () => 'answered',
    async run(context, { prompt }) {
      const { converse } = await import('./converse.ts')
      return { answer: await converse(context, agent, String(prompt)) } as JsonObject
    },
  }
}

const maxTitleLength = 200
