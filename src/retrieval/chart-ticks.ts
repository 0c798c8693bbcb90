import type { TextSpan } from '../claims/language/sentences.ts'

/** A line of a text with its offsets, and what it may be in a chart. */
interface Line extends TextSpan {
  readonly kind: 'numbers' | 'label' | 'blank' | 'other'
  readonly numbers: readonly number[]
}

/** Numbers of a chart at least, and the share of them that must be evenly spaced. */
const minNumbers = 6
const minEvenShare = 0.6
const maxLabelWords = 4

/**
 * The parts of a text that are ticks of charts, as PDFs give them: numbers on lines of their own, most of them evenly spaced, with
 * short labels between. Each begins and ends with such numbers. Cells of tables are not evenly spaced.
 */
export function findChartTicks(text: string, start: number, end: number): readonly TextSpan[] {
  const spans: TextSpan[] = []
  let run: Line[] = []
  const close = (): void => {
    const first = run.findIndex(({ kind }) => kind === 'numbers')
    const last = run.findLastIndex(({ kind }) => kind === 'numbers')
    const lines = first < 0 ? [] : run.slice(first, last + 1)
    if (isEvenlySpaced(lines.flatMap(({ numbers }) => numbers)))
      spans.push({ start: (run[first] as Line).start, end: (run[last] as Line).end })
    run = []
  }
  for (const line of readLines(text, start, end)) {
    if (line.kind === 'other') close()
    else run.push(line)
  }
  close()
  return spans
}

/** Whether a text is nothing but ticks of charts. */
export function isChartTicks(text: string): boolean {
  const [span] = findChartTicks(text, 0, text.length)
  return span !== undefined && span.start === 0 && span.end === text.length
}

function readLines(text: string, start: number, end: number): readonly Line[] {
  const lines: Line[] = []
  for (let at = start; at < end; ) {
    const next = text.indexOf('\n', at)
    const stop = next < 0 || next > end ? end : next
    lines.push({ start: at, end: stop, ...readLine(text.slice(at, stop)) })
    at = stop + 1
  }
  return lines
}

function readLine(line: string): Pick<Line, 'kind' | 'numbers'> {
  const words = line.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return { kind: 'blank', numbers: [] }
  const numbers = words.flatMap((word) =>
    tick.test(word) ? [Number.parseFloat(word.replaceAll(',', ''))] : [],
  )
  const others = words.length - numbers.length
  if (numbers.length > 0 && others === 0) return { kind: 'numbers', numbers }
  if (numbers.length >= 2 && others <= maxLabelWords && countEven(numbers) === numbers.length)
    return { kind: 'numbers', numbers }
  const isLabel = words.length <= maxLabelWords && numbers.length < 2 && !/[.!?]$/.test(line.trim())
  return { kind: isLabel ? 'label' : 'other', numbers: [] }
}

const tick = /^[-−]?\d[\d,]*(?:\.\d+)?[%k]?$/

function isEvenlySpaced(numbers: readonly number[]): boolean {
  return numbers.length >= minNumbers && countEven(numbers) >= numbers.length * minEvenShare
}

/** How many numbers are in a run of three or more with the same difference, or are one of only two. */
function countEven(numbers: readonly number[]): number {
  if (numbers.length === 2) return numbers[0] === numbers[1] ? 0 : 2
  const isEven = numbers.map(() => false)
  for (let index = 2; index < numbers.length; index++) {
    const [one = 0, two = 0, three = 0] = numbers.slice(index - 2, index + 1)
    const difference = two - one
    if (difference === 0 || Math.abs(three - two - difference) > Math.abs(difference) * 1e-6)
      continue
    isEven.fill(true, index - 2, index + 1)
  }
  return isEven.filter(Boolean).length
}
