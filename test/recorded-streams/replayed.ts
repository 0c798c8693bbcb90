import * as z from 'zod'
import {
  createToolRegistry,
  defineTool,
  type Failure,
  type Message,
  type ModelBinding,
  messageText,
  type RunEvent,
  runAgent,
  toFailure,
} from '../../src/kernel/index.ts'
import { isStepEnd, type LiveEvent } from '../../src/kernel/run/event.ts'
import type { Runs } from '../kernel/runs.ts'
import type { ExpectedCall } from './expectation.ts'

/** The outcome of an answer that an agent was given. */
export interface Replayed {
  readonly text: string
  /** The calls that tools really got. */
  readonly toolCalls: readonly ExpectedCall[]
  readonly finish: string | undefined
  readonly usage: { readonly input: number; readonly output: number } | undefined
  readonly failure: Failure | undefined
  /** What listeners were told of the answer while it came. */
  readonly toldText: string
}

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Go on.' }],
  createdAt: 0,
}

/** Gives an agent one turn, with tools of the names that the recording calls. */
export async function replay(
  runs: Runs,
  binding: ModelBinding,
  toolNames: readonly string[],
): Promise<Replayed> {
  const toolCalls: ExpectedCall[] = []
  const tools = createToolRegistry(
    [...new Set(toolNames)].map((name) =>
      defineTool({
        name,
        description: 'Takes whatever it is given.',
        input: z.record(z.string(), z.unknown()),
        effect: 'read',
        execute: async (input) => {
          toolCalls.push({ name, input })
          return 'done'
        },
      }),
    ),
  )
  let toldText = ''
  let failure: Failure | undefined
  let messages: readonly Message[] = []
  const agent = { model: binding, tools, maxTurns: 1 }
  const body = async (context: Parameters<typeof runAgent>[0]) => {
    messages = (await runAgent(context, agent, [question])).messages
    return null
  }
  const listeners = [
    (event: LiveEvent) => {
      if (event.type === 'delta' && event.data.kind === 'text') toldText += event.data.text
    },
  ]
  await runs.start(body, { listeners }).catch((error: unknown) => {
    failure = toFailure(error)
  })
  const done = (await runs.events()).find(({ type, key }) => isModelStep(type, key))
  const answer = messages.find(({ role }) => role === 'assistant')
  return {
    text: answer === undefined ? '' : messageText(answer),
    toolCalls,
    finish: (done?.output as { readonly finishReason?: string } | undefined)?.finishReason,
    usage: usageOf(done),
    failure,
    toldText,
  }
}

function isModelStep(type: string, key: string): boolean {
  return (type === 'step.done' || type === 'step.failed') && key.endsWith('/model')
}

function usageOf(event: RunEvent | undefined): Replayed['usage'] {
  const usage = event && isStepEnd(event) ? event.data.usage : undefined
  return usage && { input: usage.inputTokens, output: usage.outputTokens }
}
