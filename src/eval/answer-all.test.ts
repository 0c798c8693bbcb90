import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../ask/result.ts'
import { type ErrorCode, ScholiumError } from '../kernel/errors.ts'
import { type Asker, answerAll } from './answer-all.ts'
import { EvalFolder } from './folder.ts'
import type { EvalQuestion } from './question.ts'

const question = (id: string): EvalQuestion => ({
  ...{ id, set: 's', line: 1, question: id, answers: [], labels: [], files: [], context: [] },
})
const fails = (code: ErrorCode) => Promise.reject(new ScholiumError(code, `It is ${code}.`))
const untilStopped = (signal: AbortSignal) =>
  new Promise<Answer>((_, reject) =>
    signal.addEventListener('abort', () => reject(new ScholiumError('cancelled', 'Stopped.'))),
  )

let folder: EvalFolder
let path = ''
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'scholium-answer-'))
  folder = new EvalFolder(
    join(path, 'eval'),
    {},
    {
      owner: { bootId: 'boot', pid: 1, processStart: '1' },
      livenessOf: () => 'dead',
    },
  )
})
afterEach(() => {
  folder.close()
  rmSync(path, { recursive: true, force: true })
})

function answer(ask: Asker['ask'], { holds = false, ids = ['a', 'b'] } = {}) {
  let runs = 0
  return answerAll(ids.map(question), {
    folder,
    concurrency: 2,
    signal: new AbortController().signal,
    onStart: () => {},
    onResult: () => {},
    asker: {
      newRunId: () => `run-${++runs}`,
      holds: async () => holds,
      ask,
      resume: () => fails('internal'),
    },
  })
}

describe('the questions of a set', () => {
  it('are all stopped by what keeps every one from an answer, and that is reported', async () => {
    const stopped = answer(({ id }, _, __, signal) =>
      id === 'a' ? untilStopped(signal) : fails('store_failed'),
    )
    await expect(stopped).rejects.toMatchObject({ code: 'store_failed' })
    expect(folder.resultFor('a')).toBe(undefined)
  })

  it.each(['store_failed', 'invalid_configuration', 'run_busy', 'fenced', 'cancelled'] as const)(
    'have no result where %s is the end of them',
    async (code) => {
      await expect(answer(() => fails(code))).rejects.toMatchObject({ code })
      expect([folder.resultFor('a'), folder.resultFor('b')]).toEqual([undefined, undefined])
    },
  )

  it.each([
    [false, null],
    [true, 'run-1'],
  ])('keep the id of a run that failed if it began: %s', async (holds, runId) => {
    await answer(() => fails('model_failed'), { holds, ids: ['a'] })
    expect(folder.resultFor('a')).toMatchObject({ status: 'failed', runId })
  })
})
