import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type ReasoningTrace,
  type TraceEntry,
  toNdjson,
  toTraceList,
  toTraceObject,
  traceLine,
  writeTrace,
} from './trace.ts'

const startMs = Date.UTC(2026, 0, 1)
const entry = (step: number, data: TraceEntry['data'] = { thought: `t${step}` }): TraceEntry => ({
  step,
  kind: 'act',
  timestampMs: startMs + step,
  data,
})
const trace: ReasoningTrace = {
  spanId: 'a'.repeat(16),
  actionType: 'react',
  startMs,
  endMs: startMs + 250,
  entries: [entry(1), entry(2), entry(3)],
}

describe('a trace', () => {
  it('is a list of steps with their times', () => {
    expect(toTraceList(trace)).toEqual([
      { step: 1, timestamp: '2026-01-01T00:00:00.001Z', kind: 'act', thought: 't1' },
      { step: 2, timestamp: '2026-01-01T00:00:00.002Z', kind: 'act', thought: 't2' },
      { step: 3, timestamp: '2026-01-01T00:00:00.003Z', kind: 'act', thought: 't3' },
    ])
  })

  it('is an object with action type, times, duration and the same entries', () => {
    expect(toTraceObject(trace)).toEqual({
      span_id: 'a'.repeat(16),
      action_type: 'react',
      start_time: '2026-01-01T00:00:00.000Z',
      end_time: '2026-01-01T00:00:00.250Z',
      duration_ms: 250,
      entries: toTraceList(trace),
    })
  })

  it('is NDJSON, one line for each entry', () => {
    const lines = toNdjson(trace).split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line))).toEqual(toTraceList(trace))
  })

  it('lets no data take the place of step, time or kind', () => {
    const [item] = toTraceList({
      ...trace,
      entries: [entry(1, { step: 9, kind: 'x', timestamp: 0 })],
    })
    expect(item).toMatchObject({ step: 1, kind: 'act', timestamp: '2026-01-01T00:00:00.001Z' })
  })
})

describe('a line of a trace', () => {
  it('has no null bytes in keys, texts or nested values, and no line ends within', () => {
    const data = { 'a\0b': 'x\0y', deep: [{ list: ['\0', 'z\u2028\u0085\n'] }] }
    const line = traceLine(entry(1, data))
    expect(line).not.toMatch(/\0|\\u0000|[\u0085\u2028\u2029]/)
    expect(line.indexOf('\n')).toBe(line.length - 1)
    expect(JSON.parse(line)).toMatchObject({
      ab: 'xy',
      deep: [{ list: ['', 'z\u2028\u0085\n'] }],
    })
  })

  it('keeps a text that only speaks of null bytes', () => {
    expect(JSON.parse(traceLine(entry(1, { text: 'a\\u0000b' })))).toMatchObject({
      text: 'a\\u0000b',
    })
  })
})

describe('writeTrace', () => {
  it('holds no more than one of 1,000 entries, and writes them all to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scholium-trace-'))
    try {
      const path = join(folder, 'trace.jsonl')
      const file = await open(path, 'w')
      let made = 0
      let written = 0
      let mostHeld = 0
      async function* entries() {
        for (let step = 1; step <= 1_000; step++) {
          made++
          mostHeld = Math.max(mostHeld, made - written)
          yield entry(step, { observation: 'x\0'.repeat(1_000) })
        }
      }
      const count = await writeTrace(entries(), async (line) => {
        await file.write(line)
        written++
      })
      await file.close()
      expect([count, mostHeld]).toEqual([1_000, 1])
      const text = await readFile(path, 'utf8')
      expect(text.includes('\0')).toBe(false)
      const lines = text.trimEnd().split('\n')
      expect(lines).toHaveLength(1_000)
      expect(JSON.parse(lines[999] ?? '')).toMatchObject({ step: 1_000 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
