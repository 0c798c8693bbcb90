import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { listFiles } from './list-files.ts'
import { readPaths } from './read-files.ts'

const root = mkdtempSync(join(tmpdir(), 'scholium-list-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(count++))
  for (const [name, text] of Object.entries({ '': '', ...files })) {
    const path = join(folder, name)
    mkdirSync(name === '' ? path : join(path, '..'), { recursive: true })
    if (name !== '') writeFileSync(path, text)
  }
  return folder
}

async function list(paths: string[], folder: string, options = {}) {
  const { files, passedOver } = await listFiles(paths, options)
  const short = (path: string) => path.slice(folder.length + 1)
  return {
    files: files.map(({ path }) => short(path)),
    passedOver: passedOver.map(({ path, why }) => `${short(path)}: ${why}`),
  }
}

describe('listing files', () => {
  it('goes through folders by name and leaves out hidden files and packages, naming them', async () => {
    const folder = folderWith({
      'b.md': '',
      'a.txt': '',
      'sub/c.pdf': '',
      '.git/x': '',
      '.env': '',
      'node_modules/p/readme.md': '',
    })
    expect(await list([folder], folder)).toEqual({
      files: ['a.txt', 'b.md', 'sub/c.pdf'],
      passedOver: [
        '.env: a hidden file',
        '.git: a hidden folder',
        'node_modules: installed packages',
      ],
    })
  })

  it('takes files that are named, hidden or absent too, in the order given and once', async () => {
    const folder = folderWith({ '.notes.md': '', 'a.md': '' })
    const named = ['.notes.md', 'absent.md', 'a.md', 'a.md'].map((name) => join(folder, name))
    expect(await list([...named, folder], folder)).toEqual({
      files: ['.notes.md', 'absent.md', 'a.md'],
      passedOver: ['.notes.md: a hidden file'],
    })
  })

  it('survives links that go round, lead nowhere or lead twice to one file', async () => {
    const folder = folderWith({ 'a.md': '', 'sub/b.md': '' })
    symlinkSync(folder, join(folder, 'sub', 'up'))
    symlinkSync(join(folder, 'gone'), join(folder, 'dead'))
    symlinkSync(join(folder, 'a.md'), join(folder, 'same.md'))
    expect(await list([folder], folder)).toEqual({
      files: ['a.md', 'sub/b.md'],
      passedOver: [
        'dead: a broken link',
        `same.md: the same file as ${join(folder, 'a.md')}`,
        'sub/up: a folder that was already read',
      ],
    })
  })

  it('passes over what leads out of the folder that it is kept to, or out of the one that was named', async () => {
    const outside = folderWith({ 'secret.txt': '', 'more/other.txt': '' })
    const folder = folderWith({ 'docs/a.md': '', 'real/b.md': '', 'docs/c.md': '' })
    const docs = join(folder, 'docs')
    symlinkSync(join(outside, 'secret.txt'), join(docs, 'notes.txt'))
    symlinkSync(join(outside, 'more'), join(docs, 'more'))
    symlinkSync(join(folder, 'real'), join(docs, 'real'))
    const named = [docs, join(docs, 'notes.txt'), join(docs, 'more', 'other.txt')]
    const kept = await listFiles(named, { within: folder })
    expect(kept.files).toEqual(
      ['a.md', 'c.md', 'real/b.md'].map((name) => ({ path: join(docs, name), within: folder })),
    )
    expect(kept.passedOver).toEqual(
      [
        ['more', `it is a link that leads outside ${folder}`],
        ['notes.txt', `it is a link that leads outside ${folder}`],
        ['notes.txt', `it leads outside ${folder} through a link`],
        ['more/other.txt', `it leads outside ${folder} through a link`],
      ].map(([name = '', why]) => ({ path: join(docs, name), why, isLoss: true })),
    )
    expect(await list([docs, join(docs, 'notes.txt')], docs)).toEqual({
      files: ['a.md', 'c.md', 'notes.txt'],
      passedOver: ['more', 'notes.txt', 'real'].map(
        (name) => `${name}: it is a link that leads outside ${docs}`,
      ),
    })
  })

  it('stops at a bound and says so', async () => {
    const folder = folderWith({ a: '', b: '', c: '', d: '' })
    expect(await list([folder], folder, { maxFiles: 2 })).toEqual({
      files: ['a', 'b'],
      passedOver: ['c: this and all later files: at most 2 files are read at once'],
    })
  })
})

describe('reading files', () => {
  const texts = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `${String(index).padStart(2, '0')}.md`,
      `text ${index}`,
    ]),
  )

  it('gives outcomes in the order of the paths, bad files among them', async () => {
    const folder = folderWith({
      'a.md': 'first',
      'b.pdf': '%PDF-1.7 broken',
      'c.txt': '',
      'd.md': 'last',
    })
    const { files } = await listFiles([folder, join(folder, 'absent')])
    const got: [string, string | undefined][] = []
    for await (const outcome of readPaths(files)) {
      const what = outcome.ok ? outcome.document.text : outcome.ok === false && outcome.unreadable
      got.push([outcome.path, typeof what === 'object' ? what.reason : what || undefined])
    }
    expect(got.map(([, what]) => what)).toEqual(['first', 'broken', 'empty', 'last', 'not_found'])
    expect(got.map(([path]) => path)).toEqual(files.map(({ path }) => path))
  })

  it('reads only a few files ahead of its caller', async () => {
    const { files } = await listFiles([folderWith(texts)])
    const got: string[] = []
    for await (const outcome of readPaths(files)) {
      if (got.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 50))
        for (const { path } of files) writeFileSync(path, 'changed')
      }
      if (outcome.ok) got.push(outcome.document.text)
    }
    expect(got.filter((text) => text === 'changed').length).toBeGreaterThan(18)
  })

  it('stops when the signal is aborted, with its reason', async () => {
    const { files } = await listFiles([folderWith(texts)])
    const stop = new AbortController()
    const reading = (async () => {
      for await (const _ of readPaths(files, { signal: stop.signal }))
        stop.abort(new Error('enough'))
    })()
    await expect(reading).rejects.toThrow('enough')
  })
})
