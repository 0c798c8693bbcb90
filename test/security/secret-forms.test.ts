import { describe, expect, it } from 'vitest'
import { createDeltaTeller } from '../../src/kernel/model/model-delta.ts'
import { holdsSecret, redactGrowing, redactSecrets } from '../../src/kernel/run/secrets.ts'

const secrets = ['sk-a?b/c+d~e>ü-Zz9', 'pa"ss<wo>rd`%41\\n', 'AKIAIOSFODNN7EXAMPLE', 'hunter2!']

const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const wide = (text: string) => [...text].map((sign) => `${sign}\0`).join('')
const lines = (text: string, width: number, end = '\n') =>
  text.replaceAll(new RegExp(`.{${width}}(?=.)`, 'gsu'), (line) => line + end)
const each = (text: string, write: (code: number) => string) =>
  [...text].map((sign) => write(sign.codePointAt(0) as number)).join('')
const bytes = (text: string, write: (byte: string) => string) =>
  [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const dump = (text: string, line: (place: string, numbers: string[], text: string) => string) =>
  Array.from({ length: Math.ceil(Buffer.byteLength(text) / 16) }, (_, row) => {
    const part = Buffer.from(text).subarray(row * 16, row * 16 + 16)
    const numbers = [...part].map((byte) => byte.toString(16).padStart(2, '0'))
    return line((row * 16).toString(16).padStart(8, '0'), numbers, part.toString('latin1'))
  }).join('\n')

/** How a secret may be written: a new way is one line. */
const forms: readonly (readonly [how: string, write: (secret: string) => string])[] = [
  ['as it is', (text) => text],
  ['over two lines', (text) => lines(text, 5)],
  ['over indented lines', (text) => lines(text, 5, '\r\n    ')],
  ['in base64', base64],
  ['in base64 behind one letter', (text) => base64(`a${text}`)],
  ['in base64 behind two letters', (text) => base64(`ab${text}`)],
  ['in base64 between letters', (text) => base64(`abc${text}d`)],
  ['in base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
  ['in base64 in lines', (text) => lines(base64(`abc${text}d`), 7)],
  ['in base64 in indented lines', (text) => lines(base64(text), 7, '\n  ')],
  ['in base64 twice', (text) => base64(base64(text))],
  ['in base64 twice, between letters', (text) => base64(`x${base64(`ab${text}c`)}y`)],
  ['in base64 twice, in lines', (text) => lines(base64(lines(base64(text), 76)), 8)],
  ['in base64 in an address', (text) => encodeURIComponent(base64(text))],
  ['in base64 in JSON in JSON', (text) => json(json(lines(base64(text), 8, '\r\n')))],
  ['in UTF-16', wide],
  ['in UTF-16 the other way round', (text) => [...text].map((sign) => `\0${sign}`).join('')],
  ['in UTF-16 in base64', (text) => base64(utf16(text))],
  ['in UTF-16 in base64 the other way round', (text) => base64(utf16(text).swap16())],
  ['in UTF-16 in hexadecimal', (text) => utf16(text).toString('hex')],
  ['in hexadecimal', hex],
  ['in large hexadecimal digits', (text) => hex(text).toUpperCase()],
  ['in hexadecimal with spaces', (text) => bytes(text, (byte) => `${byte} `)],
  ['in hexadecimal with colons', (text) => bytes(text, (byte) => `${byte}:`)],
  ['in hexadecimal as a list', (text) => bytes(text, (byte) => `0x${byte}, `)],
  ['in hexadecimal in lines', (text) => lines(hex(text), 11)],
  ['in hexadecimal in base64', (text) => base64(hex(text))],
  ['in base64 in hexadecimal', (text) => hex(base64(text))],
  ['as a part of an address', encodeURIComponent],
  ['as a part of an address twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  [
    'as a part of an address three times',
    (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  ],
  ['with each byte as a part of an address', (text) => bytes(text, (byte) => `%${byte}`)],
  ['as %u escapes', (text) => each(text, (code) => `%u${code.toString(16).padStart(4, '0')}`)],
  ['in JSON', json],
  ['in JSON in JSON in JSON', (text) => json(json(json(text)))],
  ['in JSON with escaped slashes', (text) => json(text).replaceAll('/', '\\/')],
  ['as \\u escapes', (text) => each(text, (code) => `\\u${code.toString(16).padStart(4, '0')}`)],
  ['as \\u{} escapes', (text) => each(text, (code) => `\\u{${code.toString(16)}}`)],
  ['as \\x escapes', (text) => bytes(text, (byte) => `\\x${byte}`)],
  [
    'as octal escapes',
    (text) => bytes(text, (byte) => `\\${Number.parseInt(byte, 16).toString(8).padStart(3, '0')}`),
  ],
  ['with a backslash before each sign', (text) => text.replaceAll(/\W/g, (sign) => `\\${sign}`)],
  [
    'in HTML',
    (text) =>
      text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;'),
  ],
  ['as decimal entities', (text) => each(text, (code) => `&#${code};`)],
  ['as hexadecimal entities', (text) => each(text, (code) => `&#x${code.toString(16)};`)],
  ['as entities in JSON', (text) => json(each(text, (code) => `&#${code};`))],
  ['as quoted-printable', (text) => bytes(text, (byte) => `=${byte.toUpperCase()}`)],
  [
    'as quoted-printable in lines',
    (text) => lines(text.replaceAll('=', '=3D').replace('ü', '=C3=BC'), 7, '=\r\n'),
  ],
]

/** Ways that fill lines of their own. */
const dumps: typeof forms = [
  [
    'as xxd has it',
    (text) =>
      dump(text, (place, numbers, same) => {
        const pairs = Array.from({ length: 8 }, (_, at) =>
          numbers.slice(2 * at, 2 * at + 2).join(''),
        )
        return `${place}: ${pairs.filter((pair) => pair !== '').join(' ')}  ${same}`
      }),
  ],
  [
    'as hexdump -C has it',
    (text) =>
      dump(
        text,
        (place, numbers, same) =>
          `${place}  ${numbers.slice(0, 8).join(' ')}  ${numbers.slice(8).join(' ')}  |${same}|`,
      ),
  ],
  [
    'as od has it',
    (text) => dump(text, (place, numbers) => `${place.slice(1)} ${numbers.join(' ')}`),
  ],
]

/** Ways in which only a secret of 12 characters or more is known. */
const longForms: typeof forms = [
  ['turned round', (text) => [...text].toReversed().join('')],
  ['in small letters', (text) => text.toLowerCase()],
  ['in capital letters', (text) => text.toUpperCase()],
  [
    'in changing letters',
    (text) =>
      [...text]
        .map((sign, at) => (at % 2 === 0 ? sign.toUpperCase() : sign.toLowerCase()))
        .join(''),
  ],
]

const known = (how: typeof forms, least: number) =>
  how.flatMap(([name, write]) =>
    secrets.filter(({ length }) => length >= least).map((secret) => [name, secret, write] as const),
  )
const cases = [...known(forms, 0), ...known(longForms, 12)]

describe('a secret is masked', () => {
  it.each([...cases, ...known(dumps, 0)])('%s: %s', (_how, secret, write) => {
    const written = write(secret)
    const masked = redactSecrets({ [written]: [`It says:\n${written}\nand more.`] }, secrets)
    const [key = '', [text = ''] = []] = Object.entries(masked)[0] ?? []
    expect([key, text]).toEqual([
      expect.stringContaining('[secret]'),
      expect.stringContaining('[secret]'),
    ])
    // What is left are digits that its neighbours have a share in.
    expect(key.replaceAll('[secret]', '').length).toBeLessThan(20)
    expect(text.replaceAll('[secret]', '').length).toBeLessThan(40)
    expect(holdsSecret(JSON.stringify(masked), secrets)).toBe(false)
    expect(holdsSecret(written, secrets)).toBe(true)
  })

  it.each(cases)('also where it comes in bits, %s: %s', (_how, secret, write) => {
    const told: string[] = []
    const teller = createDeltaTeller(1, secrets, ({ text }) => void told.push(String(text)))
    for (const unit of `It is ${write(secret)}; yes.`) teller.onDelta('text', unit)
    teller.end()
    expect(told.join('')).toMatch(/^It is .{0,12}\[secret\].{0,20} yes\.$/s)
    expect(holdsSecret(told.join(''), secrets)).toBe(false)
  })

  it('also where what is shown ends in it', () => {
    const [secret = ''] = secrets
    const shown = (text: string) => redactGrowing({ text }, secrets).text
    expect(shown(`It is ${secret.slice(0, 9)}`)).toBe('It is [secret]')
    expect(shown(`${secret} ${base64(secret).slice(0, 8)}\n`)).toBe('[secret] [secret]')
    expect(shown('All tests pass')).toBe('All tests pass')
  })
})

describe('what is no secret stays', () => {
  it.each([
    'hunter, 2!',
    'pass word',
    'hunte\nr',
    '68 75 6e 74',
    '%68%75%6e%74',
    'AKIAIOSFODNN',
    '00000010: 6a6b 6c6d  jklm',
    '\\u0068\\u0075 100% = 5 & 6',
    `${'[0-9a-f]'.repeat(3)}\n\n  \\`,
  ])('%j', (text) => {
    expect(redactSecrets(text, [...secrets, 'short', ''])).toBe(text)
  })
})
