import { describe, expect, it } from 'vitest'
import { createAgentInput } from '../../src/agents/run/agent-input.ts'
import { agentWorkflow } from '../../src/agents/run/agent-workflow.ts'
import { changedFields } from '../../src/graph/change-state.ts'
import { findPlace, forkRun } from '../../src/kernel/run/fork.ts'
import { replayRun, resumeRun, startRun } from '../../src/kernel/run/run.ts'
import { stateAt } from '../../src/kernel/run/state-at.ts'
import {
  compareSchedules,
  createMemoryStore,
  faultSubject,
  runFaults,
  seededCrashes,
  testExecution,
} from '../../src/testing/index.ts'
import { loadDocument, newWorld, parseDocument, runDocument, testParts } from './run-document.ts'

const answer = async () => 'approve'

/** A document whose process dies, in a world of its own each time. */
async function subjectOf(name: string, input = {}) {
  const document = await loadDocument(name)
  return faultSubject(
    () => {
      const world = newWorld()
      return {
        workflow: agentWorkflow(testParts(world)),
        input: createAgentInput({ document, input }),
        execution: { answer },
        writes: () => new Map(world.written.map((text) => [text, count(world.written, text)])),
      }
    },
    // What a write that was cut off leaves in the state; all else is as it would have been.
    {
      comparable: ({
        state: { error: _error, said: _said, parallel_results: _parts, ...state },
        ...result
      }) => ({ ...result, state }),
      accepts: (result) => result.failure?.code === 'outcome_unknown',
    },
  )
}

function count(texts: readonly string[], text: string): number {
  return texts.filter((other) => other === text).length
}

describe('a run of an agent file whose process dies', () => {
  it.each(['mixed', 'parallel', 'each', 'while', 'loop-back', 'late', 'graceful', 'interrupt'])(
    'at any event comes to the same state, and writes nothing twice: %s',
    async (name) => {
      const input = { word: 'ab', text: 'a longer one' }
      const report = await runFaults(await subjectOf(name, input))
      expect(report.problems).toEqual([])
      expect(report.trials).toBe(2 * report.appends)
    },
  )

  it('three times over does so, too', async () => {
    const plan = (events: number) => seededCrashes(events, 15, 3, 5)
    const report = await runFaults(await subjectOf('mixed'), { plan })
    expect(report).toMatchObject({ problems: [], trials: 15 })
  })
})

