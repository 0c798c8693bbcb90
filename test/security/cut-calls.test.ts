import type { LanguageModelV4Content } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { ToolResultPart } from '../../src/kernel/agent/message.ts'
import {
  createToolRegistry,
  type Json,
  type JsonObject,
  type Message,
  type ModelBinding,
  type RunContext,
  runAgent,
  startRun,
  type Tool,
} from '../../src/kernel/index.ts'
import { react } from '../../src/reasoning/index.ts'
import { createMemoryStore } from '../../src/testing/index.ts'
import { Runs, workflowOf } from '../kernel/runs.ts'
import { scriptedBinding } from '../kernel/scripted-binding.ts'
import { everyTool, type ToolUnderAttack } from './every-tool.ts'

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Do it.' }],
  createdAt: 0,
}

const runs = new Runs()
const tools = await everyTool()

/** How a model ends its message: in order, or because it may not go on. Some services say the first where the second is true. */
const endings = ['tool-calls', 'length'] as const
type Ending = (typeof endings)[number] | 'stop'

/** The forms in which a model prints a call; a new one is one line. */
const printed: Readonly<Record<string, (name: string, input: string) => string>> = {
  'in a tag': (name, input) => `<tool_call>{"name": "${name}", "arguments": ${input}}</tool_call>`,
  'under labels': (name, input) => `Action: ${name}\nAction Input: ${input}\n`,
  'behind a name': (name, input) => `[TOOL_CALLS]${name}[ARGS]${input}</s>`,
  'in a fence': (name, input) => `\`\`\`json\n{"tool": "${name}", "args": ${input}}\n\`\`\``,
  'as text in JSON': (name, input) =>
    `<function_call>${JSON.stringify({ name, arguments: input })}</function_call>`,
}

/** Of the many tools of agent files two forms are enough: what reads them is the same. */
const formsOf = ({ whose }: ToolUnderAttack) =>
  Object.entries(printed).slice(0, whose === 'agents' ? 2 : undefined)

/** How a model writes a step of ReAct. */
const steps: typeof printed = {
  'in JSON': (name, input) => `{"thought": "so", "action": "${name}", "action_input": ${input}}`,
  'under labels': printed['under labels'] as (name: string, input: string) => string,
}

type Said = { readonly content: LanguageModelV4Content[]; readonly ending: Ending }

type Loop = (
  context: RunContext,
  model: ModelBinding,
  tool: Tool,
) => Promise<readonly ToolResultPart[]>

const loop: Loop = async (context, model, tool) => {
  const agent = { model, tools: createToolRegistry([tool]), maxTurns: 1, allow: [tool.name] }
  return (await runAgent(context, agent, [question])).results
}

const reactLoop: Loop = async (context, { name }, tool) => {
  const given = { goal: 'Do it.', tools: [tool], maxSteps: 1, model: name, allow: [tool.name] }
  const { steps } = await react(context, given)
  return steps.map(({ observation: output }) => {
    const isError = (output as JsonObject | null)?.error !== undefined
    return { type: 'tool-result', toolCallId: '', toolName: tool.name, output, isError }
  })
}

/** What one turn of a real loop makes of each message: what it carried out, and what it told the model. */
async function turnsOf(tool: Tool, said: readonly Said[], turn: Loop = loop) {
  const ran: Json[] = []
  const told: (readonly ToolResultPart[])[] = []
  const { performs: _performs, ...own } = tool
  const spied: Tool = {
    ...own,
    execute: async (input) => {
      ran.push(input)
      return 'done'
    },
  }
  const { binding } = scriptedBinding((number) => {
    const { content, ending } = said[number - 1] as Said
    return { content, finishReason: { unified: ending, raw: ending } }
  })
  const workflow = workflowOf(async (context) => {
    for (const index of said.keys())
      told.push(await turn(context.child(`${index}`), binding, spied))
    return null
  })
  const models = { forRole: () => binding, forName: () => binding }
  const execution = runs.execution({ store: createMemoryStore(), models })
  await startRun(workflow, {}, 'run', execution)
  return { ran, told }
}

const prefixes = (text: string) =>
  Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 1))
const structured = (toolName: string, input: string): LanguageModelV4Content[] => [
  { type: 'tool-call', toolCallId: 'c', toolName, input },
]
const said = (text: string): LanguageModelV4Content[] => [{ type: 'text', text }]
const refusal = {
  isError: true,
  output: { error: expect.stringMatching(/was not made: .*Make it again, whole/s) },
}

