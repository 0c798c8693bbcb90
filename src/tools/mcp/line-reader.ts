import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** A line of bytes, or the ends of one that is too long. */
export type InputLine =
  | { readonly text: string }
  | { readonly head: string; readonly tail: string; readonly sizeBytes: number }

const keptBytes = 256

/** Splits bytes into lines and never holds more than the maximum line. */
export class LineReader {
  private readonly maxLineBytes: number
  private parts: Buffer[] = []
  private held = 0
  private tooLong: { head: string; tail: Buffer; sizeBytes: number } | undefined

  constructor(maxLineBytes: number) {
    this.maxLineBytes = maxLineBytes
  }

  /** The lines that end in these bytes. */
  push(chunk: Buffer): readonly InputLine[] {
    const lines: InputLine[] = []
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.hold(chunk.subarray(from, end))
      lines.push(this.take())
      from = end + 1
    }
    this.hold(chunk.subarray(from))
    return lines
  }

  private hold(bytes: Buffer): void {
    if (bytes.length === 0) return
    if (this.tooLong !== undefined) {
      this.tooLong.sizeBytes += bytes.length
      this.tooLong.tail = lastBytes(Buffer.concat([this.tooLong.tail, lastBytes(bytes)]))
      return
    }
    this.parts.push(bytes)
    this.held += bytes.length
    if (this.held <= this.maxLineBytes) return
    const all = Buffer.concat(this.parts)
    // A slice would keep the whole buffer alive.
    const head = all.toString('utf8', 0, keptBytes)
    this.tooLong = { head, tail: Buffer.from(lastBytes(all)), sizeBytes: this.held }
    this.parts = []
    this.held = 0
  }

  private take(): InputLine {
    const { tooLong, parts } = this
    this.tooLong = undefined
    this.parts = []
    this.held = 0
    if (tooLong === undefined) return { text: Buffer.concat(parts).toString('utf8').trim() }
    return { ...tooLong, tail: tooLong.tail.toString('utf8') }
  }
}

function lastBytes(bytes: Buffer): Buffer {
  return bytes.subarray(Math.max(0, bytes.length - keptBytes))
}

/** Maximum size of a server's message. */
export const maxMessageBytes = 10 * 1024 * 1024

/** The error reported for a response too large to read, with the id found at its start or end. */
export function describeLargeAnswer(ends: string, sizeBytes: number): JSONRPCMessage | undefined {
  const [head = '', tail = ''] = ends.split('\n')
  const id =
    /"id"\s*:\s*(\d+)[^{}[\]]*\}\s*$/.exec(tail)?.[1] ??
    /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+)/.exec(head)?.[1]
  return id === undefined ? undefined : tooLargeError(Number(id), sizeBytes)
}

/** The error for a response of at least `sizeBytes` bytes. */
export function tooLargeError(id: string | number, sizeBytes: number): JSONRPCMessage {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  const message = `The response is too large: ${megabytes(sizeBytes)} MB or more; the maximum is ${megabytes(maxMessageBytes)} MB.`
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } }
}
