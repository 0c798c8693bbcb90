/**
 * A key as it was pressed, or text that was typed or pasted. Names: `enter`, `tab`, `escape`, `backspace`, `delete`, `left`, `right`,
 * `up`, `down`, `home`, `end`, `pageup`, `pagedown`, and letters behind `ctrl+` or `alt+`; `shift+`, `alt+` and `ctrl+` stand before
 * a name in this order.
 */
export type Key =
  | { readonly type: 'key'; readonly name: string }
  | { readonly type: 'text' | 'paste'; readonly text: string }

const escapeCharacter = '\u001b'
const pasteEnd = `${escapeCharacter}[201~`
/** Longer pastes are cut: no model takes more. */
const maxPasteLength = 2_000_000

/**
 * Decodes keys from a terminal's input, in pieces of any size.
 *
 * @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 * @see https://sw.kovidgoyal.net/kitty/keyboard-protocol/ (keys that end in `u`)
 */
export class KeyDecoder {
  private rest = ''
  private pasted: string | undefined

  /** Whether an incomplete sequence is pending: an escape character or a paste. */
  get isWaiting(): boolean {
    return this.rest !== '' || this.pasted !== undefined
  }

  /** Whether a paste has begun. */
  get isPasting(): boolean {
    return this.pasted !== undefined
  }

  /** The keys that a piece of input completes. */
  take(piece: string): readonly Key[] {
    this.rest += piece
    const keys: Key[] = []
    for (;;) {
      const key = this.pasted === undefined ? this.next() : this.nextPasted()
      if (key === 'wait') return keys
      if (key !== undefined) keys.push(key)
    }
  }

  /** The pending input as keys, when nothing more has come. */
  flush(): readonly Key[] {
    if (this.pasted !== undefined) return this.take(pasteEnd)
    const isTwice = this.rest.startsWith(escapeCharacter + escapeCharacter)
    const last = isTwice ? this.rest.slice(1) : this.rest
    this.rest = ''
    const first = isTwice ? [keyNamed('escape')] : []
    if (last === escapeCharacter) return [...first, keyNamed('escape')]
    return /^.[[O]$/.test(last) ? [...first, keyNamed(`alt+${last[1]}`)] : first
  }

  private nextPasted(): Key | 'wait' {
    const end = this.rest.indexOf(pasteEnd)
    const isOver = end >= 0
    const taken = isOver ? end : Math.max(0, this.rest.length - pasteEnd.length)
    const text = `${this.pasted}${this.rest.slice(0, taken)}`.slice(0, maxPasteLength)
    this.rest = this.rest.slice(isOver ? taken + pasteEnd.length : taken)
    this.pasted = isOver ? undefined : text
    return isOver ? { type: 'paste', text } : 'wait'
  }

  private next(): Key | undefined | 'wait' {
    const { rest } = this
    if (rest === '') return 'wait'
    if (rest.startsWith(escapeCharacter)) return this.nextEscaped()
    const text = textRun.exec(rest)?.[0] ?? ''
    if (text === '') {
      // The first half of a surrogate pair.
      if (rest.length === 1 && /[\ud800-\udbff]/.test(rest)) return 'wait'
      this.rest = rest.slice(1)
      return controlKey(rest[0] as string)
    }
    this.rest = rest.slice(text.length)
    return { type: 'text', text }
  }

  private nextEscaped(): Key | undefined | 'wait' {
    const { rest } = this
    const isAlt = altSequence.test(rest)
    const from = isAlt ? 1 : 0
    const found = sequence.exec(rest.slice(from))
    if (found !== null) {
      this.rest = rest.slice(from + found[0].length)
      const key = sequenceKey(found[0])
      if (key === 'paste') this.pasted = ''
      if (key === undefined || key === 'paste') return undefined
      return keyNamed(isAlt ? `alt+${key.replace('alt+', '')}` : key)
    }
    const isTwice = rest === escapeCharacter + escapeCharacter
    if (isTwice || begunSequence.test(rest.slice(from))) return 'wait'
    if (rest.length > 1 && rest[1] === escapeCharacter) {
      this.rest = rest.slice(1)
      return keyNamed('escape')
    }
    return this.nextAlt()
  }

  /** Alt with a key is sent as an escape character and the key. */
  private nextAlt(): Key | undefined | 'wait' {
    const character = String.fromCodePoint(this.rest.codePointAt(1) as number)
    if (/^[\ud800-\udbff]$/.test(character)) return 'wait'
    this.rest = this.rest.slice(1 + character.length)
    const control = controlKey(character)
    if (control?.type === 'key') return keyNamed(`alt+${control.name}`)
    return keyNamed(`alt+${character}`)
  }
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys are sent as control characters
/** Characters that stand for themselves. */
const textRun = /^(?:[^\u0000-\u001f\u007f-\u009f\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])+/
/** A complete sequence: a key, or a report of the terminal, which is skipped. */
const sequence =
  /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|P[^\u001b]*\u001b\\)/
/** How some terminals send a key with Alt. */
const altSequence = /^\u001b\u001b[[O]/
const begunSequence = /^\u001b(?:\[[0-?]*[ -/]*|O|\][^\u0007\u001b]*\u001b?|P[^\u001b]*\u001b?)?$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

const letters: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
}

const numbers: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
}

function keyNamed(name: string): Key {
  return { type: 'key', name }
}

/** The name of a sequence's key; `undefined` for any other sequence. */
function sequenceKey(text: string): string | undefined {
  const last = text.at(-1) as string
  const [first = '', modifier = '', third = ''] = text.slice(2, -1).split(';')
  if (text[1] === 'O') return letters[last]
  if (text[1] !== '[') return undefined
  if (last === 'Z') return 'shift+tab'
  if (last in letters) return withModifiers(letters[last], modifier)
  if (last === 'u') return withModifiers(codeName(first), modifier)
  if (last !== '~') return undefined
  if (first === '200') return 'paste'
  return first === '27'
    ? withModifiers(codeName(third), modifier)
    : withModifiers(numbers[first], modifier)
}

function codeName(code: string): string | undefined {
  const number = Number.parseInt(code, 10)
  const named: Readonly<Record<number, string>> = {
    9: 'tab',
    13: 'enter',
    27: 'escape',
    127: 'backspace',
  }
  return named[number] ?? (number > 32 && number < 127 ? String.fromCharCode(number) : undefined)
}

function withModifiers(name: string | undefined, modifier: string): string | undefined {
  if (name === undefined) return undefined
  const bits = Math.max(0, (Number.parseInt(modifier, 10) || 1) - 1)
  const parts = [bits & 1 ? 'shift+' : '', bits & 2 ? 'alt+' : '', bits & 4 ? 'ctrl+' : '']
  return `${parts.join('')}${name}`
}

/** The key of a control character; other characters have none here. */
function controlKey(character: string): Key | undefined {
  const code = character.charCodeAt(0)
  if (code === 13) return keyNamed('enter')
  if (code === 9) return keyNamed('tab')
  if (code === 127 || code === 8) return keyNamed('backspace')
  if (code === 31) return keyNamed('ctrl+_')
  if (code >= 1 && code <= 26) return keyNamed(`ctrl+${String.fromCharCode(code + 96)}`)
  return undefined
}
