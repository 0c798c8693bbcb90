import { stripVTControlCharacters } from 'node:util'

/** What was printed, the middle left out where it was too much. */
export interface PrintedText {
  readonly text: string
  readonly droppedBytes: number
}

/** Takes what a process prints, and keeps its beginning and its end. */
export interface BoundedOutput {
  add(chunk: Uint8Array): void
  /** What came since it was last taken. */
  take(): PrintedText
  /** Bytes that came since it was last taken. */
  readonly sizeBytes: number
}

/** Keeps that many bytes at most, half of them from the beginning. */
export function createBoundedOutput(maxBytes: number): BoundedOutput {
  const half = Math.floor(maxBytes / 2)
  let [head, tail]: [Uint8Array[], Uint8Array[]] = [[], []]
  let [headBytes, tailBytes, sizeBytes] = [0, 0, 0]
  const addToTail = (chunk: Uint8Array) => {
    // A copy, so that what is kept is not the whole of a larger buffer.
    const piece = chunk.length > half ? chunk.slice(-half) : chunk
    tail.push(piece)
    tailBytes += piece.length
    for (let first = tail[0]; first && tailBytes - first.length >= half; first = tail[0]) {
      tail.shift()
      tailBytes -= first.length
    }
  }
  return {
    add(chunk) {
      sizeBytes += chunk.length
      const toHead = chunk.subarray(0, half - headBytes)
      if (toHead.length > 0) head.push(toHead)
      headBytes += toHead.length
      if (toHead.length < chunk.length) addToTail(chunk.subarray(toHead.length))
    },
    take() {
      const [first, rest] = [Buffer.concat(head), Buffer.concat(tail)]
      const last = rest.subarray(Math.max(0, rest.length - half))
      const droppedBytes = sizeBytes - first.length - last.length
      head = []
      tail = []
      headBytes = tailBytes = sizeBytes = 0
      return { text: joined(first, last, droppedBytes), droppedBytes }
    },
    get sizeBytes() {
      return sizeBytes
    },
  }
}

function joined(first: Buffer, last: Buffer, droppedBytes: number): string {
  if (droppedBytes === 0) return plain(Buffer.concat([first, last]).toString('utf8'))
  // A cut may go through a character.
  const [start, end] = [
    first.toString('utf8').replace(/\ufffd{1,3}$/, ''),
    last.toString('utf8').replace(/^\ufffd{1,3}/, ''),
  ]
  return `${plain(start)}\n… (${droppedBytes} bytes left out) …\n${plain(end)}`
}

function plain(text: string): string {
  return stripVTControlCharacters(text)
}
