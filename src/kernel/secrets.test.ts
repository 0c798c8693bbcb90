import { describe, expect, it } from 'vitest'
import { createDeltaTeller } from './model-delta.ts'
import { redactSecrets } from './secrets.ts'

const secret = 'sk-a?b/c+d~e>ü'
const encode = (text: string, form: 'base64' | 'base64url') => Buffer.from(text).toString(form)

describe('redactSecrets', () => {
  it.each([
    ['as it is', `key ${secret}.`],
    ['as a part of an address', `https://x/?key=${encodeURIComponent(secret)}&a=b`],
    ['in base64', encode(secret, 'base64')],
    ['in base64 for addresses', encode(secret, 'base64url')],
    ['with a name', encode(`me:${secret}`, 'base64')],
    ['with another name', encode(`you:${secret}:x`, 'base64')],
    ['with a third name', encode(`them:${secret} and more`, 'base64url')],
  ])('finds a secret %s', (_how, text) => {
    const redacted = redactSecrets({ text }, [secret]).text
    expect(redacted).toContain('[secret]')
    const left = redacted.replace('[secret]', '')
    // What is left are the digits that its neighbours have a share in.
    expect(Buffer.from(left, 'base64').toString()).not.toContain(secret.slice(2, 6))
  })

  it.each([
    ['a path', (given: string) => new URL(`http://x/a/${given}/b`).href],
    ['a query', (given: string) => new URL(`http://x/a?key=${given}&a=b`).href],
    ['a fragment', (given: string) => new URL(`http://x/a#${given}`).href],
    ['a user', (given: string) => Object.assign(new URL('http://x/'), { username: given }).href],
    ['a form', (given: string) => new URLSearchParams({ key: given }).toString()],
    ['small digits', (given: string) => encodeURIComponent(given).toLowerCase()],
    ['JSON', (given: string) => JSON.stringify({ given })],
    ['JSON in JSON', (given: string) => JSON.stringify(JSON.stringify({ given }))],
    ['JSON in ASCII', (given: string) => JSON.stringify(given).replace('ü', '\\u00fc')],
    ['JSON with escaped slashes', (given: string) => JSON.stringify(given).replaceAll('/', '\\/')],
  ])('finds a secret as %s has it', (_where, write) => {
    for (const hard of ['pa"ss<wo>rd`ü', 'a b{c}|d^e"f\\g/ü', 'p\u00fc%41\'quote"s']) {
      const text = write(hard)
      const redacted = redactSecrets(text, [hard, hard.toLowerCase()])
      expect(redacted).toContain('[secret]')
      expect(redacted.length).toBeLessThan(text.length)
    }
  })

  it.each([
    ['in small letters', (given: string) => given.toLowerCase()],
    ['in capital letters', (given: string) => given.toUpperCase()],
    ['as the host of an address', (given: string) => new URL(`http://${given}.example/`).href],
    ['encoded, in capital letters', (given: string) => encodeURIComponent(given).toUpperCase()],
  ])('finds a long secret %s', (_how, write) => {
    const long = 'sk-Correct9-Horse'
    expect(redactSecrets(`a ${write(long)} b`, [long])).toContain('[secret]')
    expect(redactSecrets(write('Sunshine'), ['Sunshine2', 'sUnshine'])).toBe(write('Sunshine'))
  })

  it('finds the lines of a long secret, and leaves its frame and short ones', () => {
    const key =
      '-----BEGIN KEY-----\r\n  MIIEvQIBADANBg\r\n{\r\nkqhkiG9w0BAQEF\r\n-----END KEY-----\r\n'
    expect(redactSecrets(`a ${key} b`, [key])).toBe('a [secret] b')
    expect(redactSecrets('-----BEGIN KEY-----\nMIIEvQIBADANBg\n{', [key])).toBe(
      '-----BEGIN KEY-----\n[secret]\n{',
    )
  })

  it('leaves alone what is none', () => {
    const text = `sk-a ${encode('another', 'base64')} sk-a%3F`
    expect(redactSecrets(text, [secret, 'sk-a', ''])).toBe(text)
  })

  it('finds one in base64 that is told in bits', () => {
    const told: string[] = []
    const teller = createDeltaTeller(1, [secret], ({ text }) => void told.push(String(text)))
    const text = `It is ${encode(secret, 'base64')}, I think.`
    for (const character of text) teller.onDelta('text', character)
    teller.end()
    expect(told.join('')).toMatch(/^It is \[secret\].{0,4}, I think\.$/)
    expect(told.join('')).not.toContain(encode(secret, 'base64').slice(0, 6))
  })
})
