import { describe, expect, it } from 'vitest'
import { changedFields, type StateChange } from '../../src/graph/change-state.ts'
import { foldState } from '../../src/graph/fold-state.ts'
import {
  append,
  type BranchResult,
  defineGraph,
  end,
  type Node,
  replace,
  runGraph,
  sum,
} from '../../src/graph/index.ts'
import {
  type Execution,
  type JsonObject,
  type LiveEvent,
  replayRun,
  resumeRun,
  type StepAttempt,
  startRun,
  type Workflow,
} from '../../src/kernel/index.ts'
import { sumAccounts } from '../../src/kernel/run/accounts.ts'
import { type Fork, findPlace, forkRun } from '../../src/kernel/run/fork.ts'
import { stateAt } from '../../src/kernel/run/state-at.ts'
import { FaultStore } from '../../src/testing/index.ts'
import { useRuns } from '../kernel/runs.ts'

type Trip = {
  readonly word: string
  readonly said: readonly string[]
  readonly count: number
  readonly legs: { readonly [name: string]: number }
  readonly parallel_results: readonly BranchResult[]
}
type Input = { readonly word: string }

const current = useRuns()
/** What really happened in the world, in order. */
let done: string[] = []

const channels = {
  word: replace(''),
  said: append<string>(),
  count: sum(),
  legs: replace<Trip['legs']>({ a: 1 }),
  parallel_results: replace<readonly BranchResult[]>([]),
}

const say =
  (name: string): Node<Trip> =>
  async (state, context) => {
    const text = `${name} ${state.word}`
    const speak = async (attempt: StepAttempt) => {
      done.push(text)
      attempt.use({ inputTokens: 10, outputTokens: 1, costUsd: 0.5 })
      return text
    }
    const reservation = { steps: 1, tokens: 11, costUsd: 0.5 }
    await context.step('say', 'read', { text }, speak, { isPaid: true, reservation })
    return { said: [text], count: 1 }
  }

const graph = defineGraph<Trip>({
  name: 'trip',
  channels,
  start: 'a',
  nodes: { a: say('a'), left: say('left'), right: say('right'), meet: say('meet'), z: say('z') },
  edges: {
    a: {
      targets: ['left', 'right', 'meet'],
      route: () => ({
        branches: [
          { node: 'left', patch: {} },
          { node: 'right', patch: {} },
        ],
        join: 'meet',
      }),
    },
    left: end,
    right: end,
    meet: 'z',
    z: { targets: ['z', end], route: ({ count }) => (count < 4 ? 'z' : end) },
  },
})

const workflow: Workflow<Input, Trip> = {
  name: 'trip',
  version: '1',
  promptHashes: {},
  title: ({ word }) => word,
  run: (context, input) => runGraph(graph, context, input),
  foldState: (input, ends) => foldState(channels, input, ends),
  status: () => 'answered',
}

async function start(changes: Partial<Execution> = {}): Promise<Trip> {
  done = []
  const { result } = await startRun(workflow, { word: 'go' }, 'run', current().execution(changes))
  done = []
  return result
}

async function fork(
  at: string,
  changes: readonly StateChange[] = [],
  options: { parentId?: string; runId?: string; execution?: Partial<Execution> } = {},
): Promise<Trip> {
  const { parentId = 'run', runId = 'fork', execution = {} } = options
  const { store } = current()
  const place = await findPlace(store, parentId, at)
  const state = await stateAt(workflow, store, parentId, place)
  const given: Fork = { parentId, place, fields: changedFields(state, changes) }
  return (await forkRun(workflow, given, runId, current().execution(execution))).result
}

