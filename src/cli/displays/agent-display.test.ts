import { describe, expect, it } from 'vitest'
import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import { describeEvent } from '../progress/describe-event.ts'
import { emptyView } from '../render/run-view.ts'
import { describeAgentEvent } from './agent-display.ts'
import { reduceView } from './reduce-view.ts'

const event = (type: RunEvent['type'], key: string, data = {}, output = {}) =>
  ({
    v: 1,
    runId: 'r',
    seq: 1,
    epoch: 1,
    ts: 0,
    type,
    key,
    data,
    output,
  }) as RunEvent
const started = (key: string): LiveEvent =>
  ({
    transient: true,
    type: 'progress',
    key,
    data: { state: 'started' },
  }) as unknown as LiveEvent
const usage = { inputTokens: 10, outputTokens: 5, costUsd: 0 }

describe('what a person is told of the run of an agent file', () => {
  it('names nodes as they begin, from the second turn on with it', () => {
    expect(describeAgentEvent(started('agent/draft[1]'))).toBe('draft …')
    expect(describeAgentEvent(started('agent/draft[2]'))).toBe('draft (2) …')
    expect(describeAgentEvent(started('agent/each[1]/branch[1]/x[1]'))).toBeUndefined()
  })

  it('names actions, those of models too, with what they were done with', () => {
    const read = { input: { tool: 'file.read', input: { path: 'a.md' } } }
    const key = 'agent/load[1]/file.read/call'
    expect(describeAgentEvent(event('step.done', key, read))).toBe('load: file.read a.md')
    const soft = event('step.done', key, {}, { error: 'not there', success: false })
    expect(describeAgentEvent(soft)).toBe('load: file.read: not there')
    const ofModel = event('step.done', 'agent/work[1]/react/turn[1]/tool[1]:web.search/call')
    expect(describeAgentEvent(ofModel)).toBe('work: web.search')
  })

  it('reports answers, of failures and of what code prints', () => {
    expect(describeAgentEvent(event('step.done', 'agent/a[1]/x/model', { usage }))).toBe(
      'a: the model answered, 15 tokens',
    )
    const failure = { code: 'tool_failed', message: 'no luck', retryable: false }
    expect(describeAgentEvent(event('step.failed', 'agent/a[1]/run', { failure }))).toBe(
      'a: failed: no luck',
    )
    const printed = {
      transient: true,
      type: 'progress',
      key: 'agent/a[1]/run',
      data: { output: 'one\ntwo\n' },
    }
    expect(describeAgentEvent(printed as unknown as LiveEvent)).toBe('a: printed one …')
  })

  it('is told why it failed at the end alone, and other notices as they come', () => {
    const view = emptyView
    const failed = event('notice', 'agent/a[1]/failed', { level: 'error', text: 'a: no' })
    expect(describeEvent(failed, view)).toBeUndefined()
    const warned = event('notice', 'agent/a[1]/x', { level: 'warning', text: 'look' })
    expect(describeEvent(warned, view)).toBe('Warning: look')
  })

  it('does not take a node for a part of the question team', () => {
    const patch = { researchSteps: ['a'] }
    const view = reduceView(emptyView, event('node.done', 'agent/planner[1]', {}, patch))
    expect(view).toEqual({ ...emptyView, runId: 'r' })
  })
})
