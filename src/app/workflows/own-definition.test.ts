import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import { newRunId } from '../runs/run-id.ts'
import { bindOwn } from './own-definition.ts'
import { createAppParts } from './workflow-registry.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-own-'))
afterAll(() => rmSync(home, { recursive: true }))

/** Walks up from a number, and cannot go on while a wall stands there. */
let isWalled = false
const walk: Workflow<{ readonly from: number }, { readonly steps: readonly number[] }> = {
  name: 'walk',
  version: '1',
  promptHashes: {},
  title: ({ from }) => `from ${from}`,
  async run(context, { from }) {
    const first = await context.step('first', 'read', { from }, async () => from + 1)
    const second = await context.step('second', 'read', { first }, async () => {
      if (isWalled) throw new ScholiumError('tool_failed', 'A wall.', { retryable: true })
      return first + 1
    })
    return { steps: [first, second] }
  },
  status: () => 'answered',
}

async function start(from: number): Promise<string> {
  const parts = createAppParts({ home, workflows: [walk] })
  const runId = newRunId(Date.now())
  try {
    const bound = bindOwn(walk)
    const execution = parts.execution({}, parts.modelSource, bound)
    await startRun(await bound.workflow(), { from } as JsonObject, runId, execution)
  } catch {
    // It stands in the log.
  } finally {
    await parts.close()
  }
  return runId
}

it('runs of a person’s own workflow are resumed, replayed, forked, shown and exported as any other', async () => {
  isWalled = true
  const runId = await start(3)
  isWalled = false
  const app = createApp({ home, workflows: [walk], onWarning: () => {} })
  const output = { steps: [4, 5] }
  const answer = await app.resume(runId)
  expect(answer).toMatchObject({ schema: 'scholium.result/1', runId, workflow: 'walk', output })
  expect(answer).toMatchObject({ status: 'answered', usage: { modelCalls: 0 } })
  expect(await app.recordedAnswer(runId)).toEqual(answer)
  expect(await app.replay(runId)).toMatchObject({ isIdentical: true, steps: 2 })
  const { answer: forked } = await app.fork(runId)
  expect(forked).toMatchObject({ workflow: 'walk', output })
  expect(await app.resumeCommand(runId)).toBe(`scholium resume ${runId}`)
  expect((await app.listRuns()).map(({ title }) => title)).toEqual(['from 3', 'from 3'])
  await expect(app.references(runId)).rejects.toThrow('ran the workflow "walk"')
  await expect(app.fork(runId, { question: 'Why?' })).rejects.toThrow('asks no question')
  await app.close()
})

it('one that the app does not know is still shown, and refused where its code is needed', async () => {
  const runId = await start(8)
  const app = createApp({ home, onWarning: () => {} })
  expect(await app.recordedAnswer(runId)).toMatchObject({ output: { steps: [9, 10] } })
  await expect(app.replay(runId)).rejects.toMatchObject({ code: 'run_incompatible' })
  await app.close()
})

it.each(['ask', 'a/b', ''])('the name "%s" is refused for one', (name) => {
  expect(() => createApp({ home, workflows: [{ ...walk, name }] })).toThrow(`"${name}"`)
})
