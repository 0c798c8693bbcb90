import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../app.ts'
import { InputHistory } from './input-history.ts'
import { WorkspacePaths } from './workspace-paths.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-terminal-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('InputHistory', () => {
  const open = (workspace: string, problems: string[] = []) =>
    new InputHistory(folder, workspace, { onProblem: (text) => problems.push(text) })

  it('is there in the next session of the same folder, and of no other', () => {
    const first = open('/a')
    for (const text of ['one', 'two\nlines', 'two\nlines', ' secret']) first.add(text)
    expect(open('/a').list).toEqual(['one', 'two\nlines'])
    expect(open('/b').list).toEqual([])
  })

  it('is for its owner alone to read', () => {
    open('/a').add('one')
    const [name = ''] = readdirSync(join(folder, 'code-history'))
    expect(statSync(join(folder, 'code-history', name)).mode & 0o077).toBe(0)
  })

  it('passes over a line that was cut off, and keeps the newest of many', () => {
    open('/a').add('one')
    const [name = ''] = readdirSync(join(folder, 'code-history'))
    const many = Array.from({ length: 2_500 }, (_, index) => `${JSON.stringify(`n${index}`)}\n`)
    writeFileSync(join(folder, 'code-history', name), `${many.join('')}"cut o`)
    const { list } = open('/a')
    expect([list.length, list.at(-1)]).toEqual([1_000, 'n2499'])
    expect(open('/a').list).toHaveLength(1_000)
  })

  it('says once that it cannot be kept, and continues without', () => {
    const home = join(folder, 'file')
    writeFileSync(home, '')
    const problems: string[] = []
    const history = new InputHistory(home, '/a', { onProblem: (text) => problems.push(text) })
    history.add('one')
    history.add('two')
    expect(history.list).toEqual(['one', 'two'])
    expect(problems).toHaveLength(1)
  })
})

describe('WorkspacePaths', () => {
  function write(...paths: readonly string[]): void {
    for (const path of paths) {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
  }

  async function open(): Promise<WorkspacePaths> {
    const app = createApp({ home: join(folder, 'home'), folder })
    const completions = await app.completions({})
    await app.close()
    const paths = new WorkspacePaths(
      folder,
      () => completions.paths(),
      () => 0,
    )
    await paths.refresh()
    return paths
  }

  it('finds files by what is typed of them, the nearest first', async () => {
    write('src/sum.ts', 'src/deep/summary.ts', 'test/sum.test.ts', 'README.md')
    write('node_modules/sum/index.js', '.git/sum', 'my file.txt')
    const paths = await open()
    expect(paths.matching('sum', 9)).toEqual([
      'src/sum.ts',
      'test/sum.test.ts',
      'src/deep/summary.ts',
    ])
    expect(paths.matching('srcsum', 9)).toContain('src/sum.ts')
    expect(paths.matching('', 9)).toEqual(['README.md', 'node_modules/', 'src/', 'test/'])
    expect(paths.matching('src/', 2)).toEqual(['src/deep/', 'src/sum.ts'])
    expect(paths.matching('node_modules/s', 9)).toEqual(['node_modules/sum/'])
  })

  it('finds no file that an ignore file names, also below', async () => {
    write('src/sum.ts', 'built/sum.js', 'src/sum.log', '.github/sum.yml')
    writeFileSync(join(folder, '.ignore'), 'built/\n')
    writeFileSync(join(folder, 'src', '.ignore'), '*.log\n')
    expect((await open()).matching('sum', 9)).toEqual(['src/sum.ts', '.github/sum.yml'])
  })

  it('lists what is near the root first, and nothing that was installed or built', async () => {
    write('a/b/c.ts', 'a/d.ts', 'z/e.ts', 'f.ts', 'bin/build', 'z/.dist')
    write('dist/f.js', 'z/venv/g.py', 'a/vendor/h.go', 'a/node_modules/i.js')
    const app = createApp({ home: join(folder, 'home'), folder })
    const paths = await (await app.completions({})).paths()
    await app.close()
    const own = paths.filter((path) => !path.startsWith('home/'))
    expect(own).toEqual(['f.ts', 'a/d.ts', 'bin/build', 'z/.dist', 'z/e.ts', 'a/b/c.ts'])
  })

  it('looks nowhere else, and not into what it may not read', async () => {
    write('a/b.ts')
    const paths = await open()
    expect(paths.matching('../', 9)).toEqual([])
    expect(paths.matching('/etc/', 9)).toEqual([])
    chmodSync(join(folder, 'a'), 0)
    expect(() => paths.matching('a/', 9)).not.toThrow()
    chmodSync(join(folder, 'a'), 0o755)
  })
})
