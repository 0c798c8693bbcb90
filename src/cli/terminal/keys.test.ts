import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Key, KeyDecoder } from './keys.ts'

function keysOf(...pieces: readonly string[]): readonly Key[] {
  const decoder = new KeyDecoder()
  return pieces.flatMap((piece) => [...decoder.take(piece)])
}

function namesOf(...pieces: readonly string[]): readonly string[] {
  return keysOf(...pieces).map((key) => (key.type === 'key' ? key.name : `${key.type} ${key.text}`))
}

describe('KeyDecoder', () => {
  it('knows the keys that terminals send', () => {
    expect(namesOf('\u001b[A\u001b[1;5C\u001bOH\u001b[3~\u001b[1;3D')).toEqual([
      'up',
      'ctrl+right',
      'home',
      'delete',
      'alt+left',
    ])
    expect(namesOf('\u0003\u007f\u001f\t\u001b[Z\r\n')).toEqual([
      'ctrl+c',
      'backspace',
      'ctrl+_',
      'tab',
      'shift+tab',
      'enter',
      'ctrl+j',
    ])
    expect(namesOf('\u001b\r\u001bb\u001b\u007f\u001b\u001b[D')).toEqual([
      'alt+enter',
      'alt+b',
      'alt+backspace',
      'alt+left',
    ])
    expect(namesOf('\u001b[13;2u\u001b[27;5;13~\u001b[99;5u')).toEqual([
      'shift+enter',
      'ctrl+enter',
      'ctrl+c',
    ])
  })

  it('gives text whole, also characters that come in halves', () => {
    expect(namesOf('h\u00e9 \u6f22', '\ud83d', '\ude00')).toEqual([
      'text h\u00e9 \u6f22',
      'text \ud83d\ude00',
    ])
  })

  it('takes nothing in a paste for keys, however it is cut', () => {
    const paste = '\u001b[200~a\r\u0003\u001b[Ab\u001b[201~\r'
    const whole = [
      { type: 'paste', text: 'a\r\u0003\u001b[Ab' },
      { type: 'key', name: 'enter' },
    ]
    expect(keysOf(paste)).toEqual(whole)
    expect(keysOf(...paste)).toEqual(whole)
  })

  it('takes an escape character for the key only when nothing follows', () => {
    const decoder = new KeyDecoder()
    expect(decoder.take('\u001b')).toEqual([])
    expect(decoder.isWaiting).toBe(true)
    expect(decoder.flush()).toEqual([{ type: 'key', name: 'escape' }])
    expect(decoder.take('\u001b')).toEqual([])
    expect(decoder.take('[B')).toEqual([{ type: 'key', name: 'down' }])
  })

  it('passes over what terminals report', () => {
    expect(namesOf('\u001b[24;80R\u001b[I\u001b]11;rgb:0/0/0\u0007\u001bP1$r0m\u001b\\x')).toEqual([
      'text x',
    ])
  })

  it('gives the same keys however the bytes are cut', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '\u001b',
        '\u001b[',
        '\u001b[A',
        '\u001b[1;5C',
        '\u001bO',
        '\u001b[200~',
        '\u001b[201~',
        '\r',
        '\u0003',
        '[',
        'b',
        ';',
      ),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        const joined = (keys: readonly Key[]) =>
          keys.map((key) => (key.type === 'text' ? key.text : JSON.stringify(key))).join('')
        const decoders = [new KeyDecoder(), new KeyDecoder()]
        const [whole, cut] = decoders.map((decoder, index) => {
          const pieces = index === 0 ? [text] : text.split('')
          return joined([
            ...pieces.flatMap((piece) => [...decoder.take(piece)]),
            ...decoder.flush(),
          ])
        })
        expect(cut).toBe(whole)
      }),
    )
  })
})