describe('a call that is cut off anywhere', () => {
  it.each(tools)(
    'is never made, and the model is told: $tool.name of $whose',
    async ({ tool, input }) => {
      const text = JSON.stringify(input)
      const cut = prefixes(text)
      const messages = [...cut, text].flatMap((part) =>
        (part === text ? (['length'] as const) : endings).map((ending) => ({
          content: structured(tool.name, part),
          ending,
        })),
      )
      const { ran, told } = await turnsOf(tool, messages)
      expect(ran).toEqual([])
      for (const results of told) expect(results).toMatchObject([refusal])
    },
  )

  it.each(tools.flatMap((one) => formsOf(one).map(([form, print]) => ({ ...one, form, print }))))(
    'is never made where it is printed $form: $tool.name of $whose',
    async ({ tool, input, form, print }) => {
      const { atLength, inOrder } = await printedTurns({ tool, input }, print)
      // With the beginning of what closes it, a call is whole.
      for (const made of [...atLength.ran, ...inOrder.ran])
        expect(made).toEqual(whole({ tool, input }))
      // Once its name can be read, the model is told that it was a call.
      const refused = atLength.told.filter((results) => results[0]?.isError === true)
      expect(refused.length).toBeGreaterThan(atLength.told.length / 4)
      // What only its shape shows changes nothing, whole or not.
      const mayRun = tool.effect !== 'write' || form !== 'in a fence'
      expect(inOrder.ran.length > 0).toBe(mayRun)
    },
  )

  it.each(
    tools
      .filter(({ tool }) => ['bash', 'write', 'http.post'].includes(tool.name))
      .flatMap((one) => Object.entries(steps).map(([form, print]) => ({ ...one, form, print }))),
  )('is never made as a step of reasoning $form: $tool.name', async ({ tool, input, print }) => {
    const { atLength, inOrder } = await printedTurns({ tool, input }, print, reactLoop)
    expect(atLength.ran).toEqual([])
    for (const made of inOrder.ran) expect(made).toEqual(whole({ tool, input }))
    expect(inOrder.ran.length).toBeGreaterThan(0)
  })
})

const half = '{"command": "rm -r zoo/d'
const inner = JSON.stringify(half)
/** What is never taken for the bare text of an argument; a new case is one line. */
const noBareText: readonly (readonly [
  what: string,
  content: LanguageModelV4Content[],
  turn?: Loop,
])[] = [
  ['arguments of a call', structured('bash', half)],
  ['arguments that are a text', structured('bash', inner)],
  ['arguments in a fence', structured('bash', `\`\`\`json\n${half}`)],
  ['arguments behind words', structured('bash', `Arguments: ${half}`)],
  ['the rest of arguments', structured('bash', '"command": "rm -r zoo/d"}')],
  ['words', structured('bash', 'rm -r zoo/d')],
  ['a list', structured('bash', '["rm -r zoo/d"')],
  ['a missing value', structured('bash', '{"command": "echo hi", "timeout_seconds": }')],
  [
    'an object within half of another',
    structured('bash', '{"a": {"command": "ls"}, "timeout_seconds": }'),
  ],
  ['two objects', structured('bash', '{"command": "ls"} {"command": "rm -r zoo/d')],
  ['a printed text', said(`<tool_call>{"name": "bash", "arguments": ${inner}}</tool_call>`)],
  ['a printed value', said('<tool_call>{"name": "bash", "arguments": {"command": }}</tool_call>')],
  ['what stands behind a label', said('Action: bash\nAction Input: [1] rm -r zoo/d\n')],
  ['what stands in brackets', said('Action: bash[{"command": "rm -r zoo/d]\n')],
  ['a step', said(`{"thought": "", "action": "bash", "action_input": ${inner}}`), reactLoop],
  ['a step under labels', said(`Action: bash\nAction Input: ${half}\n`), reactLoop],
]

describe('text that begins as JSON, and of a call that writes any text', () => {
  it.each(noBareText.map(([what, content, turn]) => ({ what, content, turn })))(
    'is no bare argument: $what',
    async ({ content, turn }) => {
      const bash = tools.find(({ tool }) => tool.name === 'bash') as ToolUnderAttack
      const { ran, told } = await turnsOf(bash.tool, [{ content, ending: 'stop' }], turn)
      expect(ran).toEqual([])
      expect(told).toMatchObject([[{ isError: true }]])
    },
  )
})

/** The outcome of a printed call that is cut at every character: where the model was stopped there, and where it ended in order. */
async function printedTurns(
  { tool, input }: Pick<ToolUnderAttack, 'tool' | 'input'>,
  print: (name: string, input: string) => string,
  turn?: Loop,
) {
  const text = print(tool.name, JSON.stringify(input))
  const ended = (ending: Ending) =>
    [...prefixes(text), text].map((part): Said => {
      return { content: [{ type: 'text', text: part }], ending }
    })
  return {
    atLength: await turnsOf(tool, ended('length'), turn),
    inOrder: await turnsOf(tool, ended('stop'), turn),
  }
}

function whole({ tool, input }: Pick<ToolUnderAttack, 'tool' | 'input'>): JsonObject {
  const parsed = tool.parse(input)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value as JsonObject
}
