import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createOutput } from './output.ts'

function collect(chunks: readonly string[], limitBytes: number): string {
  const sent: string[] = []
  const output = createOutput(limitBytes, (text) => sent.push(text))
  for (const chunk of chunks) output.write(Buffer.from(chunk))
  return sent.join('') + output.rest()
}

it('is whole below its limit, however it comes', () => {
  const chunks = fc.array(fc.string({ unit: 'binary' }), { maxLength: 10 })
  fc.assert(
    fc.property(chunks, (parts) => {
      expect(collect(parts, 10_000)).toBe(Buffer.from(parts.join('')).toString())
    }),
  )
})

it('keeps its beginning and its end', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) => `${index}\n`)
  expect(collect(lines, 20)).toBe('0\n1\n2\n3\n4\n\n… 3870 bytes cut …\n7\n998\n999\n')
})

it('cuts no character in two', () => {
  expect(collect(['é'.repeat(100)], 21)).not.toContain('\ufffd')
})
