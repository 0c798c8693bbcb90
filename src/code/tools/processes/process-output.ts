import { stripVTControlCharacters } from 'node:util'

/** Printed text, with the middle omitted if it was too long. */
export interface PrintedText {
  readonly text: string
  readonly droppedBytes: number
}

/** Collects what a process prints, keeping its beginning and its end. */
export interface BoundedOutput {
  add(chunk: Uint8Array): void
  /** Takes what arrived since the last call. */
  take(): PrintedText
  /** Bytes that arrived since the last call of `take`. */
  readonly sizeBytes: number
}

/** Keeps at most `maxBytes`, half of them from the beginning. */
export function createBoundedOutput(maxBytes: number): BoundedOutput {
  const half = Math.floor(maxBytes / 2)
  let [head, tail]: [Uint8Array[], Uint8Array[]] = [[], []]
  let [headBytes, tailBytes, sizeBytes] = [0, 0, 0]
  const addToTail = (chunk: Uint8Array) => {
    // A copy, so that the larger buffer can be freed.
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
  // The cut may be inside a character.
  const [start, end] = [
    first.toString('utf8').replace(/\ufffd{1,3}$/, ''),
    last.toString('utf8').replace(/^\ufffd{1,3}/, ''),
  ]
  return `${stripControls(start)}\n… (${droppedBytes} bytes left out) …\n${stripControls(end)}`
}

function stripControls(text: string): string {
  return stripVTControlCharacters(text)
}

/** Reports the last lines that a process printed, while it runs. */
interface OutputTail {
  add(chunk: Uint8Array): void
  /** Stops reporting. */
  close(): void
}

/** Each report is on the screen before the next follows. */
const intervalMs = 120
const maxCharacters = 4_000
const maxLines = 20

/**
 * Reports a line once it is complete or overwritten: in part of a line, no secret would be recognized.
 * @param tell receives the last lines, at most 20 with 4,000 characters
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
      // One character more than is reported: a line that is cut there is not complete.
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

/** The present content of a line that was overwritten with carriage returns. */
function findLastWritten(line: string): string {
  return line.split('\r').findLast((written) => written !== '') ?? ''
}
