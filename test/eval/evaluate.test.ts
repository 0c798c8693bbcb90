import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp, type EvalRequest, evaluate } from '../../src/app.ts'
import type { EvalResult } from '../../src/eval/result.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-evaluate-'))
  write('set/birds.md', 'The wing of the grey sunbird is 52 mm long.\n')
  write('secret.md', 'The password of the vault is quuxian.\n')
  write('other.md', 'The zorb is a mineral that melts at 412 degrees.\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const writeSet = (...records: readonly object[]) =>
  write('set/q.jsonl', records.map((one) => JSON.stringify(one)).join('\n'))
const settings = () => ({ home: join(folder, 'home'), folder })
const run = (request: Partial<EvalRequest> = {}, options = {}) =>
  evaluate(settings(), { file: 'set/q.jsonl', out: 'out', ...request }, options)
const results = (): EvalResult[] =>
  readFileSync(join(folder, 'out/results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const vault = 'What is the password of the vault?'

describe('the files that a question set names', () => {
  it.each([
    ['alone', {}],
    ['in addition to a source', { sources: ['other.md'] }],
    ['within a project', { sources: ['other.md'], sourcesRoot: '.' }],
  ])('lead nowhere else by a link in a folder of theirs, %s', async (_, ask) => {
    mkdirSync(join(folder, 'set/docs'))
    write('set/docs/birds.md', 'The wing is 52 mm long.\n')
    symlinkSync(join(folder, 'secret.md'), join(folder, 'set/docs/notes.md'))
    writeSet({ question: vault, files: 'docs' }, { question: 'What is 2 + 2?' })
    const { refused } = await run({ ask })
    expect(refused).toEqual([
      {
        line: 1,
        reason: expect.stringMatching(
          /in the folder docs, docs.notes\.md: it is a link that leads outside/,
        ),
      },
    ])
    expect(readFileSync(join(folder, 'out/results.jsonl'), 'utf8')).not.toContain('quuxian')
  })

  it.each([
    ['alone', {}],
    ['in addition to a source', { sources: ['other.md'] }],
  ])('are not read where they become a link while it runs, %s', async (_, ask) => {
    write('set/notes.md', 'Nothing here.\n')
    writeSet(
      { id: 'first', question: 'What is 2 + 2?' },
      { id: 'x', question: vault, files: 'notes.md' },
    )
    const onProgress = ({ result }: { readonly result?: EvalResult }) => {
      if (result?.id !== 'first') return
      rmSync(join(folder, 'set/notes.md'))
      symlinkSync(join(folder, 'secret.md'), join(folder, 'set/notes.md'))
    }
    await run({ ask, concurrency: 1 }, { onProgress })
    const [, second] = results()
    expect(second?.id).toBe('x')
    expect(second?.answer).not.toContain('quuxian')
  })

  it('stay bounded for what continues from their run', async () => {
    writeSet({ question: 'How long is the wing of the grey sunbird?', files: 'birds.md' })
    await run()
    const store = openRunStore(join(folder, 'home/runs.db'))
    const events = await Array.fromAsync(
      store.events(results()[0]?.runId as string, { types: ['run.started'] }),
    )
    await store.close()
    expect(events[0]?.output).toMatchObject({ filesWithin: join(folder, 'set') })
  })

  it('are read next to a source, also where their names end with dots', async () => {
    write('set/odd../x.md', 'The wing of the red sunbird is 57 mm long.\n')
    writeSet(
      {
        question: 'How long is the wing of the red sunbird?',
        answer: '57 mm',
        files: 'odd../x.md',
      },
      { question: 'At how many degrees does the zorb melt?', answer: '412' },
    )
    const { sets, refused } = await run({ ask: { sources: ['other.md'], answerFormat: 'full' } })
    expect({ refused, answered: sets[0]?.answered?.hits }).toEqual({ refused: [], answered: 2 })
  })

  it('and what they bring with them are read where sources are held to a project elsewhere', async () => {
    write('project/other.md', 'The zorb is a mineral.\n')
    writeSet({ question: 'What does the zorkmid weigh?', context: 'The zorkmid weighs 7 grams.' })
    const ask = {
      sources: ['project/other.md'],
      sourcesRoot: 'project',
      answerFormat: 'full',
    } as const
    await run({ ask })
    expect(results()[0]?.answer).toContain('7 grams')
  })
})

describe('an evaluation', () => {
  it.each([
    [{ concurrency: 0 }, 'concurrency'],
    [{ concurrency: Number.NaN }, 'concurrency'],
    [{ concurrency: 1.5 }, 'concurrency'],
    [{ limit: -1 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ workflow: 'papers' }, 'workflow'],
    [{ ask: { continue: 'last' } }, 'continue'],
    [{ ask: { approvePlan: true } }, 'approvePlan'],
    [{ ask: { question: 'x' } }, 'question'],
    [{ ask: { sources: ['gone.md'] } }, 'gone.md'],
    [{ ask: { retryLimit: -1 } }, 'retry limit'],
    [{ ask: { claims: 'maybe' } }, 'Invalid claims policy'],
  ])('refuses %j before it makes a folder', async (request, named) => {
    writeSet({ question: 'What is 2 + 2?' })
    await expect(run(request as Partial<EvalRequest>)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(named),
    })
    expect(() => readFileSync(join(folder, 'out/eval.json'))).toThrow('ENOENT')
  })

  it.each([
    ['set/birds.md', 'hash of the files of the questions'],
    ['other.md', 'hash of the sources'],
    ['secret.md', 'hash of the library'],
  ])('is another one when %s has changed in the meantime', async (name, told) => {
    writeSet({ question: 'How long is the wing of the grey sunbird?', files: 'birds.md' })
    const addSecret = async () => {
      const app = createApp(settings())
      await Array.fromAsync(app.addToLibrary(['secret.md']))
      await app.close()
    }
    await addSecret()
    const ask = { sources: ['other.md'] }
    await run({ ask })
    // The same again goes on.
    await run({ ask })
    write(name, 'Something else: the wing is 1 mm long.\n')
    await addSecret()
    await expect(run({ ask })).rejects.toMatchObject({ message: expect.stringContaining(told) })
  })
})
