import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, createGate, useRuns } from '../../../test/kernel/runs.ts'
import { FaultStore, type ScriptedReply } from '../../testing/index.ts'
import {
  type Agent,
  type AgentOutcome,
  createHooks,
  createToolRegistry,
  defineTool,
  type Message,
  runAgent,
  ScholiumError,
  type Tool,
} from '../index.ts'

const current = useRuns()
const model = useHttpModel()

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'What is there?' }],
  createdAt: 0,
}

const calls: unknown[] = []
beforeEach(() => {
  calls.length = 0
})

const look = defineTool({
  name: 'look',
  description: 'Looks at a place.',
  input: z.object({ at: z.string() }),
  effect: 'read',
  async execute(input) {
    calls.push(input)
    return { seen: `a ${input.at}` }
  },
})

/** Drives an agent over the question; its outcome is what `read` makes of it. */
const driving =
  (read: (outcome: AgentOutcome) => unknown, changes: Partial<Agent> = {}): Body =>
  async (context) => {
    const agent = {
      model: model.binding(),
      tools: createToolRegistry([look]),
      maxTurns: 4,
      ...changes,
    }
    return read(await runAgent(context, agent, [question])) as never
  }

function saying(...replies: ScriptedReply[]): void {
  model.script = () => replies[model.server.requests.length - 1] ?? { text: 'nothing more' }
}

const lookAt = (...places: string[]): ScriptedReply => ({
  toolCalls: places.map((at) => ({ name: 'look', input: { at } })),
})

/** The results that the model was shown with its n-th request. */
function shown(number: number): readonly string[] {
  const messages = model.server.requests[number - 1]?.body.messages as {
    role: string
    content: string
  }[]
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
}

describe('runAgent', () => {
  it('is over with the first answer that calls nothing', async () => {
    saying({ text: 'Nothing.' })
    const outcome = await current().start(
      driving(({ stopReason, text, messages, results }) => [
        stopReason,
        text,
        messages.length,
        results,
      ]),
    )
    expect(outcome).toEqual(['answer', 'Nothing.', 2, []])
  })

  it('does the calls of a turn and gives their results back in the order of the calls', async () => {
    const gate = createGate()
    const tool = defineTool({
      ...declaration(),
      async execute({ at }) {
        calls.push(at)
        if (at === 'door') await gate.opened
        else gate.open()
        return at
      },
    })
    saying(lookAt('door', 'window'), { text: 'Both.' })
    const outcome = await current().start(
      driving(({ text, results }) => [text, ...results.map(({ output }) => output)], {
        tools: createToolRegistry([tool]),
      }),
    )
    expect(outcome).toEqual(['Both.', 'door', 'window'])
    expect(calls).toEqual(['door', 'window'])
    expect(shown(2)).toEqual(['door', 'window'])
    expect((await current().log()).filter((line) => line.includes('tool['))).toEqual([
      'step.done test/1/tool[2]:look/call',
      'step.done test/1/tool[1]:look/call',
    ])
  })

  it.each([
    ['<tool_call>{"name": "look", "arguments": {"at": "door"}}</tool_call>'],
    ['I will look.\n```json\n{"name": "look", "arguments": {"at": "door"}}\n```'],
    ['<function=look>{"at": "door"}</function>'],
  ])('does a call that is printed as text, once: %s', async (text) => {
    saying({ text }, { text: 'A door.' })
    expect(await current().start(driving((outcome) => outcome.text))).toBe('A door.')
    expect(calls).toEqual([{ at: 'door' }])
    const sent = model.server.requests[1]?.body.messages as {
      role: string
      tool_calls?: unknown[]
    }[]
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(sent[1]?.tool_calls).toHaveLength(1)
    await current().replay(driving((outcome) => outcome.text))
    expect(calls).toHaveLength(1)
  })

  it('takes no text for a call where there are no tools', async () => {
    const text = 'A call looks like this: {"name": "look", "arguments": {"at": "door"}}'
    saying({ text })
    const tools = createToolRegistry([])
    expect(await current().start(driving((outcome) => outcome.text, { tools }))).toBe(text)
  })

  const thoughts = ['{"thought": "I should look."}', '{"tool": "fly", "arguments": {"to": "door"}}']
  it.each(thoughts)('asks for the answer once where the model printed %s', async (text) => {
    saying({ text }, { text: 'A door.' })
    const body = driving((outcome) => outcome.text)
    expect(await current().start(body)).toBe('A door.')
    expect(JSON.stringify(model.server.requests[1]?.body)).toContain('nothing was carried out')
    expect((await current().replay(body)).result.value).toBe('A door.')
  })

  it.each(thoughts)('fails where the model prints %s again', async (text) => {
    saying({ text }, { text })
    await expect(current().start(driving((outcome) => outcome.text))).rejects.toMatchObject({
      code: 'model_output_malformed',
      message: expect.stringContaining('in the place of an answer'),
    })
  })

  it('stops when its turns are used up, with what was found by then', async () => {
    saying(...Array.from({ length: 9 }, () => lookAt('door')))
    const outcome = await current().start(
      driving(({ stopReason, text, results }) => [stopReason, text, results.length], {
        maxTurns: 2,
      }),
    )
    expect(outcome).toEqual(['max_turns', '', 2])
    expect(model.server.requests).toHaveLength(2)
  })

  it('makes no call with no turns', async () => {
    const outcome = await current().start(driving(({ stopReason }) => stopReason, { maxTurns: 0 }))
    expect(outcome).toBe('max_turns')
    expect(model.server.requests).toHaveLength(0)
  })

  it('shows results in the form that the agent gives them, once each', async () => {
    let number = 0
    saying(lookAt('door', 'window'), { text: 'done' })
    const present: Agent['present'] = (result) => ({ ...result, output: { n: ++number } })
    await current().start(driving(() => null, { present }))
    expect(shown(2)).toEqual(['{"n":1}', '{"n":2}'])
    const results = (await current().events()).filter(({ key }) => key.includes('tool['))
    expect(results[0]?.output).toEqual({ seen: 'a door' })
  })

  it('lets hooks change a call and its result', async () => {
    const hooks = createHooks()
    hooks.on('tool:call:before', (call) => ({ ...call, input: { at: 'roof' } }))
    hooks.on('tool:call:after', (output) => ({ ...(output as object), hooked: true }))
    saying(lookAt('door'), { text: 'done' })
    await current().start(
      driving(() => null),
      { hooks },
    )
    expect(calls).toEqual([{ at: 'roof' }])
    expect(shown(2)).toEqual(['{"hooked":true,"seen":"a roof"}'])
  })
})

