import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { doAction } from '../../../../test/agents/actions/do-action.ts'
import { fileActions } from './file-actions.ts'

let workspace = ''
let outside = ''

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'file-actions-'))
  workspace = join(folder, 'work')
  outside = join(folder, 'other')
  await mkdir(workspace)
  await mkdir(outside)
  await writeFile(join(outside, 'secret.txt'), 'secret')
})

const read = (params: object) => doAction(fileActions({ workspace }), 'file.read', params)
const write = (params: object) => doAction(fileActions({ workspace }), 'file.write', params)

describe('file.read', () => {
  it('gives the text of a file, without a byte order mark', async () => {
    await writeFile(join(workspace, 'a.txt'), '\ufeffgrüße\n')
    const content = 'grüße\n'
    const read_ = { content, path: './a.txt', size_bytes: 11, success: true }
    expect(await read({ path: './a.txt' })).toEqual(read_)
    expect(await read({ path: join(workspace, 'a.txt') })).toMatchObject({ content })
    expect(await read({ path: `file://${join(workspace, 'a.txt')}` })).toMatchObject({ content })
  })

  it('gives bytes that are no text in base64 only', async () => {
    await writeFile(join(workspace, 'a.bin'), new Uint8Array([0, 255, 1]))
    await writeFile(join(workspace, 'latin.txt'), new Uint8Array([0x67, 0xfc]))
    for (const path of ['a.bin', 'latin.txt'])
      expect(await read({ path })).toMatchObject({ success: false, error_type: 'binary' })
    expect(await read({ path: 'a.bin', encoding: 'base64' })).toMatchObject({ content: 'AP8B' })
  })

  it.each([
    '../other/secret.txt',
    '../../../../../../etc/passwd',
    '/etc/passwd',
    'a/../../other/secret.txt',
  ])('refuses %s, which leads out', async (path) => {
    expect(await read({ path })).toMatchObject({ success: false, error_type: 'outside_workspace' })
  })

  it('refuses links that lead out, to files and through folders', async () => {
    await symlink(join(outside, 'secret.txt'), join(workspace, 'link.txt'))
    await symlink(outside, join(workspace, 'folder'))
    for (const path of ['link.txt', 'folder/secret.txt', 'folder/new.txt'])
      expect(await read({ path })).toMatchObject({ error_type: 'outside_workspace' })
  })

  it('leaves hidden files alone, which may hold keys', async () => {
    await writeFile(join(workspace, '.env'), 'MY_TOKEN=s3cret')
    await symlink('.env', join(workspace, 'link.txt'))
    for (const path of ['.env', './.env', 'link.txt'])
      expect(await read({ path })).toMatchObject({ success: false, error_type: 'hidden' })
  })

  it('follows links that stay inside', async () => {
    await writeFile(join(workspace, 'a.txt'), 'inside')
    await symlink('a.txt', join(workspace, 'link.txt'))
    expect(await read({ path: 'link.txt' })).toMatchObject({ content: 'inside' })
  })

  it.each([
    ['a\0.txt', 'invalid_path'],
    ['file:///a%00b', 'invalid_path'],
    ['file://host/a', 'invalid_path'],
    ['s3://bucket/a', 'unsupported_scheme'],
    ['https://example.org/a', 'unsupported_scheme'],
    ['missing.txt', 'file_not_found'],
    ['.', 'not_a_file'],
    ['x'.repeat(300), 'invalid_path'],
  ])('says why there is nothing at %j', async (path, errorType) => {
    expect(await read({ path })).toMatchObject({ success: false, error_type: errorType })
  })

  it('refuses a file that is too large, unread', async () => {
    await writeFile(join(workspace, 'big'), '')
    await truncate(join(workspace, 'big'), 6_000_000)
    expect(await read({ path: 'big' })).toMatchObject({ error_type: 'too_large' })
  })

  it('says what is missing where there is no workspace', async () => {
    const without = doAction(fileActions({}), 'file.read', { path: 'a' })
    await expect(without).rejects.toMatchObject({ code: 'invalid_configuration' })
  })

  it('takes no parameter that it does not know', async () => {
    await expect(read({ path: 'a', paht: 'b' })).rejects.toThrow('paht')
  })
})

describe('file.write', () => {
  it('writes text, makes folders and leaves nothing else', async () => {
    const path = 'out/deep/a.txt'
    expect(await write({ path, content: 'one' })).toEqual({ path, size_bytes: 3, success: true })
    await write({ path, content: 'two' })
    expect(await readFile(join(workspace, path), 'utf8')).toBe('two')
    expect(await readdir(join(workspace, 'out/deep'))).toEqual(['a.txt'])
  })

  it('writes lists and maps as JSON, and bytes from base64', async () => {
    await write({ path: 'a.json', content: { a: [1] } })
    expect(JSON.parse(await readFile(join(workspace, 'a.json'), 'utf8'))).toEqual({ a: [1] })
    await write({ path: 'a.bin', content: 'AP8B', encoding: 'base64' })
    expect([...(await readFile(join(workspace, 'a.bin')))]).toEqual([0, 255, 1])
    const bad = { path: 'b.bin', content: 'no base64!', encoding: 'base64' }
    expect(await write(bad)).toMatchObject({ error_type: 'invalid_content' })
  })

  it('keeps the permissions of the file that it replaces', async () => {
    await writeFile(join(workspace, 'run.sh'), 'old', { mode: 0o700 })
    await write({ path: 'run.sh', content: 'new' })
    expect((await stat(join(workspace, 'run.sh'))).mode & 0o777).toBe(0o700)
  })

  it('writes nothing outside, whatever the path or links say', async () => {
    await symlink(join(outside, 'secret.txt'), join(workspace, 'link.txt'))
    await symlink(outside, join(workspace, 'folder'))
    await symlink(join(outside, 'new.txt'), join(workspace, 'dangling.txt'))
    const paths = [
      '../other/a',
      '/etc/a',
      'link.txt',
      'folder/a',
      'folder/sub/a',
      'a\0b',
      's3://b/a',
    ]
    for (const path of paths)
      expect(await write({ path, content: 'x' })).toMatchObject({ success: false })
    await write({ path: 'dangling.txt', content: 'x' })
    expect(await readdir(outside)).toEqual(['secret.txt'])
    expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  it.each([
    '.git/hooks/pre-commit',
    '.GIT/config',
    '.mcp.json',
    '.env',
    '.scholium/runs.db',
    'docs/.vscode/tasks.json',
    'docs/HEAD',
    'scholium.yaml',
  ])('writes nothing that other programs run or take settings from: %s', async (path) => {
    expect(await write({ path, content: 'x' })).toMatchObject({ success: false })
    expect(await readdir(workspace, { recursive: true })).toEqual([])
  })

  it('says so where a folder is in the way, or the content too large', async () => {
    await mkdir(join(workspace, 'a'))
    expect(await write({ path: 'a', content: 'x' })).toMatchObject({ error_type: 'is_directory' })
    const content = 'x'.repeat(10_000_001)
    expect(await write({ path: 'b', content })).toMatchObject({ error_type: 'too_large' })
    expect(await readdir(workspace)).toEqual(['a'])
  })
})