describe('findPlace', () => {
  it.each([
    ['', 'trip'],
    ['a[1]', 'trip'],
    ['meet[1]', 'trip/fan[meet][1]'],
    ['z[1]', 'trip/meet[1]'],
    ['z[2]/say', 'trip/z[1]'],
    ['trip/z[2]', 'trip/z[1]'],
    ['fan[meet][1]/branch[1]', 'trip/a[1]'],
  ])('%s is done anew after %s', async (at, boundary) => {
    await start()
    expect(await findPlace(current().store, 'run', at)).toMatchObject({ boundary })
  })

  it('finds an event by its number, and what follows a boundary', async () => {
    await start()
    const z = (await current().events()).find(({ key }) => key === 'trip/z[1]/say')
    expect(await findPlace(current().store, 'run', `#${z?.seq}`)).toMatchObject({
      boundary: 'trip/meet[1]',
      at: 'trip/z[1]/say',
    })
  })

  it('is before the last node where nothing follows', async () => {
    await start()
    const { seq = 0 } = (await current().events()).at(-1) ?? {}
    const place = await findPlace(current().store, 'run', `#${seq}`)
    expect(place).toMatchObject({ boundary: 'trip/z[1]', at: 'trip/z[2]', isBeforeEnd: true })
    await expect(findPlace(current().store, 'run', `#${seq + 1}`)).rejects.toMatchObject({
      hint: expect.stringContaining(`Its events are numbered #1 to #${seq}.`),
    })
  })

  it('is that of one step: a name that several have is refused with their keys', async () => {
    await start()
    const ofSay = findPlace(current().store, 'run', 'say')
    await expect(ofSay).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^"say" matches 6 steps: trip\/a\[1\]\/say, .* …\.$/),
    })
    const ofAll = findPlace(current().store, 'run', 'trip')
    await expect(ofAll).rejects.toMatchObject({ message: 'Run run has no step "trip".' })
  })

  it('stands for what comes next, where it is an event of the run itself', async () => {
    const controller = new AbortController()
    const stopAt = (event: LiveEvent) => {
      if ('type' in event && event.type === 'node.done' && event.key === 'trip/meet[1]')
        controller.abort()
    }
    const stopping = start({ signal: controller.signal, listeners: [stopAt] })
    await expect(stopping).rejects.toMatchObject({ code: 'cancelled' })
    const { seq = 0, type } = (await current().events()).at(-1) ?? {}
    expect(type).toBe('run.suspended')
    const at = () => findPlace(current().store, 'run', `#${seq}`)
    expect(await at()).toMatchObject({ boundary: 'trip/meet[1]', at: 'trip/z[1]/say' })
    await resumeRun(workflow, 'run', current().execution())
    expect(await at()).toMatchObject({ boundary: 'trip/meet[1]', at: 'trip/z[1]/say' })
  })

  it('names the nodes that there are for a step that is none', async () => {
    await start()
    await expect(findPlace(current().store, 'run', 'b[1]')).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('a[1], fan[meet][1], meet[1], z[1], z[2]'),
    })
  })
})

describe('stateAt', () => {
  it('is the state that the next node saw, at every boundary', async () => {
    await start()
    const { store } = current()
    const at = async (name: string) =>
      (await stateAt(workflow, store, 'run', await findPlace(store, 'run', name))) as Trip
    expect(await at('')).toMatchObject({ word: 'go', said: [], count: 0, legs: { a: 1 } })
    expect(await at('meet[1]')).toMatchObject({
      said: ['a go'],
      parallel_results: [
        { index: 0, node: 'left', patch: { said: ['left go'] } },
        { index: 1, node: 'right', patch: { said: ['right go'] } },
      ],
    })
    expect(await at('z[2]')).toMatchObject({ said: ['a go', 'meet go', 'z go'], count: 3 })
  })
})

describe('a fork', () => {
  it('does nothing before its place again and everything after it, and leaves its parent as it was', async () => {
    const first = await start()
    const before = await current().events()
    expect(await fork('z[1]')).toEqual(first)
    expect(done).toEqual(['z go', 'z go'])
    expect(await current().events()).toEqual(before)
  })

  it.each([
    ['', ['a hi', 'left hi', 'right hi', 'meet hi', 'z hi', 'z hi']],
    ['meet[1]', ['meet hi', 'z hi', 'z hi']],
    ['z[2]', ['z hi']],
  ])('goes on from "%s" with a changed state', async (at, expected) => {
    await start()
    await fork(at, [{ path: 'word', value: 'hi' }])
    expect(done.toSorted()).toEqual(expected.toSorted())
  })

  it('changes a place deep in the state', async () => {
    await start()
    const result = await fork('z[2]', [
      { path: 'legs.b', value: 7 },
      { path: 'said[0]', value: 'changed' },
      { path: 'said[3]', value: 'added' },
    ])
    expect(result).toMatchObject({
      legs: { a: 1, b: 7 },
      said: ['changed', 'meet go', 'z go', 'added', 'z go'],
    })
  })

  it('can be forked again, also at the place where it left its parent', async () => {
    await start()
    await fork('z[1]', [{ path: 'word', value: 'hi' }])
    done = []
    const deeper = await fork('z[2]', [{ path: 'word', value: 'yo' }], {
      parentId: 'fork',
      runId: 'deeper',
    })
    expect(done).toEqual(['z yo'])
    expect(deeper.said).toEqual(['a go', 'meet go', 'z hi', 'z yo'])
  })

  it.each([
    ['z[1]', 'z[1]', ['z yo', 'z yo'], { a: 7 }],
    ['', '', ['a yo', 'left yo', 'meet yo', 'right yo', 'z yo', 'z yo'], { a: 7 }],
    ['z[2]', 'z[1]', ['z yo', 'z yo'], { a: 1 }],
    ['z[1]', 'z[2]', ['z yo'], { a: 7 }],
  ])(
    'left at "%s" and forked again at "%s" keeps the change where it lies before',
    async (first, second, said, legs) => {
      await start()
      await fork(first, [
        { path: 'legs.a', value: 7 },
        { path: 'word', value: 'hi' },
      ])
      done = []
      const options = { parentId: 'fork', runId: 'deeper' }
      const result = await fork(second, [{ path: 'word', value: 'yo' }], options)
      expect(done.toSorted()).toEqual(said)
      expect(result.legs).toEqual(legs)
      const replay = await replayRun(workflow, 'deeper', current().execution())
      expect(replay).toMatchObject({ result, unclaimed: [] })
    },
  )

  it('is no run when another version of the workflow recorded its parent', async () => {
    await start()
    const { store } = current()
    const place = await findPlace(store, 'run', 'z[1]')
    const given = { parentId: 'run', place, fields: {} }
    const newer = { ...workflow, version: '2' }
    const forked = forkRun(newer, given, 'fork', current().execution())
    await expect(forked).rejects.toMatchObject({ code: 'run_incompatible' })
    expect(await store.list()).toHaveLength(1)
  })

  it('is replayed from the place where it left its parent', async () => {
    await start()
    const result = await fork('z[1]', [{ path: 'word', value: 'hi' }])
    done = []
    const replay = await replayRun(workflow, 'fork', current().execution())
    expect(replay).toMatchObject({ result, recorded: result, steps: 2, unclaimed: [] })
    expect(done).toEqual([])
  })

  it('may cost what its own limits allow, whatever its parent cost', async () => {
    await start()
    const limits = { maxCostUsd: 1, maxSteps: 2 }
    await fork('z[1]', [], { execution: { limits } })
    expect(done).toEqual(['z go', 'z go'])
    expect(await sumAccounts(current().store.events('fork'))).toMatchObject({
      costUsd: 1,
      modelCalls: 2,
    })
    expect(await sumAccounts(current().store.events('run'))).toMatchObject({
      costUsd: 3,
      modelCalls: 6,
    })
    const tooLittle = { runId: 'poor', execution: { limits: { maxSteps: 1 } } }
    await expect(fork('z[1]', [], tooLittle)).rejects.toMatchObject({ code: 'limit_reached' })
  })

  it('is held to the limits of its parent, of which others may be given', async () => {
    await start({ limits: { maxSteps: 6, maxCostUsd: 3 } })
    const limitsOf = async (runId: string) =>
      (await current().events(runId)).find((event) => event.type === 'run.forked')?.data.limits
    await fork('z[1]')
    expect(await limitsOf('fork')).toEqual({ maxSteps: 6, maxCostUsd: 3 })
    const options = { runId: 'poor', execution: { limits: { maxSteps: 1 } } }
    await expect(fork('z[1]', [], options)).rejects.toMatchObject({ code: 'limit_reached' })
    expect(await limitsOf('poor')).toEqual({ maxSteps: 1, maxCostUsd: 3 })
    await expect(fork('', [], { runId: 'same', parentId: 'poor' })).rejects.toMatchObject({
      code: 'limit_reached',
    })
  })
})

