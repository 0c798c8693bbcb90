import type { Caption } from './captions.ts'

/** A line ends with a sentence after so long a time, and in any case after the longer one. */
const LINE_MS = 10_000
const LONGEST_LINE_MS = 30_000

/**
 * A transcript as lines of text that each begin with their time, `[1:05] …`, so that a passage of it names the minute.
 * Captions are shorter than sentences: they are joined until a sentence ends, between 10 and 30 seconds.
 */
export function transcriptText(captions: readonly Caption[]): string {
  const lines: { startMs: number; texts: string[] }[] = []
  for (const { startMs, text } of captions) {
    const line = lines.at(-1)
    const sinceMs = line === undefined ? 0 : startMs - line.startMs
    const isOver = sinceMs >= LINE_MS && /[.!?。！？…]["'”’)\]]?$/u.test(line?.texts.at(-1) ?? '')
    if (line === undefined || isOver || sinceMs >= LONGEST_LINE_MS) {
      lines.push({ startMs, texts: [text] })
    } else line.texts.push(text)
  }
  return lines.map(({ startMs, texts }) => `[${timeOf(startMs)}] ${texts.join(' ')}\n`).join('')
}

/** A time from the beginning of a video: `1:05`, or `2:01:05` from one hour on. */
export function timeOf(startMs: number): string {
  const seconds = Math.floor(startMs / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
}
