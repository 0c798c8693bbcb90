import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { LiveEvent } from '../../src/kernel/index.ts'
import {
  createLog,
  formatLogLine,
  type LogLevel,
  logLevels,
  openLogFile,
  openTraceFile,
  toLogLine,
  toTraceId,
} from '../../src/observe/index.ts'
import { root } from '../repo/source-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-trace-'))
const path = join(folder, 'trace.jsonl')
afterEach(() => rmSync(path, { force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nobody = () => {
  throw new Error('Nothing was to be told.')
}

const running = { name: 'model', effect: 'read' } as const
const event = (seq: number, changes: object = {}) =>
  ({
    v: 1,
    runId: 'run',
    seq,
    ts: seq,
    epoch: 1,
    key: 'test/a',
    type: 'step.done',
    data: {},
    ...changes,
  }) as LiveEvent

describe('a trace file', () => {
  it.each([
    ['null bytes', 'a\u0000b'],
    ['control characters', '\u0001\u001b[31m\u007f\u0085\u009b'],
    ['line ends of other systems', '\n\r\n\u2028\u2029\v\f'],
    ['halves of surrogate pairs', 'x\ud800y\udc00'],
    ['characters of every plane', '𝒳 🜚 العربية \u202e'],
  ])('holds %s on one line, and gives them back', (_, text) => {
    const trace = openTraceFile(path, nobody)
    trace.hear(event(1, { output: { text }, key: text.toWellFormed() }))
    trace.hear(event(2))
    trace.close()
    const content = readFileSync(path, 'utf8')
    expect(content.match(/[\p{Cc}\u2028\u2029]/gu)).toEqual(['\n', '\n'])
    const [first] = content.split('\n')
    expect(JSON.parse(first as string)).toEqual(
      event(1, { output: { text }, key: text.toWellFormed() }),
    )
  })

  it('gives any text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        rmSync(path, { force: true })
        const trace = openTraceFile(path, nobody)
        trace.hear(event(1, { output: text }))
        trace.close()
        const lines = readFileSync(path, 'utf8').split(/\r\n|[\n\r\u2028\u2029\u0085]/)
        expect(lines).toHaveLength(2)
        expect(JSON.parse(lines[0] as string)).toEqual(event(1, { output: text }))
      }),
      { numRuns: 200 },
    )
  })

  it('stands behind what is there, also behind a line that was cut off', () => {
    writeFileSync(path, '{"whole":1}\n{"cut')
    const trace = openTraceFile(path, nobody)
    trace.hear(event(1))
    trace.close()
    const lines = readFileSync(path, 'utf8').split('\n')
    expect(lines.slice(0, 2)).toEqual(['{"whole":1}', '{"cut'])
    expect(JSON.parse(lines[2] as string)).toEqual(event(1))
  })

  it('is readable by its owner alone', () => {
    openTraceFile(path, nobody).close()
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('has no line for what is only told while it happens', () => {
    const trace = openTraceFile(path, nobody)
    trace.hear({
      transient: true,
      key: 'test/a',
      type: 'delta',
      data: { kind: 'text', text: 'x', attempt: 1 },
    })
    trace.close()
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  it.each([
    [join(folder, 'nowhere', 'trace.jsonl'), 'its folder does not exist'],
    [folder, 'it is a folder'],
  ])('that cannot be opened is an error at once: %s', (wrong, reason) => {
    expect(() => openTraceFile(wrong, nobody)).toThrow(reason)
  })

  it.skipIf(process.platform !== 'linux')('on a full disk ends, and says so once', () => {
    const told: string[] = []
    const trace = openTraceFile('/dev/full', (text) => told.push(text))
    for (let seq = 1; seq <= 3; seq++) trace.hear(event(seq))
    trace.close()
    expect(told).toEqual([expect.stringContaining('ENOSPC')])
  })

  it('of a process that is killed has every line but perhaps the last', async () => {
    const script = `
      import { openTraceFile } from ${JSON.stringify(`${root}src/observe/index.ts`)}
      const trace = openTraceFile(${JSON.stringify(path)}, () => {})
      for (let seq = 1; ; seq++) {
        trace.hear({ v: 1, runId: 'run', seq, ts: 0, epoch: 1, key: 'x'.repeat(500), type: 'notice', data: {} })
        if (seq % 50 === 0) await new Promise((resolve) => process.stdout.write(seq + '\\n', resolve))
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    let told = 0
    child.stdout.on('data', (chunk) => {
      told = Number(String(chunk).trimEnd().split('\n').at(-1))
      if (told >= 1_000) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const lines = readFileSync(path, 'utf8').split('\n')
    const whole = lines.slice(0, -1).map((line) => JSON.parse(line).seq)
    expect(whole.length).toBeGreaterThanOrEqual(told)
    expect(whole).toEqual(whole.map((_, index) => index + 1))
  })
})

/** The lines that a log writes of these events. */
function logged(level: LogLevel, events: readonly LiveEvent[]): readonly string[] {
  const lines: string[] = []
  const hear = createLog({ level, write: (line) => lines.push(line), now: () => 5 })
  for (const one of events) hear(one)
  return lines
}

const started = event(1, {
  type: 'run.started',
  key: '',
  data: { workflow: 'ask', labels: { session: 's 1' } },
})
const call = event(3, {
  key: 'ask/planner[1]/model',
  data: {
    name: 'model',
    effect: 'read',
    startedAt: 1,
    steps: 2,
    usage: { inputTokens: 7, outputTokens: 2, costUsd: 0.5 },
  },
})
const callStarted = event(2, {
  type: 'step.started',
  key: 'ask/planner[1]/model',
  data: { name: 'model' },
  output: { role: 'planner', model: 'openai:gpt' },
})
const failed = event(4, {
  type: 'step.failed',
  key: 'ask/planner[1]/model',
  data: {
    name: 'model',
    failure: { code: 'model_failed', message: 'No\nsuch key', retryable: false },
  },
})

describe('a log', () => {
  const trace = toTraceId('run')

  it('has the time, level, component, what happened, and the ids by which it is found', () => {
    expect(logged('info', [started, callStarted, call])).toEqual([
      `1970-01-01T00:00:00.001Z INFO  run started run=run trace=${trace} workflow=ask session="s 1"`,
      `1970-01-01T00:00:00.003Z INFO  ask/planner[1] model call done run=run trace=${trace} step=ask/planner[1]/model durationMs=2 model=openai:gpt requests=2 inputTokens=7 outputTokens=2 costUsd=0.5`,
    ])
  })

  it('reports a failure with its reason, on one line', () => {
    expect(logged('error', [started, callStarted, failed])).toEqual([
      expect.stringMatching(
        /ERROR ask\/planner\[1\] model call failed .* code=model_failed reason="No\\nsuch key"$/,
      ),
    ])
  })

  it('gives what is only told the time of the event that it follows, else of now', async () => {
    const told: LiveEvent = {
      transient: true,
      key: 'ask/planner[1]',
      type: 'progress',
      data: { state: 'started' },
    }
    const times: string[] = []
    const write = (line: string) => times.push(line.slice(20, 23))
    const hear = createLog({ level: 'info', write, now: () => 50 })
    hear(told)
    for (const one of [event(3, { type: 'node.done' }), told]) hear(one)
    await Promise.resolve()
    hear(told)
    expect(times).toEqual(['050', '003', '003', '050'])
  })

  it('has one line for the failure of a node, and none for its end', () => {
    const failure = (key: string) =>
      event(4, {
        type: 'notice',
        key: `${key}/failed`,
        data: { level: 'error', component: key, text: 'expert: no answer' },
      })
    const done = (key: string) => event(5, { type: 'node.done', key })
    const lines = logged('info', [
      failure('ask/expert[1]'),
      done('ask/expert[1]'),
      done('ask/orchestrator[2]'),
      failure('ask/finalizer[1]/final'),
      done('ask/finalizer[1]'),
      done('ask/expert[1]'),
    ])
    expect(lines.map((line) => line.slice(25).replace(/run=\S+ trace=\S+ /, ''))).toEqual([
      'ERROR ask/expert[1] node failed step=ask/expert[1] reason="expert: no answer"',
      'INFO  ask/orchestrator[2] node done step=ask/orchestrator[2]',
      'ERROR ask/finalizer[1] node failed step=ask/finalizer[1] reason="expert: no answer"',
      'INFO  ask/expert[1] node done step=ask/expert[1]',
    ])
  })

  it('shows its level and those above', () => {
    const events: LiveEvent[] = [
      started,
      { transient: true, key: 'ask/planner[1]', type: 'progress', data: { state: 'started' } },
      { transient: true, key: 'ask/planner[1]/model', type: 'step.running', data: running },
      {
        transient: true,
        key: 'ask/planner[1]/model',
        type: 'progress',
        data: { text: 'x failed: gone Trying again in 2 s.' },
      },
      failed,
      event(5, { type: 'node.done', key: 'ask/planner[1]' }),
      event(6, {
        type: 'limit.reached',
        key: 'ask/x',
        data: { failure: { code: 'limit_reached', message: 'Enough.' } },
      }),
      event(7, { type: 'run.finished', key: '', data: { status: 'answered' } }),
    ]
    const levels = (level: LogLevel) =>
      logged(level, events).map((line) => line.slice(25, 30).trim())
    expect(logged('warn', events)[0]).toMatch(/text="x failed: gone\. Trying again in 2 s\."$/)
    expect(levels('debug')).toEqual([
      'INFO',
      'INFO',
      'DEBUG',
      'WARN',
      'ERROR',
      'INFO',
      'WARN',
      'INFO',
    ])
    expect(levels('info')).toEqual(['INFO', 'INFO', 'WARN', 'ERROR', 'INFO', 'WARN', 'INFO'])
    expect(levels('warn')).toEqual(['WARN', 'ERROR', 'WARN'])
    expect(levels('error')).toEqual(['ERROR'])
    expect(logLevels).toEqual(['debug', 'info', 'warn', 'error'])
  })

  it.each([
    ['a line end', 'x\n2026-01-01T00:00:00.000Z ERROR forged'],
    ["another system's line end", 'x\u2028forged\u0085forged\r'],
    ["a terminal's commands", '\u001b[2J\u009b31m\u001b]0;title\u0007'],
    ['another writing direction', '\u202eevil'],
  ])('cannot be forged by %s in what came from elsewhere', (_, text) => {
    const events = [
      event(1, {
        type: 'notice',
        key: `ask/${text}`,
        data: { level: 'warning', component: text, text },
      }),
      event(2, { type: 'step.failed', data: { failure: { code: 'x', message: text } } }),
      event(3, { type: 'run.started', key: '', data: { workflow: text, labels: { user: text } } }),
      { transient: true, key: text, type: 'progress', data: { text } } satisfies LiveEvent,
    ]
    const lines = logged('debug', events)
    expect(lines).toHaveLength(4)
    for (const line of lines) {
      expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u)
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z (INFO|WARN|ERROR)/)
    }
  })

  it('goes into a file as well, and a full disk ends it with one warning', () => {
    const log = openLogFile(path, { level: 'info', now: () => 0, warn: nobody })
    log.hear(started)
    log.close()
    expect(readFileSync(path, 'utf8')).toBe(
      `${formatLogLine(toLogLine(started) as never, 'run', 1)}\n`,
    )
    if (process.platform !== 'linux') return
    const told: string[] = []
    const full = openLogFile('/dev/full', {
      level: 'info',
      now: () => 0,
      warn: (text) => told.push(text),
    })
    full.hear(started)
    full.hear(started)
    full.close()
    expect(told).toEqual([expect.stringContaining('ENOSPC')])
  })
})
