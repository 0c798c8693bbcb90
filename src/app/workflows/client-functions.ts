import type { Tool } from '../../kernel/agent/tool.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { WorkflowQuestion } from '../questions.ts'
import type { DefinedWorkflow } from './define-workflow.ts'

/** A function that the caller of a run carries out itself. */
export interface ClientFunction {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
}

/** What the model is asked, and with which functions. */
export interface FunctionsRequest {
  readonly prompt: string
  readonly instructions: string
  readonly functions: readonly ClientFunction[]
}

/** The question of a run that waits for the result of a function. */
export interface FunctionQuestion extends WorkflowQuestion {
  readonly data: { readonly function: string; readonly arguments: Json }
}

const name = 'client-functions'

/** Takes any value: the server has checked it. */
const unchecked = {
  '~standard': {
    version: 1,
    vendor: 'scholium',
    validate: (value: unknown) => ({ value: value as never }),
  },
} as const

/**
 * The app's model with functions that the caller carries out: the run waits at each call for its result, which is the answer to the
 * run's question. The answer has no sources, and nothing in it is checked.
 */
export const clientFunctions: DefinedWorkflow<FunctionsRequest, { readonly answer: string }> = {
  name,
  version: '1',
  promptHashes: {},
  title: ({ prompt }) => String(prompt).replaceAll(/\s+/g, ' ').slice(0, 200),
  status: () => 'answered',
  schemas: { input: unchecked, output: unchecked },
  async run(context, input) {
    const { converse } = await import('./converse.ts')
    const { prompt, instructions, functions } = input as unknown as FunctionsRequest
    const agent = { name, instructions, tools: functions.map(toTool) }
    return { answer: await converse(context, agent, prompt) }
  },
}

/** A tool whose work is to wait. It changes nothing itself: whether the function is carried out is up to the caller. */
function toTool({ name, description, parameters }: ClientFunction): Tool {
  return {
    name,
    description,
    parameters,
    effect: 'read',
    timeoutMs: 30_000,
    untrusted: 'results',
    parse: (input) =>
      isJsonObject(input)
        ? { ok: true, value: input }
        : { ok: false, reason: 'they are no JSON object' },
    execute: () => Promise.reject(new Error('A function of the caller is no step.')),
    performs: (context: RunContext, input: Json) => {
      const data = { function: name, arguments: input }
      const question: FunctionQuestion = { kind: 'question', text: `The result of ${name}`, data }
      return context.ask('result', question as unknown as Json)
    },
  }
}
