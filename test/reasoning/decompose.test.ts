import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/kernel/index.ts'
import {
  type DecomposeInput,
  type DecomposeResult,
  decompose,
} from '../../src/reasoning/decompose.ts'
import {
  compareSchedules,
  type ModelRequestSeen,
  runInMemory,
  type ScriptedAnswer,
  scriptModels,
} from '../../src/testing/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns, workflowOf } from '../kernel/runs.ts'

const current = useRuns()
const model = useHttpModel()

const decomposing = (input: Partial<DecomposeInput> = {}): Body => {
  return async (context) =>
    (await decompose(context, { problem: 'root', ...input })) as unknown as Json
}

const run = async (input: Partial<DecomposeInput> = {}): Promise<DecomposeResult> =>
  (await current().start(decomposing(input), {
    models: model.source(),
  })) as unknown as DecomposeResult

/** What a request is about: its problem, and what the model may do with it. */
interface Asked {
  readonly problem: string
  readonly may: 'split' | 'answer' | 'synthesize'
  readonly text: string
}

function askedOf({ system, text }: { system: string; text: string }): Asked {
  const [, problem = ''] = /<problem>\n(.*)\n<\/problem>/.exec(text) ?? []
  const isWhole = system.startsWith('You are given')
  const may = isWhole ? 'synthesize' : system.includes('or split it') ? 'split' : 'answer'
  return { problem, may, text }
}

const askedIn = ({ system, body }: ModelRequestSeen): Asked => {
  const messages = body.messages as { role: string; content: string }[]
  return askedOf({ system, text: messages.find(({ role }) => role === 'user')?.content ?? '' })
}

/** Parts of each problem that is split; others are answered in capitals, and wholes are the answers of their parts. */
function tree(parts: Readonly<Record<string, readonly Json[]>>, delayMs = 0) {
  return ({ problem, may, text }: Asked): ScriptedAnswer => {
    if (may === 'synthesize') {
      const answers = [...text.matchAll(/"answer":"([^"]*)"/g)].map(([, answer]) => answer)
      return { json: { final_answer: answers.join('+'), reasoning: 'joined' }, delayMs }
    }
    const own = parts[problem]
    if (may === 'split' && own !== undefined) return { json: { sub_problems: own }, delayMs }
    const json = { reasoning: `on ${problem}`, answer: problem.toUpperCase(), confidence: 0.9 }
    return { json, delayMs }
  }
}

function script(answer: (asked: Asked) => ScriptedAnswer | { status: number }): void {
  model.script = (seen) => answer(askedIn(seen))
}

const asked = () => model.server.requests.map(askedIn)
const three = { root: ['a', 'b', 'c'] }

/** How deep the answers lie in each other. */
function depthOf(answers: DecomposeResult['subAnswers']): number {
  return answers.length === 0
    ? 0
    : 1 + Math.max(...answers.map(({ subAnswers = [] }) => depthOf(subAnswers)))
}

