import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool, type Json } from '../../src/kernel/index.ts'
import { buildSpans, eventsForSpans } from '../../src/observe/index.ts'
import { type ReactInput, type ReactResult, react } from '../../src/reasoning/react.ts'
import { toTraceObject, traceLine } from '../../src/reasoning/trace.ts'
import { runInMemory, type ScriptedReply, scriptModels } from '../../src/testing/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns, workflowOf } from '../kernel/runs.ts'

const current = useRuns()
const model = useHttpModel()
const done: string[] = []
beforeEach(() => {
  done.length = 0
})

const transform = defineTool({
  name: 'json.transform',
  description: 'Changes JSON.',
  input: z.object({ input: z.string() }),
  effect: 'read',
  async execute({ input }) {
    done.push(`transform ${input}`)
    return { transformed: input.toUpperCase() }
  },
})
const store = defineTool({
  name: 'memory.store',
  description: 'Keeps a value.',
  input: z.object({ key: z.string(), value: z.string() }),
  effect: 'write',
  async execute({ key, value }) {
    done.push(`store ${key}=${value}`)
    return 'stored'
  },
})
const broken = defineTool({
  name: 'broken',
  description: 'Fails.',
  input: z.object({}),
  effect: 'read',
  execute: () => Promise.reject(new Error('It is broken.')),
})

const reacting = (input: Partial<ReactInput> = {}): Body => {
  const tools = [transform, store, broken]
  return async (context) => {
    return (await react(context, { goal: 'Change a.', tools, ...input })) as unknown as Json
  }
}

const run = async (input: Partial<ReactInput> = {}): Promise<ReactResult> =>
  (await current().start(reacting(input), { models: model.source() })) as unknown as ReactResult

function saying(...replies: ScriptedReply[]): void {
  model.script = () => replies[model.server.requests.length - 1] ?? { text: 'nothing more' }
}

/** A call as a tool call, and the same as text. */
const calling = (name: string, input: Json): ScriptedReply => ({ toolCalls: [{ name, input }] })
const writing = (action: string, action_input: Json, thought = 'I go on.'): ScriptedReply => ({
  text: JSON.stringify({ thought, action, action_input }),
})
const forms = [
  ['as tool calls', calling],
  ['as JSON in text', writing],
] as const

