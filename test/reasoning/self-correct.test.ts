import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/index.ts'
import {
  type SelfCorrectInput,
  type SelfCorrectResult,
  selfCorrect,
  toHistoryFromInitial,
} from '../../src/reasoning/self-correct.ts'
import type { ModelRequestSeen } from '../../src/testing/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { type Body, useRuns } from '../kernel/runs.ts'

const current = useRuns()
const model = useHttpModel()

const correcting = (input: Partial<SelfCorrectInput> = {}): Body => {
  return async (context) =>
    (await selfCorrect(context, { task: 'Reverse a text.', ...input })) as unknown as Json
}

const run = async (input: Partial<SelfCorrectInput> = {}): Promise<SelfCorrectResult> =>
  (await current().start(correcting(input), {
    models: model.source(),
  })) as unknown as SelfCorrectResult

const isCritic = ({ system }: ModelRequestSeen) => system.startsWith('You judge')

/** A writer whose output gets a plus with each round, and a critic that asks for it. */
function improving(): void {
  model.script = (seen) => {
    const output = /<output>\n(.*)\n<\/output>/.exec(seen.lastText)?.[1] ?? 'v'
    if (!isCritic(seen)) return { text: seen.lastText.includes('<output>') ? `${output}+` : 'v' }
    return {
      json: {
        issues_found: [`${output} lacks a plus`],
        suggestions: ['add one'],
        improvement_score: 0.5,
      },
    }
  }
}

describe('selfCorrect', () => {
  it('generates, criticises and improves once, with one model', async () => {
    improving()
    const name = 'openai-compatible:one'
    const result = await run({ improvementRounds: 1, generatorModel: name, criticModel: name })
    expect(result).toMatchObject({
      output: 'v+',
      finalOutput: 'v+',
      roundsCompleted: 1,
      generatorModel: name,
      criticModel: name,
    })
    expect(result.improvementHistory).toEqual([
      {
        round: 1,
        output: 'v',
        critique: 'Issue: v lacks a plus\nSuggestion: add one',
        improved: 'v+',
        issuesFound: ['v lacks a plus'],
        suggestions: ['add one'],
        improvementScore: 0.5,
      },
    ])
    expect(model.server.requests.map((seen) => seen.model)).toEqual(['one', 'one', 'one'])
  })

  it('calls the model of each part: one writes, the other criticises', async () => {
    improving()
    await run({
      generatorModel: 'openai-compatible:writer',
      criticModel: 'openai-compatible:critic',
    })
    const asked = model.server.requests.map((seen) => [seen.model, isCritic(seen)])
    const [writes, criticises] = [
      ['writer', false],
      ['critic', true],
    ]
    expect(asked).toEqual([writes, criticises, writes, criticises, writes])
  })

  it('improves three times, each time what the last round made', async () => {
    improving()
    const result = await run({ improvementRounds: 3 })
    expect(
      result.improvementHistory.map(({ round, output, improved }) => [round, output, improved]),
    ).toEqual([
      [1, 'v', 'v+'],
      [2, 'v+', 'v++'],
      [3, 'v++', 'v+++'],
    ])
    expect(result).toMatchObject({ output: 'v+++', roundsCompleted: 3 })
    expect(toHistoryFromInitial(result)).toEqual([
      { round: 0, type: 'initial', output: 'v' },
      ...[1, 2, 3].map((round) => ({
        round,
        type: 'improvement',
        issues_found: [`v${'+'.repeat(round - 1)} lacks a plus`],
        suggestions: ['add one'],
        output: `v${'+'.repeat(round)}`,
        improvement_score: 0.5,
      })),
    ])
    expect(result.trace.entries.map(({ step, kind }) => [step, kind])).toEqual([
      [1, 'generate'],
      ...[2, 4, 6].flatMap((step) => [
        [step, 'critique'],
        [step + 1, 'improve'],
      ]),
    ])
  })

  it('leaves the first output with no rounds', async () => {
    improving()
    expect(await run({ improvementRounds: 0 })).toMatchObject({
      output: 'v',
      improvementHistory: [],
      roundsCompleted: 0,
    })
    expect(model.server.requests).toHaveLength(1)
  })

  it('tells the critic what to look at, and takes one without form at its words', async () => {
    model.script = (seen) => ({ text: isCritic(seen) ? 'It is too short.' : 'v' })
    const { improvementHistory } = await run({ improvementRounds: 1, criticPrompt: 'Count words.' })
    expect(improvementHistory[0]).toMatchObject({ critique: 'It is too short.', issuesFound: [] })
    expect(model.server.requests[1]?.system).toContain('Count words.')
    expect(model.server.requests[2]?.lastText).toContain(
      '<critique>\nIt is too short.\n</critique>',
    )
  })

  it('calls both models at a temperature', async () => {
    improving()
    await run({ improvementRounds: 1, temperature: 0.2 })
    const warmths = model.server.requests.map(({ body }) => body.temperature)
    expect(warmths).toEqual([0.2, 0.2, 0.2])
  })

  it.each([-1, 0.5])('refuses %d rounds', async (improvementRounds) => {
    await expect(run({ improvementRounds })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('continues with the round that was cut off, and gives the same in a replay', async () => {
    improving()
    const works = model.script
    let isDown = true
    model.script = (seen) =>
      isDown && seen.lastText.includes('v+') ? { status: 503 } : works(seen)
    await expect(run()).rejects.toMatchObject({ code: 'model_unavailable' })
    isDown = false
    const resumed = await current().resume(correcting(), { models: model.source() })
    expect(resumed).toMatchObject({ output: 'v++', roundsCompleted: 2 })
    expect(Math.max(...model.server.answered.values())).toBe(1)
    const replay = await current().replay(correcting(), { models: model.source() })
    expect(replay.result.value).toEqual(resumed)
    expect(replay.unclaimed).toEqual([])
  })
})
