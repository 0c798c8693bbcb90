import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf, linesOf } from './command.ts'
import { canMount, SmallDisk } from './small-disk.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

let sets = 0
/** Writes a question set; its name without the ending. */
function writeSet(records: readonly (object | string)[]): string {
  const name = `set${++sets}`
  const lines = records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  cli.write(`${name}.jsonl`, `${lines.join('\n')}\n`)
  return name
}
const inFolder = (name: string, file: string) => join(cli.folder, `eval-${name}`, file)
const resultsOf = (name: string) =>
  linesOf({ stdout: readFileSync(inFolder(name, 'results.jsonl'), 'utf8') })

const sums = [
  { id: 'a', question: 'What is 6 * 7?', answer: 42 },
  { id: 'b', question: 'What is 10 / 4?', answer: '2.5' },
  { id: 'c', question: 'What is 2 + 2?', answer: 5 },
]

describe('scholium eval', () => {
  it('asks each question as a run and prints a table, with the name of the engine', async () => {
    const name = writeSet(sums)
    const { exitCode, stdout, stderr } = await cli.run(['eval', `${name}.jsonl`])
    expect({ exitCode, stderr: stderr.split('\n')[0] }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^1\/3 · exact match /),
    })
    expect(stdout).toContain('ask, short answers, by extractive: 3 of 3 questions')
    expect(stdout).toContain('not a language model')
    const [, row = ''] = /\n(set\d .*)\n/.exec(stdout) ?? []
    expect(row).toMatch(
      /^set1 +3 +100\.0 % \(44–100\) +66\.7 % \(21–94\) +66\.7 % \(21–94\) +– +66\.7 %/,
    )
    expect(stdout).toContain(`eval-${name}/report.html`)
    expect(readFileSync(inFolder(name, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/)
    for (const { runId, status } of resultsOf(name)) {
      expect(status).toBe('answered')
      expect((await cli.run(['replay', runId])).stdout).toMatch(/^identical: yes/)
    }
  })

  it('prints what docs/eval.md shows', async () => {
    const docs = readFileSync(new URL('../../docs/eval.md', import.meta.url), 'utf8')
    const [, questions = '', shown = ''] =
      /## An example\n[^`]*`[^`]*`[^`]*```\n([^`]*)```\n[^`]*`[^`]*`[^`]*```\n([^`]*)```/.exec(
        docs,
      ) ?? []
    cli.write('questions.jsonl', questions)
    const { stdout } = await cli.run(['eval', 'questions.jsonl'])
    const withoutSeconds = (text: string) => text.replaceAll(/\d+\.\d\d(?= |$)/gm, '0.00')
    expect(withoutSeconds(stdout)).toBe(withoutSeconds(shown))
  })

  it('does nothing again, and continues where the limit is higher', async () => {
    const name = writeSet(sums)
    const countRuns = async () => jsonOf(await cli.run(['runs', 'list', '--json'])).length
    const runs = await countRuns()
    await cli.run(['eval', `${name}.jsonl`, '--limit', '1'])
    const first = resultsOf(name)
    expect(first.map(({ id }) => id)).toEqual(['a'])
    const { stderr } = await cli.run(['eval', `${name}.jsonl`])
    expect(stderr).toContain('Continuing: 1 of 3 are already finished.')
    const again = await cli.run(['eval', `${name}.jsonl`, '--json'])
    expect(resultsOf(name)).toHaveLength(3)
    expect(resultsOf(name)[0]).toEqual(first[0])
    expect(jsonOf(again)).toMatchObject({
      schema: 'scholium.eval-report/1',
      total: 3,
      done: 3,
      sets: [{ questions: 3, exactMatch: { hits: 2, of: 3 } }],
    })
    expect(await countRuns()).toBe(runs + 3)
  })

  it('gives each result as a line of a stream', async () => {
    const name = writeSet(sums.slice(0, 2))
    const ended = await cli.run(['eval', `${name}.jsonl`, '--output-format', 'stream-json'])
    expect(
      linesOf(ended)
        .map(({ type, id }) => [type, id])
        .toSorted(),
    ).toEqual([
      ['question', 'a'],
      ['question', 'b'],
      ['result', undefined],
    ])
  })

  it('searches what a record brings with it for its own question alone', async () => {
    const name = writeSet([
      {
        id: 'with',
        question: 'What does the zorkmid weigh?',
        answer: '7 grams',
        context: 'The zorkmid weighs 7 grams.',
      },
      { id: 'without', question: 'How heavy is the zorkmid?', answer: '7 grams' },
    ])
    await cli.run(['eval', `${name}.jsonl`, '--answer-format', 'full', '--concurrency', '1'])
    const [first, second] = resultsOf(name)
    expect(first).toMatchObject({ id: 'with', status: 'answered', coverage: { verbatim: 1 } })
    expect(first.answer).toContain('7 grams')
    expect(second).toMatchObject({ id: 'without', status: 'unanswered' })
  })

  it('reads files next to the questions, and none elsewhere', async () => {
    cli.write('note.md', 'The quuxian weighs 9 grams.\n')
    const question = 'What does the quuxian weigh?'
    const name = writeSet([
      { question, answer: '9 grams', files: 'note.md' },
      { question, files: '../../../../etc/hostname' },
      { question, files: 'gone.md' },
      'torn {',
    ])
    const { exitCode, stdout } = await cli.run(['eval', `${name}.jsonl`, '--json'])
    expect(exitCode).toBe(3)
    expect(JSON.parse(stdout).refused.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4])
    expect(resultsOf(name)).toMatchObject([{ id: 'line-1', status: 'answered' }])
  })

  it.each([
    [['nothing.jsonl'], 'cannot be read: there is no such file'],
    [['empty.jsonl'], 'it is empty'],
    [['twice.jsonl'], 'Lines 1 and 2 have the same id "a".'],
    [['one.jsonl', '--concurrency', '0'], 'Invalid value for --concurrency: "0"'],
    [['one.jsonl', '--workflow', 'papers'], 'Invalid value for --workflow: "papers"'],
    [['one.jsonl', '--out', '.'], 'contains something other than an evaluation'],
    [['one.jsonl', '--max-cost-usd', '1', '--model', 'openai-compatible:x'], 'price'],
  ])('refuses %j', async (args, why) => {
    cli.write('empty.jsonl', '\n')
    cli.write('one.jsonl', JSON.stringify(sums[0]))
    cli.write('twice.jsonl', `${JSON.stringify(sums[0])}\n${JSON.stringify(sums[0])}\n`)
    const { exitCode, stderr } = await cli.run(['eval', ...args], {
      env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
    })
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining(why) })
    expect(existsSync(join(cli.folder, 'eval-one'))).toBe(false)
  })

  it('refuses to mix evaluations: other questions or other settings in one folder', async () => {
    const name = writeSet(sums)
    await cli.run(['eval', `${name}.jsonl`])
    const before = readFileSync(inFolder(name, 'results.jsonl'), 'utf8')
    const full = await cli.run(['eval', `${name}.jsonl`, '--answer-format', 'full'])
    expect(full).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('answerFormat was short, now full'),
    })
    writeFileSync(join(cli.folder, `${name}.jsonl`), JSON.stringify({ question: 'Other?' }))
    const other = await cli.run(['eval', `${name}.jsonl`])
    expect(other).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('hash of the questions was'),
    })
    expect(readFileSync(inFolder(name, 'results.jsonl'), 'utf8')).toBe(before)
  })
})