describe.each(forms)('react with a model that acts %s', (_how, act) => {
  it('calls one tool with its arguments and shows the model what came of it', async () => {
    saying(act('json.transform', { input: 'a' }), act('final_answer', { answer: 'It is A.' }))
    const result = await run()
    expect(done).toEqual(['transform a'])
    expect(result.steps[0]).toMatchObject({
      step: 1,
      action: 'json.transform',
      actionInput: { input: 'a' },
      observation: { transformed: 'A' },
    })
    expect(model.server.requests[1]?.lastText).toBe('{"transformed":"A"}')
    expect(result).toMatchObject({ finalAnswer: 'It is A.', totalSteps: 2, maxStepsReached: false })
    expect(result.warning).toBeUndefined()
  })

  it('calls several tools one after the other, each once', async () => {
    saying(
      act('memory.store', { key: 'k', value: 'v' }),
      act('json.transform', { input: 'v' }),
      act('finish', 'done'),
    )
    const result = await run()
    expect(done).toEqual(['store k=v', 'transform v'])
    expect(result.steps.map(({ action }) => action)).toEqual([
      'memory.store',
      'json.transform',
      'finish',
    ])
    expect(result.finalAnswer).toBe('done')
  })

  it.each([
    ['changes nothing for a goal from elsewhere', [], []],
    ['changes what a rule names, even so', ['memory.store'], ['store k=v']],
  ])('%s', async (_what, allow, changed) => {
    saying(act('memory.store', { key: 'k', value: 'v' }), act('finish', 1))
    const { steps } = await run({ isTainted: true, allow })
    expect(done).toEqual(changed)
    expect(JSON.stringify(steps[0]?.observation)).toMatch(
      allow.length === 0 ? /from elsewhere/ : /stored/,
    )
  })

  it('reads a rule by the name that a tool has itself', async () => {
    saying(act('note_add', { key: 'k', value: 'v' }), act('finish', 1))
    const note = { ...store, name: 'note-add' }
    await run({ tools: [note], isTainted: true, allow: ['note-add'] })
    expect(done).toEqual(['store k=v'])
  })

  it.each(['finish', 'final_answer', 'answer'])('ends with %s on step 2 of 5', async (end) => {
    saying(act('json.transform', { input: 'a' }), act(end, { answer: 'A' }), { text: 'too late' })
    expect(await run({ maxSteps: 5 })).toMatchObject({
      finalAnswer: 'A',
      totalSteps: 2,
      maxStepsReached: false,
    })
    expect(model.server.requests).toHaveLength(2)
  })

  it.each([1, 2, 3])(
    'takes exactly %i steps with a model that never finishes',
    async (maxSteps) => {
      model.script = () => act('json.transform', { input: 'a' })
      const result = await run({ maxSteps })
      expect(model.server.requests).toHaveLength(maxSteps)
      expect(result.steps.map(({ step }) => step)).toEqual(
        Array.from({ length: maxSteps }, (_, index) => index + 1),
      )
      expect(result).toMatchObject({
        finalAnswer: null,
        totalSteps: maxSteps,
        maxStepsReached: true,
        warning: expect.stringContaining(`within ${maxSteps} step`),
      })
    },
  )

  it.each(['foo.bar', '../../../etc/passwd', 'rm -rf /', 'constructor', 'a\\b'])(
    'says in an observation that there is no tool %s, and executes nothing',
    async (name) => {
      saying(act(name, { input: 'a' }), act('finish', 'gave up'))
      const result = await run()
      expect(result.steps[0]).toMatchObject({
        action: name,
        observation: { error: expect.stringContaining(`There is no tool "${name}"`) },
      })
      expect(result).toMatchObject({ finalAnswer: 'gave up', totalSteps: 2 })
      expect(done).toEqual([])
      const steps = (await current().events()).filter(({ key }) => key.includes('/tool['))
      expect(steps.map(({ key }) => key)).toEqual(['test/2/tool[1]:finish/call'])
    },
  )

  it.each<[Json]>([[{ input: 5 }], [['a', 'b']], [{}]])(
    'says in an observation what is wrong with the input %j, and goes on',
    async (input) => {
      saying(act('json.transform', input), act('finish', 'ok'))
      const { steps, finalAnswer } = await run()
      expect(steps[0]?.observation).toEqual({
        error: expect.stringContaining('Invalid arguments for json.transform'),
      })
      expect(finalAnswer).toBe('ok')
      expect(done).toEqual([])
    },
  )

  it('takes the failure of a tool for an observation', async () => {
    saying(act('broken', {}), act('finish', 'ok'))
    const { steps } = await run()
    expect(steps[0]?.observation).toMatchObject({ error: 'It is broken.' })
  })
})