function declaration(changes: Partial<Tool> = {}) {
  const { name = 'look', effect = 'read' as const, timeoutMs = 30_000 } = changes
  return { name, effect, timeoutMs, description: 'Looks.', input: z.object({ at: z.string() }) }
}

describe('what goes wrong with a tool', () => {
  const failing = (thrown: unknown) =>
    defineTool({ ...declaration(), execute: () => Promise.reject(thrown) })
  const slow = defineTool({
    ...declaration({ timeoutMs: 20 }),
    execute: () => new Promise<null>(() => {}),
  })

  it.each<[string, Tool, ScriptedReply, unknown]>([
    [
      'an unknown tool',
      look,
      { toolCalls: [{ name: 'fly', input: {} }] },
      'Error: There is no tool "fly". Tools: look.',
    ],
    [
      'a name that no tool can have',
      look,
      { toolCalls: [{ name: 'look/../../at', input: {} }] },
      'Error: There is no tool "look/../../at". Tools: look.',
    ],
    [
      'arguments that do not fit',
      look,
      { toolCalls: [{ name: 'look', input: { at: 5 } }] },
      expect.stringMatching(/^Error: Invalid arguments for look: .*at at/s),
    ],
    [
      'arguments that are no JSON',
      look,
      { toolCalls: [{ name: 'look', input: '{"at": ' }] },
      expect.stringMatching(/^Error: The call of look was not made: .*cut off/),
    ],
    [
      'a failure',
      failing(new ScholiumError('tool_failed', 'It is dark.', { hint: 'Bring a lamp.' })),
      lookAt('door'),
      'Error: It is dark.\nBring a lamp.',
    ],
    [
      'a bug',
      failing(new TypeError('undefined is not a lamp')),
      lookAt('door'),
      'Error: undefined is not a lamp',
    ],
    ['no end', slow, lookAt('door'), 'Error: look took longer than 0.02 s.'],
  ])(
    '(%s) goes back to the model as data, marked as an error',
    async (_what, tool, reply, output) => {
      saying(reply, { text: 'I see.' })
      const body = driving(
        ({ text, results }) => [text, ...results.map(({ isError }) => isError)],
        {
          tools: createToolRegistry([tool]),
        },
      )
      expect(await current().start(body)).toEqual(['I see.', true])
      expect(shown(2)).toEqual([output])
      expect((await current().replay(body)).result.value).toEqual(['I see.', true])
    },
  )

  it.each(['waiting', 'limit_reached', 'step_changed'] as const)(
    '(%s) ends the run instead',
    async (code) => {
      saying(lookAt('door'))
      const tools = createToolRegistry([failing(new ScholiumError(code, 'stop'))])
      await expect(current().start(driving(() => null, { tools }))).rejects.toMatchObject({ code })
      expect(model.server.requests).toHaveLength(1)
    },
  )
})

describe('an agent whose process dies', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scholium-agent-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const path = () => join(folder, 'written.txt')
  const written = () => (existsSync(path()) ? readFileSync(path(), 'utf8') : '')
  const write = defineTool({
    ...declaration({ name: 'write', effect: 'write' }),
    async execute({ at }) {
      appendFileSync(path(), `${at}\n`)
      return 'written'
    },
  })
  const body = driving(({ text, results }) => [text, ...results.map(({ output }) => output)], {
    tools: createToolRegistry([write, look]),
  })
  const writes: ScriptedReply = { toolCalls: [{ name: 'write', input: { at: 'x' } }] }

  /** Dies at an event, then goes on. The events: the run 1, the first call 2 and 3, the tool 4 and 5, its turn 6. */
  async function dieAt(event: number, when: 'before' | 'after') {
    model.script = ({ lastRole, body: { messages } }) => {
      const results = (messages as { role: string }[]).filter(({ role }) => role === 'tool')
      if (results.length === 0) return writes
      return { text: lastRole === 'tool' ? 'done' : 'lost' }
    }
    const store = new FaultStore(current().store, { event, when })
    await expect(current().start(body, { store })).rejects.toThrow()
    return current().resume(body)
  }

  it('is told that the outcome of its write is not known, and does not write again', async () => {
    expect(await dieAt(5, 'before')).toEqual([
      'done',
      { code: 'outcome_unknown', error: expect.any(String), hint: expect.any(String) },
    ])
    expect(written()).toBe('x\n')
    expect(model.server.requests).toHaveLength(2)
  })

  it.each([
    [5, 'after'],
    [6, 'before'],
    [6, 'after'],
    [7, 'after'],
  ] as const)(
    'does no finished call and no finished write again (event %i, %s)',
    async (event, when) => {
      expect(await dieAt(event, when)).toEqual(['done', 'written'])
      expect(written()).toBe('x\n')
      expect(Math.max(...model.server.answered.values())).toBe(1)
    },
  )
})
