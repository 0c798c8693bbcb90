import { describe, expect, it } from 'vitest'
import type { IndexEntry } from '../../src/citations/numbers/index-entry.ts'
import { type Hash, type ModelSource, replayRun } from '../../src/kernel/index.ts'
import { LoggedMessages } from '../../src/observe/bundle/logged-messages.ts'
import {
  compareSchedules,
  faultSubject,
  runFaults,
  runInMemory,
  scriptModels,
} from '../../src/testing/index.ts'
import { citedWorkflow, sayWithNumbers } from './cited-workflow.ts'

async function runOnce() {
  const scripted = scriptModels(sayWithNumbers)
  const run = await runInMemory(citedWorkflow(), {}, { models: scripted.models })
  return { ...run, ...scripted }
}

/** The models with call ids that do not count over all calls, whose order is what is changed. */
function withSteadyIds(models: ModelSource): ModelSource {
  return {
    forRole: (role) => {
      const binding = models.forRole(role)
      const load = async () => {
        const model = await binding.load()
        const doGenerate = async (options: Parameters<typeof model.doGenerate>[0]) => {
          const result = await model.doGenerate(options)
          const content = result.content.map((part, index) =>
            part.type === 'tool-call'
              ? { ...part, toolCallId: `${options.prompt.length}-${index}` }
              : part,
          )
          return { ...result, content }
        }
        return { ...model, doGenerate }
      }
      return { ...binding, load }
    },
  }
}

const urlsOf = (numbers: unknown) => (numbers as readonly IndexEntry[]).map(({ url }) => url)

describe('a run with a manager', () => {
  it('shows models numbers and never an address', async () => {
    const { calls } = await runOnce()
    expect(calls).toHaveLength(10)
    for (const { prompt } of calls) expect(JSON.stringify(prompt)).not.toMatch(/https?:/i)
  })

  it('keeps what each model was sent, in the form in which it was sent', async () => {
    const { events, execution, runId } = await runOnce()
    const logged = new LoggedMessages()
    for (const event of events) logged.record(event)
    const kept = await Promise.all(
      logged.keptElsewhere().map((hash) => execution.store.blob(runId, hash as Hash)),
    )
    expect(kept.length).toBeGreaterThan(10)
    for (const text of kept) expect(text).toMatch(/^\{"parts"/)
  })

  it('gives tools addresses, which its log has', async () => {
    const { events } = await runOnce()
    const inputs = events.flatMap(({ key, data }) =>
      /fetch\/call$/.test(key) && 'input' in data ? data.input : [],
    )
    const fetched = (topic: string) => ({
      tool: 'fetch',
      input: { url: `https://${topic}-a.org/` },
    })
    expect(inputs).toEqual(['owls', 'moles', 'bats'].map(fetched))
  })

  it('numbers in branch order, one number for what several branches cite', async () => {
    const { result } = await runOnce()
    const own = (topic: string) => [
      `https://${topic}-a.org/`,
      `https://more-${topic}-a.org/`,
      `https://${topic}-b.org/`,
      `https://more-${topic}-b.org/`,
      `https://linked.org/?from=${`https://${topic}-a.org/`.length}`,
    ]
    const [owls, moles, bats] = ['owls', 'moles', 'bats'].map(own)
    const all = ['https://shared.org/page', ...(owls ?? []), ...(moles ?? []), ...(bats ?? [])]
    const last = ['https://own.org/', 'https://unused.org/']
    expect(urlsOf(result.numbers)).toEqual([...new Set([...all, ...last])])
  })

  it('gives an answer whose marks lead to what the branches meant', async () => {
    const { result } = await runOnce()
    expect(result.answer).toBe(
      [
        'All agree [owls-a.org](https://owls-a.org/)[moles-a.org](https://moles-a.org/)',
        '[bats-a.org](https://bats-a.org/) and [own.org](https://own.org/) too.',
        '\n\n[1]: https://unused.org/',
      ].join(''),
    )
  })
})

describe('the numbers of a run', () => {
  it('are the same when it is replayed', async () => {
    const { runId, result, execution } = await runOnce()
    const replay = await replayRun(citedWorkflow(), runId, execution)
    expect(replay).toMatchObject({ result, recorded: result, unclaimed: [] })
  })

  it('are the same wherever it died and was resumed', async () => {
    const subject = faultSubject(
      () => {
        const { models, paidCalls } = scriptModels(sayWithNumbers)
        return { workflow: citedWorkflow(), input: {}, execution: { models }, paidCalls }
      },
      { parallelCalls: 3 },
    )
    const report = await runFaults(subject)
    expect(report.problems).toEqual([])
    expect(report.events).toBeGreaterThan(25)
    expect(report.trials).toBe(2 * report.appends)
  })

  it('do not depend on which branch or tool is faster', async () => {
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
    const report = await compareSchedules(seeds, async (schedule) => {
      const models = schedule.shuffleModels(withSteadyIds(scriptModels(sayWithNumbers).models))
      const workflow = citedWorkflow((tool) => schedule.shuffle(tool))
      return runInMemory(workflow, {}, { models })
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(3)
  })
})
