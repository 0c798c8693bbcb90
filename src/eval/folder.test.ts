import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { DurableLines } from './durable-files.ts'
import { EvalFolder } from './folder.ts'
import { toFailedResult } from './result.ts'

const of = { workflow: 'ask', model: 'm' }
const party = (pid = 1, alive: readonly number[] = []) => ({
  owner: { bootId: 'boot', pid, processStart: '1' },
  livenessOf: (owner: { readonly pid: number }) =>
    alive.includes(owner.pid) ? ('alive' as const) : ('dead' as const),
})
const result = (id: string, message = 'x') =>
  toFailedResult(
    { id, set: 's', line: 1, question: 'q', answers: [], labels: [], files: [], context: [] },
    { code: 'model_failed', message, retryable: true },
    null,
  )

const claim = (pid: number) => JSON.stringify(party(pid).owner)

let path = ''
const lockNames = () => readdirSync(path).filter((name) => name.startsWith('lock'))
/** Files of the folder that this process has open; none where the system does not tell. */
const openFiles = () => {
  const place = '/proc/self/fd'
  if (!existsSync(place)) return []
  return readdirSync(place).flatMap((file) => {
    try {
      const target = readlinkSync(join(place, file))
      return target.startsWith(path) ? [target] : []
    } catch {
      return []
    }
  })
}
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'scholium-eval-')), 'eval')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }))

