import { afterAll, describe, expect, it } from 'vitest'
import { createQuickClock } from '../../src/testing/index.ts'
import { manyPapers } from './workflow-papers.ts'
import { type PapersScript, PapersWorld, paperIn } from './workflow-world.ts'

const world = new PapersWorld(manyPapers(6))
afterAll(() => world.close())
const query = 'At what temperature does glimmerstone melt?'
const plain = { count: 6, concurrency: 2 }

describe('a limit', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'on %i model calls ends the run with what there is',
    async (maxSteps) => {
      const { result, runId, calls } = await world.run(query, {
        ...plain,
        execution: { limits: { maxSteps } },
      })
      expect(calls.length).toBeLessThanOrEqual(maxSteps)
      const analysed = result.analyses.filter(({ error }) => error === undefined)
      expect(result.papers.filter(({ status }) => status === 'kept')).toHaveLength(analysed.length)
      if (maxSteps < 8) expect(result.stopReason).toBe('limit')
      expect(result.status).toBe(
        maxSteps === 8 ? 'answered' : analysed.length > 0 ? 'partial' : 'unanswered',
      )
      if (analysed.length > 0) expect(result.claims.length).toBeGreaterThan(0)
      expect(result.claims.every(({ verdict }) => verdict === 'verbatim')).toBe(true)
      const replay = await world.replay(runId)
      expect(replay.result).toEqual(result)
    },
  )

  it('keeps enough back for the synthesizer', async () => {
    const { result, calls } = await world.run(query, {
      ...plain,
      execution: { limits: { maxSteps: 5 } },
    })
    expect(calls.filter(({ role }) => role === 'analyzer')).toHaveLength(3)
    expect(calls.filter(({ role }) => role === 'synthesizer')).toHaveLength(1)
    expect(result.answer).toContain('[3]')
    expect(result.reasoning).toContain('The limit on model and tool calls was reached.')
    expect(result.gaps[0]?.kind).toBe('limit')
    const reasons = result.papers.slice(3).map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason?.includes('limit'))).toHaveLength(3)
  })

  it('on time leaves the composition to code', async () => {
    const clock = createQuickClock()
    const script: PapersScript = ({ role, number }) => {
      if (role === 'analyzer' && number === 3) clock.advance(50_000)
      return undefined
    }
    const { result, runId, calls } = await world.run(query, {
      ...plain,
      concurrency: 1,
      script,
      execution: { clock, limits: { maxWallMs: 40_000 } },
    })
    expect(calls.some(({ role }) => role === 'synthesizer')).toBe(false)
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit' })
    expect(result.answer).toContain('melts at 400 degrees Celsius [1].')
    expect((await world.replay(runId)).result).toEqual(result)
  })

  it('before anything was found leaves a text that says so', async () => {
    const { result } = await world.run(query, { ...plain, execution: { limits: { maxSteps: 0 } } })
    expect(result).toMatchObject({
      status: 'unanswered',
      stopReason: 'limit',
      answer: 'The work ended before anything was found.',
    })
  })

  it('can be raised, and the run continues from there', async () => {
    const fresh = new PapersWorld(manyPapers(3))
    const ran = await fresh.run(query, { execution: { limits: { maxSteps: 2 } } })
    expect(ran.result.stopReason).toBe('limit')
    const limits = { maxSteps: 20 }
    const { result, calls } = await fresh.resume(ran.runId, undefined, { limits })
    expect(result).toMatchObject({ status: 'answered', stopReason: 'answered' })
    expect(result.claims).toHaveLength(3)
    const asked = [...ran.calls, ...calls].filter(({ role }) => role === 'analyzer')
    expect(asked.map((seen) => paperIn(seen).n).toSorted()).toEqual([1, 2, 3])
    expect(fresh.times('read arxiv:2500.00001')).toBe(1)
    await fresh.close()
  })

  it.each([40_000, 60_000])(
    'on %i tokens shows the synthesizer what there is room for, and the rest is reported',
    async (maxTokens) => {
      const wordy = new PapersWorld(wordyPapers(6))
      const { result, runId, calls, heard } = await wordy.run(query, {
        ...plain,
        threshold: 0,
        execution: { limits: { maxTokens } },
      })
      expect(calls.filter(({ role }) => role === 'synthesizer')).toHaveLength(1)
      expect(result).toMatchObject({ status: 'answered', stopReason: 'answered' })
      expect(result.gaps.map(({ kind }) => kind)).toEqual(['limit'])
      const told = heard
        .map(({ data }) => ('text' in data ? String(data.text) : ''))
        .filter((text) => /lack of space/.test(text))
      expect(told).toEqual([
        expect.stringMatching(/^For lack of space, \d+ findings of the papers were left out\.$/),
      ])
      expect((await wordy.replay(runId)).result).toEqual(result)
      await wordy.close()
    },
  )

  it('that leaves no room for any finding ends without a synthesizer that would see titles alone', async () => {
    const wordy = new PapersWorld(wordyPapers(6))
    const limits = { maxTokens: 24_000 }
    const given = { ...plain, threshold: 0, execution: { limits } }
    const { result, runId, calls } = await wordy.run(query, given)
    expect(calls.filter(({ role }) => role === 'synthesizer')).toHaveLength(0)
    expect(calls.filter(({ role }) => role === 'analyzer').length).toBeGreaterThan(0)
    expect(result).toMatchObject({ status: 'partial', stopReason: 'limit' })
    expect(result.gaps).toEqual([
      { kind: 'limit', detail: expect.stringMatching(/no room for any findings/) },
    ])
    expect((await wordy.replay(runId)).result).toEqual(result)
    await wordy.close()
  })
})

/** Papers whose sentences are long. */
function wordyPapers(count: number) {
  const more = Array.from({ length: 80 }, (_, at) => `${at} "specks"`).join(' and ')
  return manyPapers(count).map((paper) => ({
    ...paper,
    pages: ['Methods', 'Results', 'Conclusions', 'Limitations'].flatMap((section) =>
      Array.from(
        { length: 3 },
        (_, at) =>
          `${section}. Sample ${at} of glimmerstone melts in ${paper.title} and has ${more}.`,
      ),
    ),
  }))
}
