import { expect, it } from 'vitest'
import { texFamilyOf, texSymbol } from './tex-symbols.ts'

it.each([
  ['ABCDEF+CMSY10', 0x6b, '‖'],
  ['CMSY7', 0x36, '\u0338'],
  ['ABCDEF+CMEX10', 0x58, '∑'],
  ['CMMI8', 0x60, 'ℓ'],
  ['CMSY10', 0x29, '\ufffd'],
])('codes of TeX fonts that have no Unicode name: %s %i', (name, code, symbol) => {
  const family = texFamilyOf(name)
  expect(family).toBeDefined()
  expect(family && texSymbol(family, code)).toBe(symbol)
})

it('other fonts are none of TeX for mathematics', () => {
  expect(['ABCDEF+CMR10', 'Helvetica', 'CMSYSTEM', ''].map(texFamilyOf)).toEqual(Array(4))
})