describe('a fork that is cut off', () => {
  it('continues from every one of its own events with its change, and does nothing again', async () => {
    await start()
    const { store } = current()
    const whole = await fork('z[1]', [{ path: 'word', value: 'hi' }], { runId: 'whole' })
    const place = await findPlace(store, 'run', 'z[1]')
    const count = (await current().events('whole')).length - place.seq
    expect(count).toBeGreaterThan(4)
    for (let index = 1; index < count; index++) {
      done = []
      const runId = `cut-${index}`
      const cut = new FaultStore(store, { event: index, when: 'after' })
      // The run before it cost 3; a call in flight may count twice.
      const options = { runId, execution: { store: cut, limits: { maxCostUsd: 2 } } }
      await expect(fork('z[1]', [{ path: 'word', value: 'hi' }], options)).rejects.toBeDefined()
      const { result } = await resumeRun(workflow, runId, current().execution())
      expect(result).toEqual(whole)
      expect(done).toEqual(['z hi', 'z hi'])
    }
  })

  it('is refused when not even its beginning was written: its change would be lost', async () => {
    await start()
    const cut = new FaultStore(current().store, { event: 1, when: 'before' })
    const options = { execution: { store: cut } }
    await expect(fork('z[1]', [], options)).rejects.toBeDefined()
    const resumed = resumeRun(workflow, 'fork', current().execution())
    await expect(resumed).rejects.toMatchObject({ code: 'run_incompatible' })
  })
})

describe('changedFields', () => {
  const state: JsonObject = { word: 'go', said: ['a'], legs: { a: 1 }, answer: null }
  it.each([
    ['colour', 1, 'The state has no field "colour".'],
    ['word', 3, '"word" must be a string, not a number.'],
    ['said', 'x', '"said" must be a list, not a string.'],
    ['said[2]', 'x', 'The state has no field "said[2]": there is nothing at "2".'],
    ['word.x', 'x', 'The state has no field "word.x": there is nothing at "x".'],
    ['', 'x', '"" is not a path into the state.'],
    ['a..b', 'x', '"a..b" is not a path into the state.'],
  ])('refuses %s = %j', (path, value, message) => {
    expect(() => changedFields(state, [{ path, value }])).toThrow(message)
  })

  it('gives a field that was null anything', () => {
    expect(changedFields(state, [{ path: 'answer', value: { text: 'x' } }])).toEqual({
      answer: { text: 'x' },
    })
  })

  it('does not reach into what every object has', () => {
    expect(() => changedFields(state, [{ path: '__proto__.x', value: 1 }])).toThrow('no field')
    const { legs } = changedFields(state, [{ path: 'legs.__proto__', value: { evil: 1 } }])
    expect((legs as { evil?: number }).evil).toBeUndefined()
  })
})