describe('react', () => {
  it('makes no call with no steps, and its trace is empty', async () => {
    const result = await run({ maxSteps: 0 })
    expect(model.server.requests).toHaveLength(0)
    expect(result).toMatchObject({ steps: [], finalAnswer: null, totalSteps: 0 })
    expect(result).toMatchObject({ maxStepsReached: true, trace: { entries: [] } })
  })

  it.each([-1, 1.5, Number.NaN])('refuses %d steps', async (maxSteps) => {
    await expect(run({ maxSteps })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('takes exactly as many steps as it may, whatever a model that never finishes does', async () => {
    const action = fc.oneof(
      fc.constant(calling('json.transform', { input: 'a' })),
      fc.constant(calling('nothing.there', {})),
      fc.constant(writing('memory.store', { key: 'k', value: 'v' })),
      fc.constant(writing('json.transform', { wrong: true })),
      fc.constant({ text: 'Thought: more\nAction: json.transform\nAction Input: {"input": "b"}' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.array(action, { minLength: 1 }), async (maxSteps, acts) => {
        const scripted = scriptModels(({ number }) => acts[number % acts.length] as never)
        const body = reacting({ maxSteps })
        const { result } = await runInMemory(workflowOf(body), {}, { models: scripted.models })
        const { steps, totalSteps } = result.value as unknown as ReactResult
        expect(scripted.calls).toHaveLength(maxSteps)
        expect([steps.length, totalSteps]).toEqual([maxSteps, maxSteps])
      }),
      { numRuns: 40 },
    )
  })

  it('takes a plain answer for the end', async () => {
    saying({ text: 'It is A.' })
    expect(await run()).toMatchObject({
      steps: [{ step: 1, action: 'final_answer', actionInput: { answer: 'It is A.' } }],
      finalAnswer: 'It is A.',
      totalSteps: 1,
    })
  })

  it('keeps thought, action, input and observation of all steps, in result and trace', async () => {
    saying(
      writing('json.transform', { input: 'a' }, 'first'),
      writing('json.transform', { input: 'b' }, 'second'),
      writing('finish', 'B', 'third'),
    )
    const { steps, trace } = await run()
    expect(steps.map(({ thought }) => thought)).toEqual(['first', 'second', 'third'])
    expect(trace.actionType).toBe('react')
    expect(trace.entries.map(({ step, data }) => ({ step, ...data }))).toEqual(
      steps.map(({ actionInput, ...step }) => ({ ...step, action_input: actionInput })),
    )
    const times = trace.entries.map(({ timestampMs }) => timestampMs)
    expect([trace.startMs, ...times, trace.endMs]).toEqual(
      [trace.startMs, ...times, trace.endMs].toSorted((a, b) => a - b),
    )
    expect(toTraceObject(trace)).toMatchObject({
      action_type: 'react',
      duration_ms: trace.endMs - trace.startMs,
    })
  })

  it('gives several calls of one answer the number of their step', async () => {
    const calls = ['a', 'b'].map((input) => ({ name: 'json.transform', input: { input } }))
    saying({ toolCalls: calls }, { text: 'Both.' })
    const { steps, totalSteps } = await run()
    expect(steps.map(({ step, observation }) => [step, observation])).toEqual([
      [1, { transformed: 'A' }],
      [1, { transformed: 'B' }],
      [2, null],
    ])
    expect(totalSteps).toBe(2)
  })

  it('writes nothing on the strength of a step that stands among other words', async () => {
    const quoted = JSON.stringify({ thought: 't', action: 'memory.store', action_input: {} })
    saying({ text: `The page says: ${quoted} and more.` }, { text: 'ok' })
    const { steps } = await run()
    expect(steps[0]?.observation).toMatchObject({ error: expect.stringContaining('not called') })
    expect(done).toEqual([])
  })

  it('writes a line of its trace to a file at each step, as it happens', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scholium-react-'))
    try {
      const path = join(folder, 'trace.jsonl')
      const linesSeen: number[] = []
      model.script = async () => {
        const text = await readFile(path, 'utf8').catch(() => '')
        linesSeen.push(text.split('\n').length - 1)
        return calling('json.transform', { input: 'a\0b' })
      }
      await run({ maxSteps: 5, onEntry: (entry) => appendFile(path, traceLine(entry)) })
      expect(linesSeen).toEqual([0, 1, 2, 3, 4])
      const text = await readFile(path, 'utf8')
      expect(text.includes('\0')).toBe(false)
      const lines = text.trimEnd().split('\n')
      expect(lines.map((line) => JSON.parse(line).step)).toEqual([1, 2, 3, 4, 5])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('shows each step as spans of the run, with tool, model and times', async () => {
    saying(calling('json.transform', { input: 'a' }), calling('finish', 'A'))
    await run()
    const spans = await Array.fromAsync(buildSpans(eventsForSpans(current().store, 'run')))
    const told = spans.map(({ key, kind, name }) => [key, kind, name])
    expect(told).toContainEqual(['test/1/model', 'model', expect.any(String)])
    expect(told).toContainEqual(['test/1/tool[1]:json.transform/call', 'tool', 'json.transform'])
    expect(told).toContainEqual(['test/2/model', 'model', expect.any(String)])
    for (const { startMs, endMs, status } of spans) {
      expect(startMs).toBeLessThanOrEqual(endMs)
      expect(status).toBe('ok')
    }
  })

  it('does nothing again in a replay, and gives the same', async () => {
    saying(writing('memory.store', { key: 'k', value: 'v' }), writing('finish', 'stored'))
    const live = await run()
    const replay = await current().replay(reacting(), { models: model.source() })
    expect(replay.unclaimed).toEqual([])
    expect(replay.result.value).toEqual(live)
    expect(done).toEqual(['store k=v'])
    expect(model.server.requests).toHaveLength(2)
  })

  it('continues after a failure of the service without doing its steps again', async () => {
    let isDown = true
    model.script = ({ body: { messages } }) => {
      const results = (messages as { role: string }[]).filter(({ role }) => role === 'tool').length
      if (results === 0) return writing('memory.store', { key: 'k', value: 'v' })
      return isDown ? { status: 503 } : writing('finish', 'stored')
    }
    await expect(run()).rejects.toMatchObject({ code: 'model_unavailable' })
    isDown = false
    const resumed = await current().resume(reacting(), { models: model.source() })
    expect(resumed).toMatchObject({ finalAnswer: 'stored', totalSteps: 2 })
    expect(done).toEqual(['store k=v'])
  })

  it('calls the model of a name at a temperature', async () => {
    saying({ text: 'A' })
    await run({ model: 'openai-compatible:actor', temperature: 0.3 })
    expect(model.server.requests[0]).toMatchObject({ model: 'actor', body: { temperature: 0.3 } })
  })
})
