import { describe, expect, it } from 'vitest'
import { append, defineGraph, end, runGraph } from '../../src/graph/index.ts'
import {
  type Json,
  type Limits,
  type RunContext,
  resumeRun,
  type ScholiumError,
  startRun,
  type Workflow,
} from '../../src/kernel/index.ts'
import { withLimits } from '../../src/kernel/limits/with-limits.ts'
import { findPlace, forkRun } from '../../src/kernel/run/fork.ts'
import { FaultStore } from '../../src/testing/index.ts'
import { useRuns } from '../kernel/runs.ts'

type State = { readonly said: readonly Json[] }

const current = useRuns()
const ten = { steps: 1, tokens: 10, costUsd: 0 }
const tenUsed = { inputTokens: 10, outputTokens: 0, costUsd: 0 }

/** Pays ten tokens twice, in a part of 15: how far it came, and whose limit it was. */
async function work(_state: State, context: RunContext) {
  const part = await withLimits(context, 'part', { maxTokens: 25, maxWallMs: 60_000 })
  const said: Json[] = []
  for (const name of ['one', 'two', 'three']) {
    const paid = part.step(
      name,
      'read',
      {},
      async (attempt) => {
        const grant = await attempt.reserve(ten)
        attempt.use(tenUsed)
        grant.settle(tenUsed)
        return name
      },
      { isPaid: true, reservation: ten },
    )
    said.push(await paid.catch((error: ScholiumError) => error.details.part ?? 'run'))
  }
  return { said: [said.join(' ')] }
}

const graph = defineGraph<State>({
  name: 'test',
  channels: { said: append<Json>() },
  start: 'a',
  nodes: { a: work, b: work },
  edges: { a: 'b', b: end },
})
const workflow: Workflow<Record<string, never>, State> = {
  name: 'test',
  version: '1',
  promptHashes: {},
  title: () => 'test',
  run: (context) => runGraph(graph, context, {}),
  status: () => 'answered',
}

const inA = 'one two test/a[1]/part'
const inB = 'one two test/b[1]/part'

describe('a fork', () => {
  async function fork(limits: Limits, store = current().store) {
    const place = await findPlace(current().store, 'run', 'b[1]')
    const given = { parentId: 'run', place, fields: {} }
    return forkRun(workflow, given, 'fork', current().execution({ limits, store }))
  }

  it('counts what it does itself, its parts too, and not what its parent did', async () => {
    const { result } = await startRun(workflow, {}, 'run', current().execution())
    expect(result.said).toEqual([inA, inB])
    current().clock.advance(3_600_000)
    const limits = { maxTokens: 20, maxSteps: 2, maxWallMs: 30_000 }
    expect((await fork(limits)).result.said).toEqual([inA, inB])
  })

  it('is stopped by limits of its own, also after its process died', async () => {
    await startRun(workflow, {}, 'run', current().execution())
    const store = new FaultStore(current().store, { event: 4, when: 'after' })
    await expect(fork({ maxTokens: 15 }, store)).rejects.toMatchObject({ code: 'store_failed' })
    const { result } = await resumeRun(workflow, 'fork', current().execution())
    expect(result.said).toEqual([inA, 'one run run'])
  })
})
