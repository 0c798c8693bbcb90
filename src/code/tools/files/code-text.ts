import { sha256 } from '../../../kernel/json.ts'

/** A line of a file. */
export interface CodeLine {
  readonly text: string
  /** Offsets in the text: of the line's start, and of its line end. */
  readonly start: number
  readonly end: number
  /** `\n`, `\r\n`, or nothing at the end of the file. */
  readonly lineEnd: string
}

/** Text that can be edited without changing its other bytes. */
export interface CodeText {
  /** `\ufeff` or nothing. */
  readonly byteOrderMark: string
  readonly text: string
}

/** Why bytes cannot be edited as text. */
export type NotText = 'binary' | 'encoding'

/** Decodes bytes as UTF-8, or says why that is impossible. */
export function readCodeText(bytes: Uint8Array): CodeText | NotText {
  if (bytes.includes(0)) return 'binary'
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const isMarked = text.startsWith('\ufeff')
    return { byteOrderMark: isMarked ? '\ufeff' : '', text: isMarked ? text.slice(1) : text }
  } catch {
    return 'encoding'
  }
}

/** Splits a text into lines. A line end at the end of the file starts no further line. */
export function splitLines(text: string): readonly CodeLine[] {
  const lines: CodeLine[] = []
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start)
    const next = at === -1 ? text.length : at + 1
    const hasReturn = at > start && text[at - 1] === '\r'
    const end = at === -1 ? text.length : hasReturn ? at - 1 : at
    lines.push({ text: text.slice(start, end), start, end, lineEnd: text.slice(end, next) })
    start = next
  }
  return lines
}

/** The line end that most lines have. */
export function findUsualLineEnd(text: string): '\n' | '\r\n' {
  const ends = text.split('\n').length - 1
  return (text.split('\r\n').length - 1) * 2 > ends ? '\r\n' : '\n'
}

const hashDigits = 4

/** Four hex digits that reveal whether a line has changed since it was read. */
export function lineHash(text: string): string {
  return sha256(text).slice(0, hashDigits)
}

const maxLineCharacters = 2_000

/** A line as models see it: `12:9af3|text`, its number, its hash, and its text, a long one cut. */
export function formatLine(number: number, text: string): string {
  const isLong = text.length > maxLineCharacters
  const cut = isLong
    ? `${text.slice(0, maxLineCharacters).toWellFormed()}… (${text.length - maxLineCharacters} more characters)`
    : text
  return `${number}:${lineHash(text)}|${cut}`
}
