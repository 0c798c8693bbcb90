import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EvalFolder } from '../../src/eval/folder.ts'

/** A repository with the folder that its evaluation would be kept in, next to what is not for it. */
let root = ''
const at = (way: string) => join(root, way)
const evaluation = () =>
  new EvalFolder(
    at('repository/eval-set'),
    { workflow: 'ask' },
    { owner: { bootId: 'boot', pid: 1, processStart: '1' }, livenessOf: () => 'dead' },
  )
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'scholium-eval-links-'))
  for (const way of ['repository', 'outside']) mkdirSync(at(way))
  evaluation().close()
})
afterEach(() => rmSync(root, { recursive: true }))

describe('the folder of an evaluation that came with a repository', () => {
  it.each<[string, () => unknown]>([
    ['results.jsonl', () => plant('outside/new', 'results.jsonl')],
    ['runs.jsonl', () => plant('outside/new', 'runs.jsonl')],
    ['sources', () => plant('outside', 'sources')],
    ['a folder of sources', () => plant('outside', 'sources/1')],
    ['a source', () => plant('outside/new', 'sources/1/01.md')],
    ['all of it', () => plant('outside', '')],
  ])('is not used with a link in the place of %s', (_name, make) => {
    make()
    expect(evaluation).toThrow('is a link')
    expect(readdirSync(at('outside')).filter((name) => name !== 'eval.json')).toEqual([])
  })

  it('is used where it has none', () => {
    writeFileSync(at('repository/eval-set/notes.txt'), 'x')
    evaluation().close()
  })
})

/** Puts a link in the place of something in the folder, or of the folder itself. */
function plant(target: string, way: string): void {
  const path = join(at('repository/eval-set'), way)
  if (way === '') writeFileSync(at('outside/eval.json'), '{}')
  rmSync(path, { recursive: true, force: true })
  mkdirSync(join(path, '..'), { recursive: true })
  symlinkSync(at(target), path)
}
