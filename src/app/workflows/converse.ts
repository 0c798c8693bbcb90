import type * as z from 'zod'
import { runAgent } from '../../kernel/agent/agent-loop.ts'
import type { Message } from '../../kernel/agent/message.ts'
import { createToolRegistry, type Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { chooseModel } from '../../kernel/model/choose-model.ts'
import { callModelForObject } from '../../kernel/model/model-object.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import { findJson } from '../../kernel/text/json-from-text.ts'
import { createMessage } from '../../team/conversation.ts'

const defaultMaxTurns = 20

/** An agent whose model has a name. */
export interface NamedAgent<Output> {
  readonly name: string
  /** Absent: the app's. */
  readonly model?: string
  /** Its system prompt. */
  readonly instructions: string
  readonly tools?: readonly Tool[]
  /** What its answer has to be. Default: text. */
  readonly output?: z.ZodType<Output>
  /** Calls of the model at most. Default 20. */
  readonly maxTurns?: number
  /**
   * Tools that may change something although the agent has read text from elsewhere: names, in which `*` stands for any characters.
   * Default: none.
   */
  readonly allow?: readonly string[]
}

/** The conversation with tools, then the answer in its form. */
export async function converse<Output>(
  context: RunContext,
  agent: NamedAgent<Output>,
  prompt: string,
): Promise<Output> {
  const { instructions, tools = [], output, maxTurns = defaultMaxTurns, allow } = agent
  const model = await chooseModel(context, 'default', agent.model)
  if (model.effect === 'pure') throw needsModel(agent.name)
  const messages = [
    createMessage(context, 'system', instructions),
    createMessage(context, 'user', prompt),
  ]
  if (output !== undefined && tools.length === 0) return inForm(context, agent, output, messages)
  const loop = { model, tools: createToolRegistry(tools), maxTurns, ...(allow && { allow }) }
  const outcome = await runAgent(context, loop, messages)
  if (outcome.stopReason === 'max_turns') throw outOfTurns(agent.name, maxTurns)
  if (output === undefined) return outcome.text as Output
  const parsed = output.safeParse(objectIn(outcome.text))
  if (parsed.success) return parsed.data
  const asked = createMessage(context.child('form'), 'user', formText)
  return inForm(context, agent, output, [...outcome.messages, asked])
}

const formText =
  'Give your answer now as one JSON object in the form that is asked for, and nothing else.'

async function inForm<Output>(
  context: RunContext,
  { model: name }: NamedAgent<Output>,
  output: z.ZodType<Output>,
  messages: readonly Message[],
): Promise<Output> {
  const part = context.child('answer')
  const model = await chooseModel(part, 'default', name)
  return (await callModelForObject(part, 'model', model, { messages }, output)).value
}

/** The last JSON value in a text, which is the answer where there are several. */
function objectIn(text: string): unknown {
  return findJson(text).at(-1)?.value
}

function needsModel(name: string): ScholiumError {
  return new ScholiumError(
    'invalid_configuration',
    `The agent "${name}" needs a language model, and the app has none.`,
    { hint: 'Give it one: model: "ollama:qwen3", or models: { default: … } of createApp.' },
  )
}

function outOfTurns(name: string, maxTurns: number): ScholiumError {
  return new ScholiumError(
    'limit_reached',
    `The agent "${name}" had no answer after ${maxTurns} calls of its model.`,
    { hint: 'Create it with a larger maxTurns, and resume the run.' },
  )
}
