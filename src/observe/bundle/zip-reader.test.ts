import { crc32 } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locateChange } from './zip-reader.ts'

describe('locateChange', () => {
  it('names the one byte that was changed', () => {
    const content = fc.uint8Array({ minLength: 1, maxLength: 5_000 })
    fc.assert(
      fc.property(content, fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, place, change) => {
        const at = place % bytes.length
        const changed = Uint8Array.from(bytes)
        changed[at] = (changed[at] as number) ^ change
        const found = { sizeBytes: changed.length, crc: crc32(changed) }
        expect(locateChange([changed], found, crc32(bytes))).toBe(at)
      }),
    )
  })

  it('names none where several were, or none was', () => {
    const bytes = Buffer.from('a text of some length, in which nothing is changed')
    const changed = Buffer.from('A text of some length, in which nothing is changeD')
    const found = { sizeBytes: bytes.length, crc: crc32(changed) }
    expect(locateChange([changed], found, crc32(bytes))).toBeUndefined()
    expect(locateChange([bytes], { ...found, crc: crc32(bytes) }, crc32(bytes))).toBeUndefined()
  })
})