describe('a run of an agent file', () => {
  it('does not depend on which of several things ends first', async () => {
    const document = await loadDocument('mixed')
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
    const report = await compareSchedules(seeds, async (schedule) => {
      const world = { ...newWorld(), turn: () => schedule.turn() }
      const { result, events } = await runDocument(document, {}, testParts(world))
      return { result, events }
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(2)
  })

  it('is replayed with nothing done', async () => {
    const world = newWorld()
    const parts = testParts(world)
    const { runId, execution } = await runDocument(await loadDocument('mixed'), {}, parts)
    const before = [...world.written]
    const replay = await replayRun(agentWorkflow(parts), runId, execution)
    expect(replay.result).toEqual(replay.recorded)
    expect(replay.unclaimed).toEqual([])
    expect(world.written).toEqual(before)
  })

  it('has a state at each node, and goes another way from there when that is changed', async () => {
    const world = newWorld()
    const parts = testParts(world)
    const workflow = agentWorkflow(parts)
    const document = await loadDocument('goto')
    const { runId, execution } = await runDocument(document, { score: 0.9 }, parts)
    const place = await findPlace(execution.store, runId, 'good[1]')
    const state = await stateAt(workflow, execution.store, runId, place)
    expect(state).toEqual({ score: 0.9, judged: true })
    const fields = changedFields(state, [{ path: 'score', value: 0.1 }])
    const fork = { parentId: runId, place, fields }
    const { result } = await forkRun(workflow, fork, 'forked', execution)
    expect(result).toMatchObject({ status: 'answered', state: { score: 0.1, grade: 'poor' } })
    const replay = await replayRun(workflow, 'forked', execution)
    expect(replay.result).toEqual(replay.recorded)
  })

  it('is listed under its name with its input', async () => {
    const { execution, runId } = await runDocument(await loadDocument('goto'), { score: 1 })
    const run = await execution.store.get(runId)
    expect(run).toMatchObject({
      workflow: 'agent',
      title: 'goto {"score":1}',
      status: 'answered',
    })
  })

  it('that a limit stopped continues when there is more', async () => {
    const world = newWorld()
    const workflow = agentWorkflow(testParts(world))
    const document = await loadDocument('while')
    const execution = testExecution(createMemoryStore())
    const input = createAgentInput({ document, input: {} })
    const limits = { maxSteps: 2 }
    const stopped = await startRun(workflow, input, 'run', { ...execution, limits })
    expect(stopped.result).toMatchObject({ status: 'partial', stopReason: 'limit' })
    const more = { ...execution, limits: { maxSteps: 20 } }
    const { result } = await resumeRun(workflow, 'run', more)
    expect(result).toMatchObject({ status: 'answered', state: { n: 64 } })
    expect(world.read).toEqual(['2!', '4!', '8!', '16!', '32!', '64!'])
  })

  it('that failed on something that may work now is resumed, and nothing before it is done again', async () => {
    const world = newWorld()
    const workflow = agentWorkflow(testParts(world))
    const document = await parseDocument(
      [
        'name: again',
        'nodes:',
        '  - {name: first, uses: test.flaky, with: {times: 1}, retry: {max_retries: 1, retry_delay: 0}}',
        '  - {name: said, uses: test.write, with: {text: said}}',
        '  - {name: second, uses: test.flaky, with: {times: 3}, output: second}',
      ].join('\n'),
    )
    const execution = testExecution(createMemoryStore())
    const input = createAgentInput({ document, input: {} })
    const failed = await startRun(workflow, input, 'run', execution)
    expect(failed.result).toMatchObject({ status: 'failed', failure: { node: 'second' } })
    const { result } = await resumeRun(workflow, 'run', execution)
    expect(result).toMatchObject({ status: 'answered', state: { second: { after: 3 } } })
    expect(world.written).toEqual(['said'])
    const events = await Array.fromAsync(execution.store.events('run'))
    const ends = events.flatMap(({ type, key }) => (type.startsWith('step.') ? [key] : []))
    expect(ends.filter((key) => key.startsWith('agent/first'))).toHaveLength(2)
  })
})

describe('a person', () => {
  async function waiting() {
    const world = newWorld()
    const workflow = agentWorkflow(testParts(world))
    const execution = testExecution(createMemoryStore())
    const document = await loadDocument('interrupt')
    const started = startRun(workflow, createAgentInput({ document, input: {} }), 'run', execution)
    await expect(started).rejects.toMatchObject({
      code: 'waiting',
      details: {
        key: 'agent/draft[1]/after[1]',
        prompt: { kind: 'interrupt', when: 'after', node: 'draft', state: { text: 'first' } },
      },
    })
    const resume = (...answers: readonly unknown[]) => {
      const given = [...answers]
      return resumeRun(workflow, 'run', {
        ...execution,
        answer: async () => given.shift() as never,
      })
    }
    return { world, resume, execution }
  }

  it('lets a run continue', async () => {
    const { world, resume } = await waiting()
    expect((await resume('approve', 'ok')).result).toMatchObject({ status: 'answered' })
    expect(world.written).toEqual(['first'])
  })

  it('changes the state', async () => {
    const { world, resume } = await waiting()
    const { result } = await resume('{"text": "second"}', { text: 'third', more: 1 })
    expect(result.state).toMatchObject({ text: 'third', more: 1 })
    expect(world.written).toEqual(['third'])
  })

  it('is asked again for what cannot be read', async () => {
    const { resume, execution } = await waiting()
    await resume('maybe', 'approve', 'approve')
    const events = await Array.fromAsync(execution.store.events('run'))
    expect(events.map(({ key }) => key)).toContain('agent/draft[1]/after[2]')
  })

  it('ends a run', async () => {
    const { world, resume } = await waiting()
    const { result } = await resume('approve', 'stop')
    expect(result).toMatchObject({ status: 'partial', stopReason: 'stopped_by_person' })
    expect(world.written).toEqual([])
  })
})
