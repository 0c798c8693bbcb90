import { describe, expect, it } from 'vitest'
import { createXmlReader, textContent } from './xml.ts'

const nested = (depth: number) => `${'<a>'.repeat(depth)}deep${'</a>'.repeat(depth)}`

describe('XML', () => {
  it('is read as deep as documents are, and no deeper', async () => {
    const readXml = await createXmlReader()
    expect(textContent(readXml(nested(90))[0])).toBe('deep')
    expect(() => readXml(nested(200))).toThrow(/nested/i)
  })

  it('has its own entities replaced, and none that it declares', async () => {
    const readXml = await createXmlReader()
    const xml = '<!DOCTYPE a [<!ENTITY x "swollen">]><a>&lt;&#65;&x;</a>'
    expect(textContent(readXml(xml)[0])).toBe('<A&x;')
  })
})
