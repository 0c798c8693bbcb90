import { describe, expect, expectTypeOf, it } from 'vitest'
import * as z from 'zod'
import {
  defineWorkflow,
  type Question,
  ScholiumError,
  type StandardSchema,
  waitingQuestion,
} from '../../src/index.ts'
import { useHome } from './home.ts'

const open = useHome()

/** Walks up, tossing a coin for each step; the world counts the tosses and may end the walk. */
const world = { tosses: 0, isBroken: false }
const walk = defineWorkflow({
  name: 'walk',
  input: z.object({ from: z.number(), steps: z.number().default(2) }),
  output: z.object({ at: z.number() }),
  title: ({ from }) => `from ${from}`,
  async run(context, { from, steps }) {
    let at = from
    for (let index = 1; index <= steps; index++) {
      if (world.isBroken && index > 1)
        throw new ScholiumError('tool_failed', 'A wall.', { retryable: true })
      at += await context.step(`toss ${index}`, { effect: 'read' }, () => {
        world.tosses++
        return 1
      })
      context.tell(`at ${at}`)
    }
    return { at }
  },
})

describe('a workflow of your own', () => {
  it('runs with typed input and output, and is listed, shown, replayed and forked', async () => {
    const app = open({ workflows: [walk] })
    const run = await app.run(walk, { from: 3 })
    expectTypeOf(run.output).toEqualTypeOf<{ at: number }>()
    expect(run).toMatchObject({ workflow: 'walk', status: 'answered', output: { at: 5 } })
    expect(await app.listRuns()).toMatchObject([{ title: 'from 3', status: 'answered' }])
    expect(await app.recordedAnswer(run.runId)).toMatchObject({ output: { at: 5 } })
    const tosses = world.tosses
    expect(await app.replay(run.runId)).toMatchObject({ isIdentical: true, steps: 2 })
    expect(world.tosses).toBe(tosses)
    expect((await app.fork(run.runId)).answer).toMatchObject({ output: { at: 5 } })
  })

  it('is resumed in another program without doing a finished step again', async () => {
    world.isBroken = true
    await expect(open({ workflows: [walk] }).run(walk, { from: 0 })).rejects.toThrow('A wall.')
    world.isBroken = false
    const tosses = world.tosses
    const app = open({ workflows: [walk] })
    expect(await app.resume('last')).toMatchObject({ output: { at: 2 } })
    expect(world.tosses).toBe(tosses + 1)
  })

  it('is refused where the app does not know it, and with an input that does not fit', async () => {
    await expect(open().run(walk, { from: 1 })).rejects.toThrow('does not know the workflow "walk"')
    const app = open({ workflows: [walk] })
    await expect(app.run(walk, { from: 'here' } as never)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('from: '),
    })
    expect(await app.listRuns()).toEqual([])
  })

  it('takes any schema of the standard, and steps that give nothing', async () => {
    const upper: StandardSchema<{ word: string }, { word: string }> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => ({
          value: { word: (value as { word: string }).word.toUpperCase() },
        }),
      },
    }
    const shout = defineWorkflow({
      name: 'shout',
      input: upper,
      output: upper,
      run: async (context, { word }) => {
        await context.step('send', { effect: 'write', input: word }, async () => {})
        return { word: `${word}!` }
      },
    })
    const run = await open({ workflows: [shout] }).run(shout, { word: 'hey' })
    expect(run.output.word).toBe('HEY!')
  })

  it('waits for a person, and continues with the answer', async () => {
    const publish = defineWorkflow({
      name: 'publish',
      input: z.object({}),
      output: z.object({ said: z.string() }),
      run: async (context) => ({ said: String(await context.ask('ok', { text: 'Publish?' })) }),
    })
    const app = open({ workflows: [publish] })
    const error = await app.run(publish, {}).catch((thrown: unknown) => thrown)
    const question = waitingQuestion(error)
    expectTypeOf(question).toEqualTypeOf<Question | undefined>()
    expect(question).toEqual({ kind: 'question', text: 'Publish?' })
    const answer = async (asked: Question) => (asked.kind === 'question' ? 'yes' : undefined)
    expect(await app.resume('last', { answer })).toMatchObject({ output: { said: 'yes' } })
  })
})

describe('a stream', () => {
  it('gives typed events, and ends with the result', async () => {
    const app = open({ workflows: [walk] })
    const types: string[] = []
    let result: { at: number } | undefined
    for await (const event of app.stream(walk, { from: 1 })) {
      types.push(event.type)
      if (event.type === 'step.done') expectTypeOf(event.data.name).toEqualTypeOf<string>()
      if (event.type === 'progress')
        expectTypeOf(event.data.text).toEqualTypeOf<string | undefined>()
      if (event.type === 'result') result = event.result.output
    }
    expect(result).toEqual({ at: 3 })
    expect(types[0]).toBe('run.started')
    expect(types.slice(-2)).toEqual(['run.finished', 'result'])
    expect(types.filter((type) => type === 'progress')).toHaveLength(2)
  })

  it('that is left interrupts its run, which can be resumed', async () => {
    const app = open({ workflows: [walk] })
    for await (const { type } of app.stream(walk, { from: 1, steps: 1_000 }))
      if (type === 'step.done') break
    expect(await app.listRuns()).toMatchObject([{ status: 'interrupted' }])
    expect(await app.resume('last')).toMatchObject({ output: { at: 1_001 } })
  })

  it('gives a slow reader every stored event once, in order', async () => {
    const app = open({ workflows: [walk] })
    const seqs: number[] = []
    for await (const event of app.stream(walk, { from: 1, steps: 3_000 })) {
      if ('seq' in event) seqs.push(event.seq)
      if (seqs.length === 1) await app.listRuns()
      if (seqs.length === 2) await new Promise((resolve) => setTimeout(resolve, 500))
    }
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1))
    expect(seqs.length).toBeGreaterThan(3_000)
  })

  it('throws what the run throws', async () => {
    world.isBroken = true
    const stream = open({ workflows: [walk] }).stream(walk, { from: 1 })
    await expect(Array.fromAsync(stream)).rejects.toThrow('A wall.')
    world.isBroken = false
  })
})
