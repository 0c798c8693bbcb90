import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sha256 } from '../kernel/json.ts'
import { detectFileKind } from './file-kind.ts'
import { readFileDocument } from './read-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-read-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function refusal(path: string, options = {}) {
  const outcome = await readFileDocument({ path }, options)
  if (outcome.ok) return undefined
  expect(outcome.path).toBe(path)
  expect(outcome.unreadable.detail).toMatch(/^[A-Z].*\.$/)
  expect(outcome.unreadable.hint).toMatch(/^[A-Z].*\.$/)
  return outcome.unreadable
}

describe('reading a file', () => {
  it('gives a document with the hash and size of its bytes', async () => {
    const content = '# Hens\r\n\r\nThey sleep.\r\n'
    const outcome = await readFileDocument({ path: put('hens.md', content) })
    expect(outcome).toMatchObject({
      ok: true,
      document: {
        kind: 'markdown',
        title: 'Hens',
        text: '# Hens\n\nThey sleep.\n',
        contentHash: sha256(content),
        sizeBytes: content.length,
        pages: [],
      },
    })
  })

  it('refuses data, whose marks would be mistaken for what it says', async () => {
    for (const name of ['rows.jsonl', 'gold.json', 'paper.tei.xml', 'list.bib', 'a.ipynb']) {
      expect(await refusal(put(name, 'Hens sleep at night.'))).toMatchObject({
        reason: 'unsupported_kind',
      })
    }
  })

  it('takes other text for text, whatever its name', async () => {
    for (const name of ['notes', 'server.log', 'page.rst', 'code.py']) {
      expect(await readFileDocument({ path: put(name, 'Hens sleep at night.') })).toMatchObject({
        ok: true,
        document: { kind: 'text' },
      })
    }
  })

  it('tells a PDF by its content, not its name', async () => {
    expect(await refusal(put('not-named-so.txt', '%PDF-1.7 but broken'))).toMatchObject({
      reason: 'broken',
    })
    expect(
      await readFileDocument({
        path: put('about-pdf.md', 'A file starts with %PDF-1.7, they say.'),
      }),
    ).toMatchObject({ ok: true })
  })

  it.each([
    ['empty.md', '', 'empty'],
    ['blank.txt', ' \n\t\r\n ', 'empty'],
    ['front.md', '---\ntitle: only this\n---\n', 'empty'],
    ['empty.pdf', '', 'empty'],
    ['letter.docx', 'PK\x03\x04\x14\0\x06\0', 'broken'],
    ['locked.docx', '\xd0\xcf\x11\xe0\xa1\xb1', 'encrypted'],
    ['old.doc', '\xd0\xcf\x11\xe0\xa1\xb1', 'unsupported_kind'],
    ['page.mhtml', 'MIME-Version: 1.0', 'unsupported_kind'],
    ['login.pdf', '<!DOCTYPE html><p>Please log in</p>', 'unsupported_kind'],
    ['noise.txt', '\x01\x02\x03\x80\x81\x05\x06\x90\xa0\xff'.repeat(50), 'not_text'],
  ])('refuses %s', async (name, content, reason) => {
    expect(await refusal(put(name, Buffer.from(content, 'latin1')))).toMatchObject({ reason })
  })

  it('says what an unsupported file is', () => {
    const named = (name: string, start: string) =>
      detectFileKind(Buffer.from(start, 'latin1'), name)
    expect(named('a.doc', '\xd0\xcf\x11\xe0')).toMatchObject({ named: 'an old Word document' })
    expect(named('a.bin', 'BMI is a measure')).toEqual({ kind: 'text' })
    expect(named('a.txt', '\ufeff <!-- saved --><!DOCTYPE html>')).toEqual({ kind: 'text' })
    expect(named('a.txt', ' <!-- saved --><!DOCTYPE html>')).toEqual({ kind: 'html' })
    expect(named('a.bin', '\0\0\0\x18ftypheic')).toEqual({ kind: 'image' })
    expect(named('a.bin', '\0\0\0\x18ftypisom')).toMatchObject({ named: 'an audio or video file' })
    expect(named('a.pdf', '<html>')).toMatchObject({
      kind: 'unsupported',
      named: 'a web page with the name of a PDF',
    })
    expect(named('a.PDF', 'junk before %PDF-1.4')).toEqual({ kind: 'pdf' })
    expect(named('a.markdown', 'text')).toEqual({ kind: 'markdown' })
  })

  it('refuses paths that lead to no file', async () => {
    mkdirSync(join(folder, 'sub'))
    expect(await refusal(join(folder, 'absent.md'))).toMatchObject({ reason: 'not_found' })
    expect(await refusal(join(folder, 'hens.md', 'under-a-file'))).toMatchObject({
      reason: 'not_found',
    })
    expect(await refusal(join(folder, 'nul\0l.md'))).toMatchObject({ reason: 'not_found' })
    expect(await refusal(join(folder, 'x'.repeat(5_000)))).toMatchObject({ reason: 'not_found' })
    expect(await refusal(join(folder, 'sub'))).toMatchObject({
      reason: 'unsupported_kind',
      detail: 'It is a folder.',
    })
  })

  it.skipIf(process.platform === 'win32')(
    'does not wait for a pipe that nobody writes to',
    async () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      expect(await refusal(pipe)).toMatchObject({ reason: 'unsupported_kind' })
    },
  )

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'says when a file may not be read (needs a user who is not root)',
    async () => {
      const path = put('locked.md', 'x')
      chmodSync(path, 0)
      expect(await refusal(path)).toMatchObject({ reason: 'no_permission' })
    },
  )

  it('refuses a file that is too large without reading it', async () => {
    const path = put('large.txt', 'words')
    truncateSync(path, 3_000_000_000)
    expect(await refusal(path)).toMatchObject({
      reason: 'too_large',
      detail: 'It has 3000 MB; the maximum is 100 MB.',
    })
    expect(await refusal(put('small.txt', 'more than ten bytes'), { maxBytes: 10 })).toMatchObject({
      reason: 'too_large',
    })
  })

  it('stops when the signal is aborted, with its reason', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(readFileDocument({ path: put('a.md', 'x') }, { signal })).rejects.toThrow('enough')
  })
})
