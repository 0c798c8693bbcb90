import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { EventType, LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import { buildView, reduceView } from '../displays/reduce-view.ts'
import { describeEvent, isLasting } from '../progress/describe-event.ts'
import { emptyView, type RunView } from './run-view.ts'
import { buildTimeline } from './timeline.ts'

let seq = 0
const event = (type: EventType, key: string, output?: Json, data: JsonObject = {}): RunEvent => {
  seq++
  return {
    v: 1,
    runId: 'r1',
    seq,
    ts: seq * 10,
    epoch: 1,
    key,
    type,
    data,
    ...(output === undefined ? {} : { output }),
  } as RunEvent
}
const node = (name: string, output: JsonObject) => event('node.done', `ask/${name}`, output)
const started = (name: string): LiveEvent => ({
  transient: true,
  key: `ask/${name}`,
  type: 'progress',
  data: { node: name.slice(0, name.indexOf('[')), state: 'started' },
})
const free = { inputTokens: 10, outputTokens: 2, costUsd: 0.001 }
const model = (usage: JsonObject = free) =>
  event('step.done', 'ask/planner[1]/model', {}, { name: 'model', usage })
const search = (query: string, passages: number) =>
  event('step.done', 'ask/researcher[1]/converse[1]/react/1/tool[1]:search_library/call', {
    query,
    passages: Array.from({ length: passages }, () => ({})),
  })

const plan = node('planner[1]', {
  plan: { researchSteps: ['What is A?', 'Who made A?'], expertSteps: ['Say it.'] },
})
const approve = (role: string) =>
  node('critic[1]', { [role]: { decision: 'approve', feedback: 'fine' } })
const reject = (role: string, why: string) =>
  node('critic[1]', { [role]: { decision: 'reject', feedback: why } })

const play = (...events: LiveEvent[]): RunView => events.reduce(reduceView, emptyView)
/** What a person reads who follows these events as lines. */
const linesOf = (...events: LiveEvent[]) => {
  let view = emptyView
  return events.flatMap((next) => {
    view = reduceView(view, next)
    return describeEvent(next, view) ?? []
  })
}

describe('the view of a run', () => {
  it('follows plan, research steps and answer through their critics', () => {
    const first = play(
      event('run.started', ''),
      started('planner[1]'),
      model(),
      plan,
      approve('plan'),
    )
    expect(first).toMatchObject({ runId: 'r1', plan: { state: 'done', isApproved: true } })
    expect(first.research.map(({ text, state }) => [text, state])).toEqual([
      ['What is A?', 'todo'],
      ['Who made A?', 'todo'],
    ])
    const second = [
      started('researcher[1]'),
      search('A', 3),
      node('researcher[1]', {}),
      started('critic[2]'),
    ].reduce(reduceView, first)
    expect(second.research[0]).toMatchObject({ state: 'judging', searches: 1, isApproved: false })
    const third = [approve('research'), started('researcher[2]')].reduce(reduceView, second)
    expect(third.research.map(({ state }) => state)).toEqual(['done', 'doing'])
    expect(third).toMatchObject({ modelCalls: 1, toolCalls: 1, tokens: 12, costUsd: 0.001 })
  })

  it('is the same from the log alone, without what is not stored', () => {
    const log = [plan, approve('plan'), node('researcher[1]', {}), approve('research')]
    expect(play(...log).research.map(({ state }) => state)).toEqual(['done', 'todo'])
  })

  it('counts rejections, by critics and for answers without form', () => {
    const view = play(
      plan,
      approve('plan'),
      node('researcher[1]', {}),
      reject('research', 'no citation'),
    )
    expect(view.research[0]).toMatchObject({
      state: 'doing',
      rejections: 1,
      feedback: 'no citation',
    })
    const again = reduceView(view, node('researcher[2]', { control: { malformed: 'researcher' } }))
    expect(again.research[0]).toMatchObject({ rejections: 2 })
    expect(again.research[1]).toMatchObject({ rejections: 0 })
  })

  it('says that the cost is unknown from the first call without a price on', () => {
    expect(play(model(), model({ ...free, costUsd: null }), model()).costUsd).toBeNull()
  })

  it('keeps the failure after which nothing went well', () => {
    const failure = {
      code: 'model_unavailable',
      message: 'refused',
      retryable: true,
      hint: 'Start it.',
    }
    expect(
      play(event('step.failed', 'ask/planner[1]/model', undefined, { failure })).failure,
    ).toEqual(failure)
    const recovered = play(
      event('step.failed', 'ask/planner[1]/model', undefined, { failure }),
      model(),
    )
    expect(recovered.failure).toBeNull()
  })

  it('keeps the failure while what was found by then is checked', () => {
    const failure = { code: 'model_unavailable', message: 'gone', retryable: true }
    const checked = play(
      event('step.failed', 'ask/finalizer[1]/final/model', undefined, { failure }),
      event('step.done', 'ask/verify[1]/final/evidence', []),
    )
    expect(checked.failure).toEqual(failure)
  })

  it('leaves out what a resumed session took back', () => {
    const kept = approve('plan')
    const lost = node('researcher[1]', {})
    const resumed = event('run.resumed', '', undefined, { rewindToSeq: kept.seq })
    expect(buildView([plan, kept, lost, resumed]).research[0]?.state).toBe('todo')
    expect(buildView([plan, kept, lost]).research[0]?.state).toBe('judging')
  })

  it('stands any output that is not as expected', () => {
    for (const output of [
      null,
      1,
      'x',
      [],
      { plan: 5 },
      { plan: { researchSteps: 5 } },
      { plan: { decision: 7 } },
    ] as Json[]) {
      expect(() =>
        play(
          event('node.done', 'ask/planner[1]', output),
          event('node.done', 'ask/critic[1]', output),
        ),
      ).not.toThrow()
    }
  })
})

describe('describeEvent', () => {
  it('tells a run as one line for each thing that a person cares about', () => {
    const notice = event('notice', 'ask/input[1]/sample', undefined, {
      level: 'info',
      text: 'Your library is empty.',
    })
    const lines = linesOf(
      event('run.started', ''),
      notice,
      started('orchestrator[1]'),
      started('planner[1]'),
      model(),
      plan,
      approve('plan'),
      node('orchestrator[2]', { control: { atAgent: 'researcher' } }),
      started('researcher[1]'),
      search('A', 1),
      node('researcher[1]', {}),
      reject('research', 'no citation'),
      started('researcher[2]'),
      approve('research'),
      started('expert[1]'),
      started('verify[1]'),
      event('run.finished', ''),
    )
    expect(lines).toEqual([
      'Run r1',
      'Note: Your library is empty.',
      'Plan: (1) What is A? (2) Who made A?',
      'The plan is approved.',
      'Researching 1 of 2: What is A?',
      'Searched "A": 1 passage',
      'The research is rejected: no citation',
      'Researching 1 of 2: What is A?',
      'The research is approved.',
      'Writing the answer.',
      'Checking the claims.',
    ])
    expect(isLasting(notice)).toBe(true)
  })

  it.each([
    ['step.failed', { name: 'model', failure: { message: 'refused' } }, undefined],
    [
      'limit.reached',
      { failure: { message: 'The limit maxSteps was reached.' } },
      'The limit maxSteps was reached.',
    ],
    ['notice', { level: 'warning', text: 'odd' }, 'Warning: odd'],
    ['run.resumed', {}, 'Resuming run r1.'],
    ['run.suspended', {}, undefined],
    ['turn.done', {}, undefined],
  ] as const)('says of %s %j: %s', (type, data, line) => {
    expect(linesOf(event(type, 'ask/x', undefined, data as JsonObject))).toEqual(
      line === undefined ? [] : [line],
    )
  })

  it('tells calculations, and waits for a busy model', () => {
    const calculated = event(
      'step.done',
      'ask/expert[1]/converse[1]/react/1/tool[1]:calculator/call',
      {
        expression: '2 + 2',
        result: '4',
      },
    )
    const waiting: LiveEvent = {
      transient: true,
      key: 'k',
      type: 'progress',
      data: { text: 'Trying again in 2 s.' },
    }
    expect(linesOf(calculated, waiting)).toEqual(['Calculated 2 + 2 = 4', 'Trying again in 2 s.'])
  })
})

describe('timelineOf', () => {
  it('gives each node its time and its calls, without the time between sessions', () => {
    seq = 0
    const log = [
      event('run.started', ''),
      model(),
      node('planner[1]', {}),
      event('node.done', 'ask/researcher[1]/converse[1]'),
      search('A', 1),
      event('run.resumed', '', undefined, { rewindToSeq: null }),
      node('researcher[1]', {}),
    ]
    expect(buildTimeline(log)).toEqual([
      { node: 'planner[1]', durationMs: 20, modelCalls: 1, toolCalls: 0 },
      { node: 'researcher[1]', durationMs: 10, modelCalls: 0, toolCalls: 1 },
    ])
  })

  it('leaves out nodes that were taken back', () => {
    seq = 0
    const first = node('planner[1]', {})
    const log = [
      first,
      node('critic[1]', {}),
      event('run.resumed', '', undefined, { rewindToSeq: first.seq }),
      node('critic[1]', {}),
    ]
    expect(buildTimeline(log).map((entry) => entry.node)).toEqual(['planner[1]', 'critic[1]'])
  })
})
