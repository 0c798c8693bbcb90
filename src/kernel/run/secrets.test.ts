import { describe, expect, it } from 'vitest'
import { redactSecrets } from './secrets.ts'

// How else a secret may be written: test/security/secret-forms.test.ts
describe('redactSecrets', () => {
  it.each([
    ['a path', (given: string) => new URL(`http://x/a/${given}/b`).href],
    ['a query', (given: string) => new URL(`http://x/a?key=${given}&a=b`).href],
    ['a fragment', (given: string) => new URL(`http://x/a#${given}`).href],
    ['a user', (given: string) => Object.assign(new URL('http://x/'), { username: given }).href],
    ['a form', (given: string) => new URLSearchParams({ key: given }).toString()],
  ])('finds a secret as %s has it', (_where, write) => {
    for (const hard of ['pa"ss<wo>rd`ü', 'a b{c}|d^e"f\\g/ü', 'p\u00fc%41\'quote"s']) {
      const text = write(hard)
      const redacted = redactSecrets(text, [hard, hard.toLowerCase()])
      expect(redacted).toContain('[secret]')
      expect(redacted.length).toBeLessThan(text.length)
    }
  })

  it('leaves a short one in other letters, which may be a word', () => {
    const secrets = ['Sunshine2', 'sUnshine']
    expect(redactSecrets('SUNSHINE2 sunshine', secrets)).toBe('SUNSHINE2 sunshine')
    const long = 'sk-Correct9-Horse'
    expect(redactSecrets(`http://${long.toLowerCase()}.example/`, [long])).toContain('[secret]')
  })

  it('finds the lines of a long secret, and leaves its frame and short ones', () => {
    const key =
      '-----BEGIN KEY-----\r\n  MIIEvQIBADANBg\r\n{\r\nkqhkiG9w0BAQEF\r\n-----END KEY-----\r\n'
    expect(redactSecrets(`a ${key}b`, [key])).toBe('a [secret]\r\nb')
    expect(redactSecrets(`a ${key.replaceAll('\r\n', '\n    ')}b`, [key])).toBe('a [secret]\n    b')
    expect(redactSecrets('-----BEGIN KEY-----\nMIIEvQIBADANBg\n{', [key])).toBe(
      '-----BEGIN KEY-----\n[secret]\n{',
    )
  })

  it('joins what overlaps, and leaves all else as it is', () => {
    const secrets = ['abcdef123456', 'f123456789', '123456']
    expect(redactSecrets({ a: ['x abcdef123456789 y', 5, null] }, secrets)).toEqual({
      a: ['x [secret] y', 5, null],
    })
    expect(redactSecrets('123456123456 123456', secrets)).toBe('[secret][secret] [secret]')
    const text = `sk-a ${Buffer.from('another').toString('base64')} sk-a%3F`
    expect(redactSecrets(text, ['sk-a?b/c+d~e>ü', 'sk-a', ''])).toBe(text)
  })
})
