import { describe, expect, it } from 'vitest'
import type { EventType, LiveEvent } from '../../kernel/run/event.ts'
import { Waits } from './live-waits.ts'

const step = (type: EventType, key = 'ask/planner[1]/model') =>
  ({
    ...{ v: 1, runId: 'r1', seq: 1, ts: 0, epoch: 1, key, type, data: {} },
    ...(type === 'step.started' ? { output: { model: 'ollama:fake', role: 'planner' } } : {}),
  }) as LiveEvent
const delta: LiveEvent = {
  transient: true,
  key: 'ask/planner[1]/model',
  type: 'delta',
  data: { kind: 'text', text: '{', attempt: 1 },
}

/** Every line that is told while the time runs, with the second in which it is told. */
function told(waits: Waits, fromSecond: number, toSecond: number): readonly string[] {
  const lines: string[] = []
  for (let second = fromSecond; second <= toSecond; second++)
    lines.push(...waits.due(second * 1000).map((line) => `${second}: ${line}`))
  return lines
}

describe('waits', () => {
  it('are told after a second and again after longer ones, until the answer is there', () => {
    const waits = new Waits()
    waits.hear(step('step.started'), 0)
    expect(waits.current(500)).toBe('')
    expect(told(waits, 0, 185)).toEqual([
      '1: Planning (asking ollama:fake)…',
      '10: Still waiting for ollama:fake, 10 s.',
      '30: Still waiting for ollama:fake, 30 s.',
      '60: Still waiting for ollama:fake, 60 s.',
      '120: Still waiting for ollama:fake, 120 s.',
      '180: Still waiting for ollama:fake, 180 s.',
    ])
    expect(waits.current(185_000)).toBe('waiting for ollama:fake, 185 s')
    waits.hear(step('step.done'), 186_000)
    expect(told(waits, 187, 400)).toEqual([])
    expect(waits.current(400_000)).toBe('')
  })

  it('begin anew with each word that comes', () => {
    const waits = new Waits()
    waits.hear(step('step.started'), 0)
    for (let second = 1; second <= 60; second++) {
      waits.hear(delta, second * 1000)
      expect(waits.due(second * 1000 + 900)).toEqual([])
    }
    expect(told(waits, 61, 75)).toEqual([
      '61: Planning (asking ollama:fake)…',
      '70: Still waiting for ollama:fake, 10 s.',
    ])
  })

  it('end with the run, and are none for what is no model', () => {
    const waits = new Waits()
    waits.hear({ ...step('step.started'), output: { tool: 'x' } } as LiveEvent, 0)
    expect(told(waits, 0, 60)).toEqual([])
    waits.hear(step('step.started'), 0)
    waits.hear(step('run.suspended', ''), 10)
    expect(told(waits, 0, 60)).toEqual([])
  })
})
