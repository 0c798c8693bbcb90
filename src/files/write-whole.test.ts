import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeThroughDraft, writeWhole } from './write-whole.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-whole-'))
  path = join(folder, 'kept.json')
  writeFileSync(path, 'old')
  chmodSync(path, 0o644)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = () => readFileSync(path, 'utf8')

/** Both forms, with the draft that a killed process with this id would have left. */
const forms = {
  writeWhole: async () => writeWhole(path, 'new', { flush: true }),
  writeThroughDraft: () =>
    writeThroughDraft(path, { draft: `${path}.${process.pid}.tmp` }, (file) =>
      file.writeFile('new'),
    ),
}

describe.each(Object.entries(forms))('%s', (_name, write) => {
  it('replaces a file by one that only its user can read, and leaves no draft', async () => {
    await write()
    expect(read()).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['kept.json'])
  })

  it('replaces a leftover draft without following a link', async () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'untouched')
    symlinkSync(other, `${path}.${process.pid}.tmp`)
    await write()
    expect(read()).toBe('new')
    expect(readFileSync(other, 'utf8')).toBe('untouched')
    expect(readdirSync(folder)).toEqual(['kept.json', 'other'])
  })

  it('deletes the draft when the target cannot be replaced', async () => {
    rmSync(path)
    mkdirSync(path)
    await expect(write()).rejects.toMatchObject({ code: 'EISDIR' })
    expect(readdirSync(folder)).toEqual(['kept.json'])
  })
})

describe('writeThroughDraft', () => {
  const draft = () => `${path}.draft`

  it('leaves the target as it is if writing or the last check fails', async () => {
    const fail = async () => {
      expect(readdirSync(folder)).toEqual(['kept.json', 'kept.json.draft'])
      throw new Error('no')
    }
    await expect(writeThroughDraft(path, { draft: draft() }, fail)).rejects.toThrow('no')
    const options = { draft: draft(), beforeRename: fail }
    const written = writeThroughDraft(path, options, (file) => file.writeFile('new'))
    await expect(written).rejects.toThrow('no')
    expect(read()).toBe('old')
    expect(readdirSync(folder)).toEqual(['kept.json'])
  })
})
