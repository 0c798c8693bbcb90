import {
  chmod,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileChange, FileResult } from '../../src/code/tools/code-tool.ts'
import {
  findChangeOutcome,
  makeChange,
  planChange,
  undoChange,
} from '../../src/code/tools/files/change-file.ts'
import { createCodeWorkspace } from '../../src/code/tools/files/code-workspace.ts'
import { readEditableBytes } from '../../src/code/tools/files/file-bytes.ts'
import { sha256 } from '../../src/kernel/json.ts'
import { type ToolWorld, toolWorld } from './tool-world.ts'

let world: ToolWorld
beforeEach(async () => {
  world = await toolWorld()
})
afterEach(() => world.close())

const fails = (name: string, input: object) =>
  world.call(name, input as never).then(
    () => 'it did not fail',
    (error: Error & { hint?: string }) => `${error.message} ${error.hint ?? ''}`,
  )
const bytesOf = (way: string) => readFile(world.path(way))

describe('read', () => {
  it('names lines by number and hash, and says what is left', async () => {
    await world.write({ 'a.txt': 'one\ntwo\nthree\n' })
    const text = await world.text('read', { path: 'a.txt', offset: 2, limit: 1 })
    expect(text).toMatch(/^2:[\da-f]{4}\|two\n\(lines 2 to 2 of 3; read on with offset 3\)$/)
    expect(await world.text('read_file', { filepath: 'a.txt', offset: '3' })).toMatch(
      /^3:.{4}\|three$/,
    )
    expect(await world.text('read', { file_path: 'a.txt', offset: 9 })).toContain('3 lines, none')
  })

  it('cuts long lines and long files, and says so', async () => {
    await world.write({
      'long.txt': `${'x'.repeat(10_000)}\nend`,
      'many.txt': 'line\n'.repeat(5_000),
      'empty.txt': '',
    })
    expect(await world.text('read', { path: 'long.txt' })).toMatch(
      /x… \(8000 more characters\)\n2:/,
    )
    expect(await world.text('read', { path: 'many.txt' })).toContain('lines 1 to 2000 of 5000')
    expect(await world.text('read', { path: 'empty.txt' })).toBe('(empty.txt is empty)')
  })

  it('reads lines in the middle of 100 MB', async () => {
    const file = await open(world.path('large.txt'), 'w')
    const block = `${'é'.repeat(49)}y\n`.repeat(10_000)
    for (let written = 0; written < 100; written++) await file.write(block)
    await file.close()
    const text = await world.text('read', { path: 'large.txt', offset: 900_000, limit: 2 })
    expect(text).toMatch(/^900000:.{4}\|é{49}y\n900001:.{4}\|é{49}y\n\(read on with offset 900002/)
    await truncate(world.path('large.txt'), 0)
    await truncate(world.path('large.txt'), 200_000_000)
    expect(await fails('read', { path: 'large.txt' })).toContain('is not')
  })

  it('refuses what is no text, with advice', async () => {
    await world.write({
      'a.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1]),
      'a.bin': new Uint8Array([1, 0, 2]),
      'latin.txt': new Uint8Array([0x67, 0xfc, 0x0a]),
      'sub/name.test.ts': '',
    })
    expect(await fails('read', { path: 'a.png' })).toContain('image (PNG). Images are not read')
    expect(await fails('read', { path: 'a.bin' })).toContain('is not text (3 bytes)')
    expect(await world.text('read', { path: 'latin.txt' })).toMatch(
      /gü\n\(It is no UTF-8.*cannot be edited/,
    )
    expect(await fails('read', { path: 'sub' })).toContain('Use list')
    expect(await fails('read', { path: 'sub/name.ts' })).toContain('in that folder: name.test.ts')
  })

  it('does not wait for a pipe', async () => {
    await world.call('bash', { command: 'mkfifo pipe' })
    expect(await fails('read', { path: 'pipe' })).toContain('is not a regular file')
  })
})

describe('what is closed', () => {
  it.each([
    '../x',
    '/etc/passwd',
    'a/../../x',
    'out',
    'loop',
    '.git/config',
    '.GIT/hooks/x',
    'git~1/x',
    'sub/.git/x',
    '.scholium/runs.db',
    'x\0',
  ])('%j is neither read nor written', async (path) => {
    await symlink('/etc/passwd', world.path('out'))
    await symlink('loop', world.path('loop'))
    const [read, write] = [
      await fails('read', { path }),
      await fails('write', { path, content: 'x' }),
    ]
    for (const failure of [read, write])
      expect(failure).toMatch(/is outside|is closed|is not a (?:valid )?path/)
  })

  it('secrets are read by a rule alone, and their examples always', async () => {
    const files = {
      '.env': 'KEY=1',
      '.env.example': 'KEY=',
      'keys/server.pem': 'x',
      'test/.env.test': 'T=1',
    }
    await world.write(files)
    for (const path of ['.env', 'keys/server.pem', 'test/.env.test'])
      for (const name of ['read', 'edit', 'write'])
        expect(await fails(name, { path, old: 'x', new: 'y', content: 'x' })).toContain(
          'may hold secrets',
        )
    expect(await world.text('read', { path: '.env.example' })).toContain('KEY=')
    const ruled = await toolWorld({
      workspace: world.folder,
      readVerdict: (way) => (way.startsWith('test/') ? 'allow' : undefined),
    })
    expect(await ruled.text('read', { path: 'test/.env.test' })).toContain('T=1')
    await ruled.close()
  })

  it('a workspace that is gone is said to be', async () => {
    await rm(world.folder, { recursive: true })
    expect(await fails('read', { path: 'a' })).toContain('no longer there')
    expect(await fails('bash', { command: 'ls' })).toContain('no longer there')
  })
})

describe('write', () => {
  it('makes files and folders, and what was read before, nothing else', async () => {
    expect(await world.text('write_file', { filepath: 'a/b/c.txt', content: 'x\ny\n' })).toBe(
      'Made a/b/c.txt (2 lines).',
    )
    expect(await world.text('write', { path: 'a/b/c.txt', content: 'z' })).toBe(
      'Wrote a/b/c.txt (1 lines).',
    )
    await world.write({ 'other.txt': 'mine' })
    expect(await fails('write', { path: 'other.txt', content: 'x' })).toContain('was not read')
    await world.call('read', { path: 'other.txt' })
    await world.write({ 'other.txt': 'mine, later' })
    expect(await fails('write', { path: 'other.txt', content: 'x' })).toContain('changed since')
    expect(await readdir(world.path('a/b'))).toEqual(['c.txt'])
    expect(String(await bytesOf('other.txt'))).toBe('mine, later')
  })
})

describe('edit', () => {
  it('keeps line ends, byte order mark and permissions', async () => {
    await world.write({ 'run.sh': '\ufeffone\r\ntwo\r\nthree' })
    await chmod(world.path('run.sh'), 0o755)
    await world.call('edit', { path: 'run.sh', old: 'one\ntwo', new: 'a\nb\nc' })
    expect(String(await bytesOf('run.sh'))).toBe('\ufeffa\r\nb\r\nc\r\nthree')
    expect((await stat(world.path('run.sh'))).mode & 0o777).toBe(0o755)
  })

  it('does all of several changes or none', async () => {
    await world.write({ 'a.txt': 'one\ntwo\n' })
    const edits = [
      { old_string: 'one', new_string: '1' },
      { old: 'three', new: '3' },
    ]
    expect(await fails('edit', { path: 'a.txt', edits })).toContain('not found')
    expect(String(await bytesOf('a.txt'))).toBe('one\ntwo\n')
  })

  it('does changes that come at once, one after the other', async () => {
    await world.write({ 'a.txt': Array.from({ length: 8 }, (_, n) => `line ${n}.\n`).join('') })
    const changes = Array.from({ length: 8 }, (_, n) =>
      world.call('update_file', { filepath: 'a.txt', target: `line ${n}.`, patch: `new ${n}.` }),
    )
    await Promise.all(changes)
    expect(String(await bytesOf('a.txt'))).not.toContain('line')
  })

  it('shows the lines as they are after it, to be named in the next', async () => {
    await world.write({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n' })
    const text = await world.text('edit', { path: 'a.txt', old: 'two', new: '2\n2b' })
    const [anchor = ''] = /^3:.{4}/m.exec(text) ?? []
    await world.call('edit', { path: 'a.txt', from: anchor, text: '' })
    expect(String(await bytesOf('a.txt'))).toBe('one\n2\nthree\nfour\nfive\nsix\n')
    expect(text).not.toContain('six')
  })

  it('is shown as a diff before, which changes nothing', async () => {
    await world.write({ 'a.txt': 'one\ntwo' })
    const preview = await world.tool('edit').preview?.({ path: 'a.txt', old: 'two', new: 'x\n' })
    expect(preview).toMatchObject({ title: 'edit a.txt (+1 −1)', paths: ['a.txt'] })
    expect(preview?.diff).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+x\n',
    )
    expect(String(await bytesOf('a.txt'))).toBe('one\ntwo')
  })
})

describe('a change', () => {
  const rules = () => createCodeWorkspace({ workspace: world.folder })
  const undo = (change: FileChange) =>
    undoChange(
      rules(),
      change,
      change.kept === null ? undefined : world.kept.get(change.kept),
      'undo',
    )

  it('can be undone to the very bytes', async () => {
    const content = fc.array(
      fc.constantFrom('a', '\n', '\r\n', '\r', '\ufeff', 'é', '𝄞', ' ', 'b\n'),
      { maxLength: 20 },
    )
    await fc.assert(
      fc.asyncProperty(content, content, async (before, after) => {
        const [old, next] = [before.join(''), after.join('')]
        await writeFile(world.path('p.txt'), old)
        await world.call('read', { path: 'p.txt' })
        const { changes = [] } = await world.call<FileResult>('write', {
          path: 'p.txt',
          content: next,
        })
        expect(String(await bytesOf('p.txt'))).toBe(next)
        for (const change of changes) expect(await undo(change)).toBe('undone')
        expect(await bytesOf('p.txt')).toEqual(Buffer.from(old))
      }),
      { numRuns: 60 },
    )
  })

  it('can be decided by the file as it is', async () => {
    await world.write({ 'a.txt': 'one' })
    const preview = await world.tool('edit').preview?.({ path: 'a.txt', old: 'one', new: 'two' })
    const change = preview?.changes[0] as FileChange
    expect(await findChangeOutcome(rules(), change)).toBe('not_done')
    await world.call('edit', { path: 'a.txt', old: 'one', new: 'two' })
    expect(await findChangeOutcome(rules(), change)).toBe('done')
    await world.write({ 'a.txt': 'three' })
    expect(await findChangeOutcome(rules(), change)).toBe('unknown')
    expect(await undo(change)).toBe('changed_since')
  })

  it('is not made where something else changed the file meanwhile', async () => {
    await world.write({ 'a.txt': 'one' })
    const place = await rules().place('a.txt')
    const memory = { lastHash: () => undefined, keep: async () => sha256('one') }
    const planned = await planChange(memory, place, await readEditableBytes(place), {
      after: 'two',
    })
    await world.write({ 'a.txt': 'three' })
    await expect(makeChange(planned, { key: 'key' })).rejects.toThrow(
      'changed by somebody else meanwhile',
    )
    expect(await readdir(world.folder)).toEqual(['a.txt'])
    expect(String(await bytesOf('a.txt'))).toBe('three')
  })

  it('is not made in files over 10 MB', async () => {
    await world.write({ 'a.txt': 'one' })
    await truncate(world.path('a.txt'), 100_000_000)
    expect(await fails('edit', { path: 'a.txt', old: 'one', new: 'two' })).toContain('files up to')
    expect(await fails('write', { path: 'b.txt', content: 'x'.repeat(10_000_001) })).toContain(
      'at most',
    )
  })

  it('that made a file is undone by removing it', async () => {
    const { changes = [] } = await world.call<FileResult>('write', { path: 'n.txt', content: 'x' })
    expect(await undo(changes[0] as FileChange)).toBe('undone')
    expect(await readdir(world.folder)).toEqual([])
    expect(await undo(changes[0] as FileChange)).toBe('already_undone')
  })
})
