import { describe, expect, it } from 'vitest'
import { type Body, useRuns, workflowOf } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import {
  type Json,
  type RunContext,
  replayRun,
  resumeRun,
  ScholiumError,
  startRun,
} from '../index.ts'
import { canContinue } from './run.ts'

const current = useRuns()

/** Counts by name how often work was done. */
function tally() {
  const counts: Record<string, number> = {}
  const count = async (name: string): Promise<Json> => {
    counts[name] = (counts[name] ?? 0) + 1
    return name
  }
  return { counts, count }
}

function passing(message = 'busy') {
  return new ScholiumError('model_unavailable', message, { retryable: true })
}

describe('startRun', () => {
  it('writes what the run was made with, then its end', async () => {
    const workflow = workflowOf(async (_context, input) => input.question ?? null, {
      promptHashes: { 'a.md': 'hash' },
      title: ({ question }) => `about ${question}`,
    })
    const execution = current().execution({
      configuration: { models: { default: 'x' } },
      limits: { maxSteps: 3 },
    })
    const { runId, result } = await startRun(workflow, { question: 'life' }, 'mine', execution)
    expect({ runId, result }).toEqual({ runId: 'mine', result: { value: 'life' } })
    const [started, finished] = await current().events('mine')
    expect(started).toMatchObject({
      type: 'run.started',
      output: { question: 'life' },
      data: {
        workflow: 'test',
        versions: { package: '0', workflow: '1' },
        promptHashes: { 'a.md': 'hash' },
        configuration: { models: { default: 'x' } },
        limits: { maxSteps: 3 },
        seed: 'mine',
      },
    })
    expect(finished).toMatchObject({
      type: 'run.finished',
      data: { status: 'answered' },
      output: { value: 'life' },
    })
    expect(await current().store.get('mine')).toMatchObject({
      status: 'answered',
      title: 'about life',
      workflow: 'test',
    })
  })

  it('leaves a run that threw as failed, with why', async () => {
    await expect(current().start(() => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug')
    expect((await current().events()).at(-1)).toMatchObject({
      type: 'run.suspended',
      data: { failure: { code: 'internal', message: 'bug' } },
    })
    expect((await current().store.get('run')).status).toBe('failed')
  })
})

describe('resumeRun', () => {
  it('gives the result of a run that has ended, without doing anything', async () => {
    await current().start(async () => 1)
    const before = await current().log()
    expect(await current().resume(async () => 2)).toBe(1)
    expect(await current().log()).toEqual(before)
    expect((await current().store.get('run')).status).toBe('answered')
  })

  it.each([
    [{ name: 'other' }, 'The run was recorded by test 1; this is other 1.'],
    [{ version: '2' }, 'The run was recorded by test 1; this is test 2.'],
  ])('refuses a workflow that is not the one that recorded it: %o', async (changes, message) => {
    const stopping: Body = () => Promise.reject(new Error('stop'))
    await expect(current().start(stopping)).rejects.toThrow()
    const workflow = workflowOf(async () => 1, changes)
    const refused = { code: 'run_incompatible', message }
    await expect(resumeRun(workflow, 'run', current().execution())).rejects.toMatchObject(refused)
    await expect(replayRun(workflow, 'run', current().execution())).rejects.toMatchObject(refused)
    expect(await current().resume(async () => 2)).toBe(2)
  })

  it('refuses another configuration, and says what of it is another', async () => {
    const stopping: Body = () => Promise.reject(new Error('stop'))
    const configuration = { models: { a: 'x', b: 'y' }, baseUrls: { a: 'http://one' } }
    await expect(current().start(stopping, { configuration })).rejects.toThrow()
    const other = { configuration: { models: { a: 'x', b: 'z' } } }
    await expect(current().resume(async () => 2, other)).rejects.toMatchObject({
      code: 'run_incompatible',
      message:
        'Run run was started with another configuration: models.b was y, now z; baseUrls.a was http://one, now none.',
    })
  })

  it('says that there is no such run', async () => {
    await expect(current().resume(async () => 1)).rejects.toMatchObject({ code: 'run_not_found' })
    await expect(current().replay(async () => 1)).rejects.toMatchObject({ code: 'run_not_found' })
  })

  it('keeps the limits that the run was started with, unless it is given others', async () => {
    const seen: Json[] = []
    const body: Body = async (context) => {
      seen.push({ ...context.services.budget.limits })
      if (seen.length < 3) throw new Error('stop')
      return null
    }
    await expect(current().start(body, { limits: { maxSteps: 3, maxTokens: 9 } })).rejects.toThrow()
    await expect(current().resume(body)).rejects.toThrow()
    await current().resume(body, { limits: { maxSteps: 7 } })
    expect(seen).toEqual([
      { maxSteps: 3, maxTokens: 9 },
      { maxSteps: 3, maxTokens: 9 },
      { maxSteps: 7, maxTokens: 9 },
    ])
  })
})

describe('a run that ended on a failure', () => {
  /** `first`, then `second`, which fails as long as it is told to; a failure is the result `failed`. */
  function failing(failure: () => ScholiumError | undefined, isCaught: boolean) {
    const { counts, count } = tally()
    const body = async (context: RunContext): Promise<Json> => {
      await context.step('first', 'read', {}, () => count('first'), { isPaid: true })
      const second = context.step('second', 'read', {}, async () => {
        const thrown = failure()
        await count('second')
        if (thrown !== undefined) throw thrown
        return 'fine'
      })
      return isCaught ? second.catch(() => 'failed') : second
    }
    return { counts, body }
  }

  it.each([true, false])('that may pass continues from there (caught: %s)', async (isCaught) => {
    let failure: ScholiumError | undefined = passing()
    const { counts, body } = failing(() => failure, isCaught)
    const started = await current()
      .start(body)
      .catch((error: ScholiumError) => error.code)
    expect(started).toBe(isCaught ? 'failed' : 'model_unavailable')
    await current()
      .resume(body)
      .catch(() => undefined)
    failure = undefined
    expect(await canContinue(current().store, 'run', {})).toBe(true)
    expect(await current().resume(body)).toBe('fine')
    expect(await canContinue(current().store, 'run', { maxSteps: 9 })).toBe(false)
    expect(counts).toEqual({ first: 1, second: 3 })
    expect((await current().replay(body)).result.value).toBe('fine')
  })

  it('that will not pass stays ended', async () => {
    const { counts, body } = failing(() => new ScholiumError('model_failed', 'wrong key'), true)
    expect(await current().start(body)).toBe('failed')
    expect(await canContinue(current().store, 'run', {})).toBe(false)
    expect(await current().resume(body)).toBe('failed')
    expect(counts).toEqual({ first: 1, second: 1 })
  })

  it('that will not pass stays ended, also when an earlier one did', async () => {
    const { counts, count } = tally()
    const body = async (context: RunContext): Promise<Json> => {
      const down = context.step('down', 'read', {}, async () => {
        await count('down')
        if (counts.down === 1) throw passing()
        return 'up'
      })
      const wrong = async () => {
        await context.step('wrong', 'read', {}, async () => {
          await count('wrong')
          throw new ScholiumError('model_failed', 'wrong key')
        })
        return 'fine'
      }
      return down.then(wrong).catch(() => 'failed')
    }
    expect(await current().start(body)).toBe('failed')
    for (let time = 1; time <= 3; time++) expect(await current().resume(body)).toBe('failed')
    expect(counts).toEqual({ down: 2, wrong: 1 })
  })

  it('is not tried again from a failure that was a value for what came after', async () => {
    const { counts, count } = tally()
    const body = async (context: RunContext): Promise<Json> => {
      const turn = context.child('1')
      const tool = await turn
        .step('tool', 'read', {}, async () => {
          await count('tool')
          throw passing('too slow')
        })
        .catch(() => 'no result')
      await context.reachBoundary('turn.done', '1', {})
      await context.step('model', 'read', { tool }, () => count('model'))
      const last = context.step('last', 'read', {}, async () => {
        if ((await count('last')) && counts.last === 1) throw passing()
        return 'fine'
      })
      return last.catch(() => 'failed')
    }
    expect(await current().start(body)).toBe('failed')
    expect(await current().resume(body)).toBe('fine')
    expect(counts).toEqual({ tool: 1, model: 1, last: 2 })
  })

  it('does not repeat what parallel branches finished after the failure, writes least of all', async () => {
    const { counts, count } = tally()
    const failed = Promise.withResolvers<void>()
    const body = async (context: RunContext): Promise<Json> => {
      const broken = context.step('broken', 'read', {}, async () => {
        await count('broken')
        if (counts.broken === 1) throw passing()
        return null
      })
      const noted = broken.catch((error) => {
        failed.resolve()
        throw error
      })
      const rest = failed.promise.then(async () => {
        await context.step('paid', 'read', {}, () => count('paid'), { isPaid: true })
        await context.step('write', 'write', {}, () => count('write'))
      })
      const settled = await Promise.allSettled([noted, rest])
      return settled.some(({ status }) => status === 'rejected') ? 'failed' : 'fine'
    }
    expect(await current().start(body)).toBe('failed')
    expect(await current().resume(body)).toBe('fine')
    expect(counts).toEqual({ broken: 2, paid: 1, write: 1 })
    const replay = await current().replay(body)
    expect(replay).toMatchObject({ result: { value: 'fine' }, unclaimed: [] })
  })

  it('does what was done on the way to the failed end anew where it is now asked for something else', async () => {
    const said: Json[] = []
    let isDown = true
    const body = async (context: RunContext): Promise<Json> => {
      const news = await context
        .step('model', 'read', {}, async () => {
          if (isDown) throw passing()
          return 'news'
        })
        .catch(() => 'failed')
      await context.step('say', 'read', { news }, async () => said.push(news))
      return news
    }
    expect(await current().start(body)).toBe('failed')
    isDown = false
    expect(await current().resume(body)).toBe('news')
    expect(said).toEqual(['failed', 'news'])
    expect((await current().replay(body)).unclaimed).toEqual([])
  })

  it('leaves no trace of that end in a replay', async () => {
    let isDown = true
    const body = async (context: RunContext): Promise<Json> => {
      const model = context.step('model', 'read', {}, async () => {
        if (isDown) throw passing()
        return 'fine'
      })
      return model.catch(async () => {
        await context.step('regret', 'read', {}, async () => 'sorry')
        return 'failed'
      })
    }
    expect(await current().start(body)).toBe('failed')
    isDown = false
    expect(await current().resume(body)).toBe('fine')
    expect(await current().replay(body)).toMatchObject({ result: { value: 'fine' }, unclaimed: [] })
  })

  it('and whose process died first ends as it would have, and is tried again after that', async () => {
    const { counts, body } = failing(
      () => (counts.second === undefined ? passing() : undefined),
      true,
    )
    const dying = new FaultStore(current().store, { event: 4, when: 'after' })
    await expect(current().start(body, { store: dying })).rejects.toThrow()
    expect((await current().log()).at(-1)).toBe('step.failed test/second')
    expect(await current().resume(body)).toBe('failed')
    expect(counts).toEqual({ first: 1, second: 1 })
    expect(await current().resume(body)).toBe('fine')
    expect(counts).toEqual({ first: 1, second: 2 })
  })
})

describe('a question to a person', () => {
  const body: Body = async (context) => {
    await context.step('before', 'read', {}, async () => 1)
    const answer = await context.ask('permission', { question: 'Delete it?' })
    return { answer }
  }

  it('leaves the run waiting until it is resumed with an answer', async () => {
    await expect(current().start(body)).rejects.toMatchObject({
      code: 'waiting',
      hint: expect.stringContaining('scholium resume run'),
      details: { key: 'test/permission', prompt: { question: 'Delete it?' } },
    })
    expect((await current().store.get('run')).status).toBe('waiting')
    await expect(current().resume(body)).rejects.toMatchObject({ code: 'waiting' })
    expect((await current().log()).filter((line) => line.startsWith('run.waiting'))).toHaveLength(1)

    const asked: Json[] = []
    const answer = async (prompt: Json, key: string) => {
      asked.push({ prompt, key })
      return 'yes'
    }
    expect(await current().resume(body, { answer })).toEqual({ answer: 'yes' })
    expect(asked).toEqual([{ prompt: { question: 'Delete it?' }, key: 'test/permission' }])
    expect((await current().replay(body)).result.value).toEqual({ answer: 'yes' })
  })

  it('is answered at once where somebody is there, and asked once', async () => {
    let asked = 0
    const stopping: Body = async (context, input) => {
      const value = await body(context, input)
      if (asked === 1) {
        asked++
        throw new Error('stop')
      }
      return value
    }
    const answer = async () => {
      asked++
      return false
    }
    await expect(current().start(stopping, { answer })).rejects.toThrow('stop')
    expect(await current().resume(stopping, { answer })).toEqual({ answer: false })
    expect(asked).toBe(2)
    expect(await current().log()).not.toContain('run.waiting test/permission')
  })
})
