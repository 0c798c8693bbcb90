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
      return { text: joinEnds(first, last, droppedBytes), droppedBytes }
    },
    get sizeBytes() {
      return sizeBytes
    },
  }
}

function joinEnds(first: Buffer, last: Buffer, droppedBytes: number): string {
  if (droppedBytes === 0) return stripControls(Buffer.concat([first, last]).toString('utf8'))
  // A cut may go through a character.
  const [start, end] = [
    first.toString('utf8').replace(/\ufffd{1,3}$/, ''),
    last.toString('utf8').replace(/^\ufffd{1,3}/, ''),
  ]
  return `${stripControls(start)}\n… (${droppedBytes} bytes left out) …\n${stripControls(end)}`
}

function stripControls(text: string): string {
  return stripVTControlCharacters(text)
}

/** Tells what a process printed last, while it prints it. */
interface OutputTail {
  add(chunk: Uint8Array): void
  /** Tells no more. */
  close(): void
}

/** What was told is on a screen before the next follows. */
const intervalMs = 120
const maxCharacters = 4_000
const maxLines = 20

/**
 * A line is told when it is whole or is written over: in a part of one no secret would be recognized.
 * @param tell hears the last lines of what came, at most 20 with 4,000 characters
 */
export function createOutputTail(tell: (lines: string) => void): OutputTail {
  const decoder = new TextDecoder()
  let [text, told] = ['', '']
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const tellNews = () => {
    timer = undefined
    const lines = findLastLines(text)
    if (lines !== told) tell(lines)
    told = lines
  }
  return {
    add(chunk) {
      const longer = text + decoder.decode(chunk, { stream: true })
      // One more than is told: what is cut there is no whole line.
      text = longer.slice(-maxCharacters - 1)
      if (!isClosed) timer ??= setTimeout(tellNews, intervalMs)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

function findLastLines(text: string): string {
  const isCut = text.length > maxCharacters
  const start = isCut ? text.search(/[\r\n]|$/) + 1 : 0
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  const lines = text.slice(start, end).trimEnd().split('\n').slice(-maxLines)
  return stripVTControlCharacters(lines.map(findLastWritten).join('\n'))
}

/** Of a line that was written over what it is now. */
function findLastWritten(line: string): string {
  return line.split('\r').findLast((written) => written !== '') ?? ''
}
