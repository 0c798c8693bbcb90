import { stripVTControlCharacters } from 'node:util'

/** Tells what a process printed last, while it prints it. */
export interface OutputTail {
  add(chunk: Uint8Array): void
  /** Tells no more. */
  close(): void
}

/** What was told is on a screen before the next follows. */
const everyMs = 120
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
    const lines = lastLines(text)
    if (lines !== told) tell(lines)
    told = lines
  }
  return {
    add(chunk) {
      const longer = text + decoder.decode(chunk, { stream: true })
      // One more than is told: what is cut there is no whole line.
      text = longer.slice(-maxCharacters - 1)
      if (!isClosed) timer ??= setTimeout(tellNews, everyMs)
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

function lastLines(text: string): string {
  const isCut = text.length > maxCharacters
  const start = isCut ? text.search(/[\r\n]|$/) + 1 : 0
  const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  const lines = text.slice(start, end).trimEnd().split('\n').slice(-maxLines)
  return stripVTControlCharacters(lines.map(lastWritten).join('\n'))
}

/** Of a line that was written over what it is now. */
function lastWritten(line: string): string {
  return line.split('\r').findLast((written) => written !== '') ?? ''
}
