import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EvalFolder } from './folder.ts'
import { failedResultOf } from './result.ts'

const of = { workflow: 'ask', model: 'm' }
const party = (pid = 1, alive: readonly number[] = []) => ({
  owner: { bootId: 'boot', pid, processStart: '1' },
  mayLive: (owner: { readonly pid: number }) => alive.includes(owner.pid),
})
const result = (id: string, message = 'x') =>
  failedResultOf(
    { id, set: 's', line: 1, question: 'q', answers: [], labels: [], files: [], context: [] },
    { code: 'model_failed', message, retryable: true },
    null,
  )

let path = ''
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
    expect(() => new EvalFolder(path, of, party())).toThrow('results.jsonl is damaged in line 1.')
    // The refusal has not left it locked.
    expect(readdirSync(path)).not.toContain('lock')
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
    expect(() => new EvalFolder(path, of, party())).toThrow('holds something else')
    expect(readdirSync(path).toSorted()).toEqual(['results.jsonl', 'runs.jsonl'])
  })

  it('is worked on by one process; a lock of a dead one is taken over', () => {
    const first = new EvalFolder(path, of, party(1))
    expect(() => new EvalFolder(path, of, party(2, [1]))).toThrow(
      'Another process (1) works on this folder.',
    )
    const second = new EvalFolder(path, of, party(2, []))
    expect(() => new EvalFolder(path, of, party(3, [2]))).toThrow('Another process (2)')
    second.close()
    first.close()
    new EvalFolder(path, of, party(4)).close()
    expect(readdirSync(path).filter((name) => name.startsWith('lock'))).toEqual([])
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
