import { APICallError } from '@ai-sdk/provider'
import { afterAll, describe, expect, it } from 'vitest'
import { sparsePapers } from './workflow-papers.ts'
import { emptySynthesis, type PapersScript, PapersWorld } from './workflow-world.ts'

const query = 'Does sparse attention save memory?'
const consensus = [
  { point: 'Sparse attention reduces memory use on long documents.', papers: [1, 2], quotes: [] },
]
const world = new PapersWorld(sparsePapers)
afterAll(() => world.close())

/** The synthesizer's service fails with this status; all others answer. */
function failing(statusCode: number): PapersScript {
  return ({ role }) => {
    if (role !== 'synthesizer') return undefined
    const place = { url: 'http://model.test/', requestBodyValues: {}, statusCode }
    throw new APICallError({ message: 'Not now.', ...place })
  }
}

const answering: PapersScript = ({ role }) =>
  role === 'synthesizer'
    ? { json: { ...emptySynthesis, consensus, summary: 'Memory use is reduced [1][2].' } }
    : undefined

describe('a synthesizer whose service is away', () => {
  it('leaves what was analysed, and is asked again, alone, when the run is resumed', async () => {
    const { result, runId } = await world.run(query, { script: failing(503) })
    expect(result).toMatchObject({ status: 'partial', stopReason: 'error' })
    expect(result.error).toMatchObject({ code: 'model_unavailable', retryable: true })
    expect(result.answer).toContain('Sparse attention reduces memory use')
    expect((await world.replay(runId)).result).toEqual(result)
    const resumed = await world.resume(runId, answering)
    expect(resumed.calls.map(({ role }) => role)).not.toContain('analyzer')
    expect(resumed.result).toMatchObject({ error: null, errors: [] })
    expect(resumed.result.synthesis.consensus).toHaveLength(1)
    expect((await world.replay(runId)).result).toEqual(resumed.result)
    expect((await world.resume(runId, answering)).calls).toEqual([])
  })

  it('is not asked again where it refused for good', async () => {
    const { result, runId } = await world.run(query, { script: failing(400) })
    expect(result).toMatchObject({ status: 'partial', stopReason: 'error' })
    const resumed = await world.resume(runId, answering)
    expect(resumed.calls).toEqual([])
    expect(resumed.result).toEqual(result)
  })
})