describe('decompose', () => {
  it('solves three sub-problems and puts their answers together', async () => {
    script(tree(three))
    const result = await run()
    expect(result).toMatchObject({
      subProblems: [{ id: '1', description: 'a' }, { id: '2' }, { id: '3' }],
      finalAnswer: 'A+B+C',
      synthesisReasoning: 'joined',
      depthUsed: 1,
    })
    expect(result.subAnswers).toEqual(
      ['a', 'b', 'c'].map((description, index) => ({
        id: String(index + 1),
        description,
        reasoning: `on ${description}`,
        answer: description.toUpperCase(),
        confidence: 0.9,
      })),
    )
    expect(result.trace.entries.map(({ kind, data }) => [kind, data.place])).toEqual([
      ['split', ''],
      ['solve', '1'],
      ['solve', '2'],
      ['solve', '3'],
      ['synthesize', ''],
    ])
  })

  it('shows whoever puts them together all answers', async () => {
    script(tree(three))
    await run({ synthesisPrompt: 'Join them with plus signs.' })
    const last = model.server.requests.at(-1) as ModelRequestSeen
    expect(last.system).toContain('Join them with plus signs.')
    for (const answer of ['A', 'B', 'C']) expect(last.lastText).toContain(`"answer":"${answer}"`)
  })

  it('solves independent sub-problems at once, no more than it may', async () => {
    const parts = { root: ['a', 'b', 'c', 'd', 'e', 'f'] }
    for (const [concurrency, atOnce] of [
      [4, 4],
      [2, 2],
      [1, 1],
    ] as const) {
      let open = 0
      let most = 0
      const answer = tree(parts)
      model.script = async (seen) => {
        most = Math.max(most, ++open)
        await new Promise((resolve) => setTimeout(resolve, 20))
        open--
        return answer(askedIn(seen))
      }
      const outcome = await runInMemory(
        workflowOf(decomposing({ concurrency })),
        {},
        { models: model.source() },
      )
      expect((outcome.result.value as JsonObject).finalAnswer).toBe('A+B+C+D+E+F')
      expect(most).toBe(atOnce)
    }
  })

  it('begins sub-problems together that need nothing of each other', async () => {
    const waiting: (() => void)[] = []
    const answer = tree(three)
    model.script = async (seen) => {
      const one = askedIn(seen)
      if (['a', 'b', 'c'].includes(one.problem)) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          // None is answered before all three were asked.
          if (waiting.length === 3) for (const go of waiting) go()
        })
      }
      return answer(one)
    }
    expect((await run()).finalAnswer).toBe('A+B+C')
  })

  it('splits sub-problems again, down to as many levels as there are', async () => {
    script(tree({ root: ['a', 'b'], a: ['a1', 'a2'], a2: ['x', 'y'] }))
    const result = await run({ maxDepth: 3 })
    expect(result.finalAnswer).toBe('A1+X+Y+B')
    expect(result.depthUsed).toBe(3)
    expect(depthOf(result.subAnswers)).toBe(3)
    expect(result.subAnswers[0]?.subAnswers?.[1]).toMatchObject({
      description: 'a2',
      answer: 'X+Y',
    })
  })

  it('splits no sub-problem with a depth of 1', async () => {
    script(tree({ root: ['a', 'b'], a: ['a1', 'a2'] }))
    expect(await run({ maxDepth: 1 })).toMatchObject({ finalAnswer: 'A+B', depthUsed: 1 })
    expect(asked().filter(({ may }) => may === 'split')).toHaveLength(1)
    expect(asked()).toHaveLength(4)
  })

  it('answers a problem as it is where the model says so, or where nothing may be split', async () => {
    script(tree({}))
    const expected = { subProblems: [], subAnswers: [], finalAnswer: 'ROOT', depthUsed: 0 }
    expect(await run()).toMatchObject(expected)
    expect(model.server.requests).toHaveLength(1)
  })

  it('splits nothing with a depth of 0', async () => {
    script(tree(three))
    expect(await run({ maxDepth: 0 })).toMatchObject({ finalAnswer: 'ROOT', depthUsed: 0 })
  })

  it('tells a sub-problem the answers that it needs, after they were found', async () => {
    const parts = [
      { id: 'sum', description: 'c', depends_on: ['x', 'y'] },
      { id: 'x', description: 'a' },
      { id: 'y', description: 'b', depends_on: ['x'] },
    ]
    script(tree({ root: parts }))
    const result = await run()
    expect(asked().map(({ problem }) => problem)).toEqual(['root', 'a', 'b', 'c', 'root'])
    expect(asked()[3]?.text).toContain('{"id":"x","description":"a","answer":"A"}')
    expect(asked()[3]?.text).toContain('{"id":"y","description":"b","answer":"B"}')
    expect(asked()[1]?.text).not.toContain('known_answers')
    expect(result.subAnswers.map(({ id }) => id)).toEqual(['sum', 'x', 'y'])
  })

  it('asks again for sub-problems that need each other, and fails naming them', async () => {
    const circle = [
      { id: 'x', description: 'a', depends_on: ['y'] },
      { id: 'y', description: 'b', depends_on: ['x'] },
    ]
    script(tree({ root: circle }))
    await expect(run()).rejects.toMatchObject({
      code: 'model_output_malformed',
      message: expect.stringContaining('x → y → x'),
      details: { cycle: ['x', 'y', 'x'] },
    })
    expect(model.server.requests).toHaveLength(2)
    expect(model.server.requests[1]?.lastText).toContain('x → y → x')
  })

  it('stops at its depth with a model that would go on splitting, and puts together what there is', async () => {
    script(({ problem, may }) =>
      may === 'synthesize'
        ? { json: { final_answer: 'partial', reasoning: 'some answers are missing' } }
        : { json: { sub_problems: [`${problem}1`, `${problem}2`] } },
    )
    const result = await run({ maxDepth: 2 })
    expect(result).toMatchObject({ finalAnswer: 'partial', depthUsed: 2 })
    expect(depthOf(result.subAnswers)).toBe(2)
    const leaf = result.subAnswers[0]?.subAnswers?.[0]
    expect(leaf).toMatchObject({
      description: 'root11',
      answer: null,
      confidence: 0,
      failure: expect.stringContaining('"answer"'),
    })
    const notices = (await current().events()).filter((event) => event.type === 'notice')
    expect(notices.map(({ data }) => data.level)).toEqual(Array(4).fill('warning'))
  })

  it('never has more levels than it may, whatever a model that never stops does', async () => {
    const anySplit = fc.array(fc.constantFrom('p', 'q'), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3),
        fc.array(anySplit, { minLength: 1 }),
        async (maxDepth, splits) => {
          const scripted = scriptModels(({ number, prompt }) => {
            const system = String(prompt[0]?.content)
            if (system.startsWith('You are given')) return { json: { final_answer: 'x' } }
            // Even where it is told to answer, it lists parts in addition to its answer.
            return {
              json: { sub_problems: splits[number % splits.length] as string[], answer: 'x' },
            }
          })
          const body = decomposing({ maxDepth })
          const { result, events } = await runInMemory(
            workflowOf(body),
            {},
            { models: scripted.models },
          )
          const { depthUsed, subAnswers } = result.value as unknown as DecomposeResult
          expect(depthUsed).toBe(maxDepth)
          expect(depthOf(subAnswers)).toBe(maxDepth)
          const levels = events.map(({ key }) => key.match(/sub\[/g)?.length ?? 0)
          expect(Math.max(...levels)).toBe(maxDepth)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('gives the same under shuffled schedules', async () => {
    const parts = {
      root: ['a', { id: 'b', description: 'b', depends_on: ['1'] }, 'c', 'd'],
      a: ['a1', 'a2', 'a3'],
      d: ['d1', 'd2'],
    }
    const answer = tree(parts)
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
    const report = await compareSchedules(seeds, async (schedule) => {
      const scripted = scriptModels(({ prompt }) => {
        const [system, user] = prompt
        const text = ((user?.content ?? []) as { text: string }[]).map((part) => part.text).join('')
        return answer(askedOf({ system: String(system?.content), text }))
      })
      const models = schedule.shuffleModels(scripted.models)
      const { result, events } = await runInMemory(workflowOf(decomposing()), {}, { models })
      const { trace, ...rest } = result.value as unknown as DecomposeResult
      const entries = trace.entries.map(({ step, kind, data }) => ({ step, kind, data }))
      return { result: { ...rest, entries }, events }
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(1)
  })

  it('continues with the sub-problem that was cut off, and gives the same in a replay', async () => {
    let isDown = true
    const answer = tree(three)
    script((one) => (isDown && one.problem === 'b' ? { status: 503 } : answer(one)))
    await expect(run()).rejects.toMatchObject({ code: 'model_unavailable' })
    isDown = false
    const resumed = await current().resume(decomposing(), { models: model.source() })
    expect(resumed).toMatchObject({ finalAnswer: 'A+B+C' })
    expect(Math.max(...model.server.answered.values())).toBe(1)
    const replay = await current().replay(decomposing(), { models: model.source() })
    expect(replay.result.value).toEqual(resumed)
    expect(replay.unclaimed).toEqual([])
  })

  it('asks for no sub-problem that needs one on which the service failed', async () => {
    const parts = [
      { id: 'sum', description: 'c', depends_on: ['x'] },
      { id: 'x', description: 'a' },
    ]
    const answer = tree({ root: parts })
    script((one) => (one.problem === 'a' ? { status: 503 } : answer(one)))
    await expect(run()).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(asked().map(({ problem }) => problem)).not.toContain('c')
  })

  it.each([{ maxDepth: -1 }, { maxDepth: 0.5 }, { concurrency: 0 }])(
    'refuses %o',
    async (input) => {
      await expect(run(input)).rejects.toMatchObject({ code: 'invalid_input' })
    },
  )

  it('calls the model of a name at a temperature', async () => {
    script(tree(three))
    expect(await run({ model: 'openai-compatible:solver', temperature: 0.2 })).toMatchObject({
      model: 'openai-compatible:solver',
    })
    const asked = model.server.requests.map((seen) => [seen.model, seen.body.temperature])
    expect(asked.length).toBeGreaterThan(1)
    for (const one of asked) expect(one).toEqual(['solver', 0.2])
  })
})
