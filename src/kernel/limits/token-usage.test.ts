import { describe, expect, it } from 'vitest'
import { type Runs, useRuns } from '../../../test/kernel/runs.ts'
import { scriptedBinding } from '../../../test/kernel/scripted-binding.ts'
import { toFailure } from '../errors.ts'
import { callModel } from '../model/model-call.ts'
import { sumAccounts } from '../run/accounts.ts'
import type { RunContext } from '../run/run-context.ts'
import type { StepAttempt } from '../step/step-attempt.ts'
import { countTokens } from './token-usage.ts'
import { withLimits } from './with-limits.ts'

const current = useRuns()
const question = {
  id: '1',
  role: 'user' as const,
  parts: [{ type: 'text' as const, text: 'q' }],
  createdAt: 0,
}

async function accountsOfRun(runs: Runs) {
  const { inputTokens, outputTokens, embeddingTokens } = await sumAccounts(runs.store.events('run'))
  return { input: inputTokens, output: outputTokens, embedding: embeddingTokens }
}

/** A step that uses 7 tokens of input, and 3 of output where it makes no vectors. */
function using(context: RunContext, name: string, { isEmbedding = false, error = '' } = {}) {
  const run = async (attempt: StepAttempt) => {
    attempt.use({ inputTokens: 7, outputTokens: isEmbedding ? 0 : 3, costUsd: 0 })
    if (error !== '') throw new Error(error)
    return null
  }
  const options = { isPaid: true, ...(isEmbedding ? { isEmbedding } : {}) }
  return context.step(name, 'read', {}, (attempt) => run(attempt), options)
}

describe('the tokens that a part counts', () => {
  it('are those of its steps, of their children and branches, as the log has them, in a replay too', async () => {
    const { binding } = scriptedBinding(() => 'done')
    const body = async (context: RunContext) => {
      await using(context, 'before')
      const { counted, tokens } = countTokens(context)
      await callModel(counted, 'model', binding, { messages: [question] })
      const inside = countTokens(counted.child('inside'))
      await using(inside.counted, 'texts', { isEmbedding: true })
      const branches = [counted.branch('one'), counted.branch('other')]
      await Promise.all(branches.map((branch) => using(branch, 'step')))
      await using(counted, 'failing', { error: 'Nothing came of it.' }).catch(() => undefined)
      await counted.step('free', 'read', {}, async () => null)
      await using(context, 'after')
      return { all: tokens(), inside: inside.tokens() }
    }
    const told = await current().start(body)
    const all = { input: 10 + 3 * 7, output: 5 + 3 * 3, embedding: 7 }
    expect(told).toEqual({ all, inside: { input: 0, output: 0, embedding: 7 } })
    const ofRun = await accountsOfRun(current())
    expect(ofRun).toEqual({ ...all, input: all.input + 14, output: all.output + 6 })
    expect((await current().replay(body)).result.value).toEqual(told)
  })

  it('are the same in a resumed run, where what was cut off counts once', async () => {
    let isStopped = true
    const control = new AbortController()
    const body = async (context: RunContext) => {
      const { counted, tokens } = countTokens(context)
      await using(counted, 'finished')
      await counted.step('cut off', 'read', {}, async (attempt) => {
        attempt.use({ inputTokens: 7, outputTokens: 3, costUsd: 0 })
        if (!isStopped) return null
        control.abort()
        throw new Error('stopped')
      })
      return tokens()
    }
    await expect(current().start(body, { signal: control.signal })).rejects.toThrow()
    isStopped = false
    const told = await current().resume(body)
    expect(told).toEqual({ input: 14, output: 6, embedding: 0 })
    expect((await current().replay(body)).result.value).toEqual(told)
    expect((await accountsOfRun(current())).input).toBe(21)
  })

  it('are those of a step that the time limit ended, too', async () => {
    const body = async (context: RunContext) => {
      const { counted, tokens } = countTokens(context)
      const part = await withLimits(counted, 'part', { maxWallMs: 20 })
      const failed = part.step('slow', 'read', {}, (attempt) => {
        attempt.use({ inputTokens: 7, outputTokens: 3, costUsd: 0 })
        return new Promise<null>(() => undefined)
      })
      const code = await failed.then(
        () => '',
        (error: unknown) => toFailure(error).code,
      )
      return { code, ...tokens() }
    }
    const told = await current().start(body)
    expect(told).toEqual({ code: 'limit_reached', input: 7, output: 3, embedding: 0 })
    expect((await current().replay(body)).result.value).toEqual(told)
    expect(await accountsOfRun(current())).toEqual({ input: 7, output: 3, embedding: 0 })
  })
})