describe('the folder of an evaluation', () => {
  it('knows again what was noted and what was finished; of several results the last', () => {
    const first = new EvalFolder(path, of, party())
    first.noteRun('a', 'run-1')
    first.addResult(result('a', 'first'))
    first.addResult(result('a', 'second'))
    first.close()
    const again = new EvalFolder(path, of, party())
    expect(again.runOf('a')).toBe('run-1')
    expect(again.resultFor('a')?.error?.message).toBe('second')
    expect(again.resultFor('b')).toBe(undefined)
    again.close()
  })

  it.each(['results.jsonl', 'runs.jsonl'])('takes out the torn last line of %s', (name) => {
    const first = new EvalFolder(path, of, party())
    first.noteRun('a', 'run-1')
    first.addResult(result('a'))
    first.close()
    const whole = readFileSync(join(path, name), 'utf8')
    // Torn within a character of several bytes.
    appendFileSync(join(path, name), Buffer.from('{"id":"bé').subarray(0, -1))
    const again = new EvalFolder(path, of, party())
    again.noteRun('c', 'run-3')
    again.addResult(result('c'))
    again.close()
    const text = readFileSync(join(path, name), 'utf8')
    expect(text.startsWith(whole)).toBe(true)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['a', 'c'])
  })

  it('names a damaged line that is not the last', () => {
    new EvalFolder(path, of, party()).close()
    writeFileSync(join(path, 'results.jsonl'), '{"id":\n{}\n')
    expect(() => new EvalFolder(path, of, party())).toThrow('results.jsonl is damaged on line 1.')
    // The refusal has not left it locked, nor its files open.
    expect(lockNames()).toEqual([])
    expect(openFiles()).toEqual([])
  })

  it.each([
    ['results.jsonl', 'null'],
    ['results.jsonl', '{"id":"q2"}'],
    ['runs.jsonl', '7'],
    ['runs.jsonl', '{"id":"q2"}'],
  ])('names a line of %s that is something else: %s', (name, line) => {
    new EvalFolder(path, of, party()).close()
    writeFileSync(join(path, name), `${line}\n`)
    expect(() => new EvalFolder(path, of, party())).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: `${name} is damaged on line 1.`,
        hint: expect.stringContaining('Remove that line'),
      }),
    )
    expect(openFiles()).toEqual([])
  })

  it.each(Object.keys(result('a')))('names a result without its %s', (name) => {
    new EvalFolder(path, of, party()).close()
    const { [name]: _, ...others } = { ...result('a') } as Record<string, unknown>
    writeFileSync(join(path, 'results.jsonl'), `${JSON.stringify(others)}\n`)
    expect(() => new EvalFolder(path, of, party())).toThrow('results.jsonl is damaged on line 1.')
  })

  it.each(['{}', '{"of":{}}', 'null', '{'])('leaves an eval.json that says %s as it is', (text) => {
    new EvalFolder(path, of, party()).close()
    writeFileSync(join(path, 'eval.json'), text)
    expect(() => new EvalFolder(path, of, party())).toThrow('eval.json is damaged.')
    expect(readFileSync(join(path, 'eval.json'), 'utf8')).toBe(text)
  })

  it('writes no further line after one that could not be written whole', () => {
    const lines = new DurableLines<number>(join(path, '..', 'lines'), z.number())
    lines.add(1)
    lines.close()
    expect(() => lines.add(2)).toThrow(expect.objectContaining({ code: 'store_failed' }))
    expect(() => lines.add(3)).toThrow('an earlier line was truncated')
  })

  it('refuses another evaluation, and says what differs', () => {
    new EvalFolder(path, of, party()).close()
    const other = { workflow: 'ask', model: 'other', web: 'true' }
    expect(() => new EvalFolder(path, other, party())).toThrow(
      'model was m, now other; web was not set, now true.',
    )
  })

  it('leaves a folder of something else alone', () => {
    new EvalFolder(path, of, party()).close()
    rmSync(join(path, 'eval.json'))
    expect(() => new EvalFolder(path, of, party())).toThrow('contains something other')
    expect(readdirSync(path).toSorted()).toEqual(['results.jsonl', 'runs.jsonl'])
  })

  it.each(['lock', 'locksmiths.txt', 'lock-1', 'eval.json.txt'])(
    'takes a folder with only %s in it for something else',
    (name) => {
      mkdirSync(path)
      writeFileSync(join(path, name), 'x')
      expect(() => new EvalFolder(path, of, party())).toThrow('contains something other')
      expect(readdirSync(path)).toEqual([name])
    },
  )

  it('continues where a crash has left nothing but its lock and a part of eval.json', () => {
    mkdirSync(path)
    writeFileSync(join(path, 'eval.json.17.tmp'), '{')
    writeFileSync(join(path, 'lock-00000000-0000-4000-8000-000000000000'), claim(1))
    const folder = new EvalFolder(path, of, party(2))
    folder.close()
    expect(lockNames()).toEqual([])
  })

  it('is for nobody else to read', () => {
    const folder = new EvalFolder(path, of, party())
    const written = folder.writeContext({
      ...{ id: 'a', set: 's', question: 'q', answers: [], labels: [], files: [], line: 1 },
      context: [{ title: 'x', text: 'y' }],
    })
    folder.writeReport('x')
    folder.noteRun('a', 'run')
    const all = readdirSync(path, { recursive: true }).map((name) => join(path, String(name)))
    const modes = [path, written, ...all].map((one) => {
      const status = statSync(one)
      return [one, (status.mode & 0o777).toString(8), status.isDirectory() ? '700' : '600']
    })
    folder.close()
    expect(modes.filter(([, mode, wanted]) => mode !== wanted)).toEqual([])
  })

  it('is worked on by one process; a lock of a dead one is taken over', () => {
    const first = new EvalFolder(path, of, party(1))
    expect(() => new EvalFolder(path, of, party(2, [1]))).toThrow(
      'Another process (1) is using this folder.',
    )
    const second = new EvalFolder(path, of, party(2, []))
    expect(() => new EvalFolder(path, of, party(3, [2]))).toThrow('Another process (2)')
    second.close()
    first.close()
    new EvalFolder(path, of, party(4)).close()
    expect(lockNames()).toEqual([])
  })

  it('is written no more by a process whose lock was taken over', () => {
    const first = new EvalFolder(path, of, party(1))
    const second = new EvalFolder(path, of, party(2))
    const fenced = expect.objectContaining({ code: 'fenced' })
    expect(() => first.noteRun('a', 'run')).toThrow(fenced)
    expect(() => first.addResult(result('a'))).toThrow(fenced)
    expect(() => first.writeReport('x')).toThrow(fenced)
    first.close()
    second.addResult(result('b'))
    second.close()
    expect(readFileSync(join(path, 'results.jsonl'), 'utf8').trim().split('\n')).toHaveLength(1)
  })

  it('writes what a question brings with it under names of its own', () => {
    const folder = new EvalFolder(path, of, party())
    const written = folder.writeContext({
      ...{ id: '../../evil', set: 's', question: 'q', answers: [], labels: [], files: [] },
      line: 12,
      context: [{ title: '../x\n# y', text: 'Text.' }],
    })
    folder.close()
    expect(written).toBe(join(path, 'sources', '12'))
    expect(readFileSync(join(written, '01.md'), 'utf8')).toBe('# ../x # y\n\nText.\n')
  })
})
