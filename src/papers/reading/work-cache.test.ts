import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SourceId } from '../../citations/source.ts'
import { createWorkCache, noCache } from './work-cache.ts'

const sourceId = 'a'.repeat(64) as SourceId
let folder = ''
let made = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-kept-'))
  made = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const result = [{ start: 1, end: 5 }]
const make = () => {
  made++
  return result
}
const once = (madeOf: string, version = 1) =>
  createWorkCache(folder).getOrCompute('cuts', sourceId, { version, madeOf }, make)
const path = () => join(folder, 'cuts', `${sourceId}.json`)

describe('kept work', () => {
  it('is done once for the same, and gives the same again', async () => {
    expect(await once('a text')).toEqual(result)
    expect(await once('a text')).toEqual(result)
    expect(made).toBe(1)
    expect(readdirSync(join(folder, 'cuts'))).toEqual([`${sourceId}.json`])
  })

  it('is done again for another text, another version and another source', async () => {
    await once('a text')
    await once('another text')
    await once('another text', 2)
    await createWorkCache(folder).getOrCompute('cuts', 'b'.repeat(64) as SourceId, 'a text', make)
    expect(made).toBe(4)
  })

  it.each([
    ['cut short', (text: string) => text.slice(0, -10)],
    ['empty', () => ''],
    ['of another program', () => '{"chunks":[]}'],
    ['changed', (text: string) => text.replace('"start":1', '"start":2')],
  ])('takes nothing from a file that is %s, and writes it anew', async (_what, damage) => {
    await once('a text')
    const whole = readFileSync(path(), 'utf8')
    writeFileSync(path(), damage(whole))
    expect(await once('a text')).toEqual(result)
    expect(made).toBe(2)
    expect(readFileSync(path(), 'utf8')).toBe(whole)
  })

  it('does it each time where its folder is none', async () => {
    writeFileSync(join(folder, 'cuts'), 'a file')
    expect(await once('a text')).toEqual(result)
    expect(await once('a text')).toEqual(result)
    expect(made).toBe(2)
  })

  it('fails as the work does and keeps nothing then', async () => {
    const fail = () => Promise.reject(new Error('no'))
    await expect(createWorkCache(folder).getOrCompute('cuts', sourceId, 1, fail)).rejects.toThrow(
      'no',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it('may be no keeping at all', async () => {
    expect(await noCache.getOrCompute('cuts', sourceId, 1, make)).toEqual(result)
    expect(await noCache.getOrCompute('cuts', sourceId, 1, make)).toEqual(result)
    expect(made).toBe(2)
  })
})