describe.skipIf(!canMount)('scholium eval on a full disk (needs the right to mount)', () => {
  const disk = new SmallDisk()
  afterAll(() => disk.remove())

  it('says so, keeps what was finished, and continues once there is room', async () => {
    disk.mount(40)
    const records = Array.from({ length: 12 }, (_, index) => ({
      id: `n${index}`,
      question: `What is ${index} * 7?`,
      answer: index * 7,
      context: 'Nothing of it. '.repeat(200),
    }))
    const name = writeSet(records)
    const args = ['eval', `${name}.jsonl`, '--out', join(disk.folder, 'eval')]
    const full = await cli.run(args)
    expect(full).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('the disk is full') })
    expect(full.stderr).toMatch(
      /\d+ of 12 questions are finished; results are in .*Run the same command again/,
    )
    disk.resize(4000)
    const { exitCode, stdout } = await cli.run([...args, '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ done: 12, sets: [{ exactMatch: { hits: 12 } }] })
    const ids = linesOf({
      stdout: readFileSync(join(disk.folder, 'eval', 'results.jsonl'), 'utf8'),
    })
    expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length)
  })
})

describe('scholium eval with a model', () => {
  let isDown = false
  let model: ScriptedModel
  beforeAll(async () => {
    const team = scriptTeam()
    model = await startScriptedModel((seen) => (isDown ? { status: 401 } : team(seen)))
  })
  afterAll(() => model.close())
  const args = (name: string) => ['eval', `${name}.jsonl`, '--model', 'openai-compatible:scripted']
  const env = () => ({ OPENAI_BASE_URL: model.url })

  it('says of a cost that is not known that it is unknown', async () => {
    const name = writeSet([{ question: 'What does CRISPR stand for?' }])
    const { stdout, exitCode } = await cli.run(args(name), { env: env() })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('by openai-compatible:scripted')
    expect(stdout).not.toContain('not a language model')
    expect(stdout).toMatch(/unknown +\d/)
    expect(resultsOf(name)[0]).toMatchObject({ costUsd: null, scores: { exactMatch: null } })
    expect(readFileSync(inFolder(name, 'report.html'), 'utf8')).not.toContain('$0.0000')
  })

  it('tells a question that failed, ends with 1, and tries it again the next time', async () => {
    const name = writeSet([{ id: 'x', question: 'What does CRISPR stand for, again?' }])
    isDown = true
    const failed = await cli.run(args(name), { env: env() })
    isDown = false
    expect(failed).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Question x failed: '),
    })
    const [first] = resultsOf(name)
    expect(first).toMatchObject({ status: 'failed', error: { retryable: true } })
    const again = await cli.run(args(name), { env: env() })
    expect(again.exitCode).toBe(0)
    const results = resultsOf(name)
    expect(results.map(({ status }) => status)).toEqual(['failed', 'answered'])
    expect(results[1].runId).toBe(first.runId)
  })
})
