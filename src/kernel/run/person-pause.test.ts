import { describe, expect, it } from 'vitest'
import { useRuns } from '../../../test/kernel/runs.ts'
import { type Json, type RunContext, ScholiumError } from '../index.ts'
import { sumAccounts } from './accounts.ts'

const current = useRuns()
const limits = { maxWallMs: 5_000 }

/** Works a second, asks a person who thinks for an hour, and works on. */
async function body(context: RunContext, thenWork = 1_000): Promise<Json> {
  const work = (name: string, workMs: number) =>
    context.step(name, 'read', {}, async (attempt) => {
      await attempt.sleep(workMs)
      return null
    })
  await work('before', 1_000)
  const said = await context.ask('plan', 'Go on?')
  await work('after', thenWork)
  await work('last', 0)
  return said
}

async function thinkAnHour(): Promise<Json> {
  await current().clock.sleep(3_600_000, new AbortController().signal)
  return 'yes'
}

const wallMs = async () => (await sumAccounts(current().store.events('run'))).wallMs

describe('the time in which a person thinks', () => {
  it('counts neither for the limit nor in the accounts', async () => {
    expect(await current().start((context) => body(context), { limits, answer: thinkAnHour })).toBe(
      'yes',
    )
    expect(await wallMs()).toBeLessThan(5_000)
  })

  it('leaves the limit as it was for the work after it', async () => {
    const work = current().start((context) => body(context, 4_500), { limits, answer: thinkAnHour })
    await expect(work).rejects.toMatchObject({ code: 'limit_reached' })
  })

  it('is left out too where the run continues in another execution', async () => {
    let isDown = true
    const stopped = async (context: RunContext) => {
      const said = await body(context)
      if (isDown) throw new ScholiumError('cancelled', 'The run was interrupted.')
      return said
    }
    const answered = current().start(stopped, { limits, answer: thinkAnHour })
    await expect(answered).rejects.toMatchObject({ code: 'cancelled' })
    isDown = false
    const further = async (context: RunContext) => {
      await stopped(context)
      return context.step('more', 'read', {}, async () => 'more')
    }
    expect(await current().resume(further)).toBe('more')
  })

  it('is left out too where they leave without an answer', async () => {
    const leave = async () => {
      await thinkAnHour()
      return undefined
    }
    const left = current().start((context) => body(context), { limits, answer: leave })
    await expect(left).rejects.toMatchObject({ code: 'waiting' })
    expect(await wallMs()).toBeLessThan(5_000)
    expect(await current().resume((context) => body(context), { answer: thinkAnHour })).toBe('yes')
  })
})
