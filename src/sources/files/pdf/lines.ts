/** A run of text as drawn, in points; x runs along the baseline, y upwards from it. */
export interface TextRun {
  readonly text: string
  /** Left end of the baseline. */
  readonly x: number
  readonly y: number
  readonly width: number
  /** Font size in points. */
  readonly size: number
  readonly font: string
  readonly rightToLeft: boolean
  /** Writing direction: equal for runs with the same axes. */
  readonly direction: string
}

/** Text on one baseline without wide gaps. */
export interface PdfLine {
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly y: number
  /** Size and font of most of its characters. */
  readonly size: number
  readonly font: string
  /** On the same baseline as the previous line, to its right: the next cell of a row. */
  readonly continuesRow: boolean
  /** In another direction than most of the page: a margin stamp. */
  readonly tilted: boolean
}

/** A wider gap, in font sizes, separates cells and columns; words of justified text are closer. */
const cellGapEm = 0.95
/** A wider gap, in font sizes, is a space even if none is drawn. */
const spaceGapEm = 0.18
/** Text shifted by up to this many font sizes still belongs to its line. */
const scriptShiftEm = 0.5
/** Text smaller than this share of its line's size is a superscript or subscript. */
const scriptSize = 0.85

/** Groups a page's runs into lines, in drawing order. */
export function groupLines(runs: readonly TextRun[]): PdfLine[] {
  const direction = dominantDirection(runs)
  const lines: PdfLine[] = []
  let open: OpenLine | undefined
  let hasSpaceBefore = false
  for (const run of runs) {
    if (run.text.trim() === '') {
      hasSpaceBefore ||= run.text !== ''
      continue
    }
    const tilted = run.direction !== direction
    if (open !== undefined && isDrawnTwice(open, run)) continue
    const place: RunPlacement =
      open === undefined || open.last.direction !== run.direction ? 'new' : placeAfter(open, run)
    if (open !== undefined && place === 'same') {
      append(open, run, hasSpaceBefore)
    } else {
      if (open !== undefined) lines.push(closeLine(open))
      open = openLine(run, tilted, place === 'cell')
    }
    hasSpaceBefore = false
  }
  if (open !== undefined) lines.push(closeLine(open))
  return lines
}

type RunPlacement = 'same' | 'cell' | 'new'

interface OpenLine {
  readonly runs: TextRun[]
  text: string
  x0: number
  x1: number
  /** The largest run, which determines baseline and size. */
  main: TextRun
  last: TextRun
  readonly tilted: boolean
  readonly continuesRow: boolean
}

function openLine(run: TextRun, tilted: boolean, continuesRow: boolean): OpenLine {
  const line = {
    runs: [run],
    text: run.text,
    x0: run.x,
    x1: run.x + run.width,
    main: run,
    last: run,
  }
  return { ...line, tilted, continuesRow }
}

function append(line: OpenLine, run: TextRun, hasSpaceBefore: boolean): void {
  const gap = gapBetween(line.last, run)
  const leadingMark = line.runs.length === 1 ? toSuperscripts(line.main, run) : undefined
  if (leadingMark !== undefined) line.text = `${leadingMark} `
  const raised = toSuperscripts(run, line.main)
  const touches = /\s$/.test(line.text) || /^\s/.test(run.text)
  const isApart = hasSpaceBefore || gap > spaceGapEm * Math.max(line.last.size, run.size)
  const isNoteMark = raised !== undefined && /\p{L}{4}$/u.test(line.text)
  line.text += (!touches && (isApart || isNoteMark) ? ' ' : '') + (raised ?? run.text)
  line.x0 = Math.min(line.x0, run.x)
  line.x1 = Math.max(line.x1, run.x + run.width)
  if (run.size > line.main.size * 1.02) line.main = run
  line.last = run
  line.runs.push(run)
}

function closeLine(line: OpenLine): PdfLine {
  const { x0, x1, continuesRow, tilted } = line
  const { size, font } = mostUsedStyle(line.runs)
  const text = isPlain.test(line.text)
    ? line.text
    : composeAccents(line.text).replace(/\s+/g, ' ').trim()
  return { text, x0, x1, y: line.main.y, size, font, continuesRow, tilted }
}

function placeAfter(line: OpenLine, run: TextRun): RunPlacement {
  const size = Math.max(line.main.size, run.size)
  const shift = Math.min(Math.abs(run.y - line.main.y), Math.abs(run.y - line.last.y))
  const gap = gapBetween(line.last, run)
  if (shift > scriptShiftEm * size || gap < -0.6 * size) return 'new'
  const isLevel = shift <= 0.15 * size
  if (gap <= cellGapEm * size) return isLevel || gap > -0.3 * size ? 'same' : 'new'
  return isLevel ? 'cell' : 'new'
}

function gapBetween(last: TextRun, run: TextRun): number {
  return run.rightToLeft && last.rightToLeft
    ? last.x - (run.x + run.width)
    : run.x - (last.x + last.width)
}

/** Some producers make text bold by drawing it twice, slightly shifted. */
function isDrawnTwice(line: OpenLine, run: TextRun): boolean {
  const { last } = line
  const near = 0.1 * run.size
  return (
    last.text === run.text && Math.abs(last.x - run.x) < near && Math.abs(last.y - run.y) < near
  )
}

/** Raised digits as superscripts, so that 10 to the 23rd does not become 1,023, nor a note's mark part of a word. */
function toSuperscripts(run: TextRun, neighbour: TextRun): string | undefined {
  const isRaised =
    run.size < scriptSize * neighbour.size && run.y - neighbour.y > 0.15 * neighbour.size
  if (!isRaised || !/^[+\-−–]?[\d,–]*\d$/.test(run.text)) return undefined
  const signed = run.text.replace(/^\+/, '⁺').replace(/^[-−–]/, '⁻')
  return signed.replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] as string)
}

/** Text without accents, and without spaces to remove. */
const isPlain = /^[!-~]+(?: [!-~]+)*$/

/** Accents that older TeX fonts draw as separate characters before the letter, with their combining forms. */
const accents: Readonly<Record<string, string>> = {
  '´': '\u0301',
  '¨': '\u0308',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030c',
  '˚': '\u030a',
}

function composeAccents(text: string): string {
  return text.replace(/([´¨ˆ˜ˇ˚]) ?(\p{L})/gu, (drawn, accent: string, letter: string) => {
    const base = letter === 'ı' ? 'i' : letter
    const composed = (base + (accents[accent] ?? '')).normalize('NFC')
    return composed.length === 1 ? composed : drawn
  })
}

function dominantDirection(runs: readonly TextRun[]): string | undefined {
  const characters = new Map<string, number>()
  for (const { direction, text } of runs) {
    characters.set(direction, (characters.get(direction) ?? 0) + text.length)
  }
  const [first, ...others] = characters
  return others.reduce((most, entry) => (entry[1] > (most?.[1] ?? 0) ? entry : most), first)?.[0]
}

function mostUsedStyle(runs: readonly TextRun[]): { size: number; font: string } {
  const [only] = runs
  if (runs.length === 1 && only !== undefined) return only
  const counts: { size: number; font: string; characters: number }[] = []
  for (const { size, font, text } of runs) {
    const known = counts.find((one) => one.font === font && toTenths(one.size) === toTenths(size))
    if (known === undefined) counts.push({ size, font, characters: text.length })
    else known.characters += text.length
  }
  return counts.reduce((best, style) => (style.characters > best.characters ? style : best))
}

function toTenths(size: number): number {
  return Math.round(10 * size)
}
