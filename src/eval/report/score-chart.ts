import { escapeHtml } from '../../citations/markup/escape-html.ts'
import type { Rate } from '../statistics.ts'
import type { SetSummary } from '../summary.ts'
import { percent, rateText } from './figures.ts'

interface Bar {
  readonly name: string
  readonly rate: number
  readonly interval?: Rate
}

const width = 720
const left = 130
const right = 660
const rowPx = 22

/** The scores of each set as bars from 0 to 100 %, with a line for the interval at 95 % where there is one. */
export function scoreChart(sets: readonly SetSummary[]): string {
  const parts: string[] = []
  let y = 8
  for (const summary of sets) {
    parts.push(text(8, y + 15, `${summary.set} (${summary.questions})`, 'name'))
    y += rowPx
    for (const bar of barsOf(summary)) {
      parts.push(row(bar, y))
      y += rowPx
    }
    y += 8
  }
  const lines = [0, 0.25, 0.5, 0.75, 1].map((value) => gridLine(value, y))
  const label = 'Scores by question set, with intervals at 95 %'
  return `<svg viewBox="0 0 ${width} ${y + 24}" role="img" aria-label="${label}">${lines.join('')}${parts.join('')}</svg>`
}

function barsOf(summary: SetSummary): readonly Bar[] {
  const { answered, exactMatch, gaia, label, f1, support, coverage } = summary
  const rates: readonly (readonly [string, Rate | null])[] = [
    ['answered', answered],
    ['exact match', exactMatch],
    ['GAIA', gaia],
    ['label', label],
    ['claims supported', support],
    ['claims checked', coverage],
  ]
  const bars = rates.flatMap(([name, interval]): readonly Bar[] =>
    interval === null ? [] : [{ name, rate: interval.rate, interval }],
  )
  return f1 === null ? bars : [...bars, { name: 'F1 (mean)', rate: f1 }]
}

function row({ name, rate, interval }: Bar, y: number): string {
  const told = interval === undefined ? percent(rate) : rateText(interval)
  const middle = y + rowPx / 2 - 2
  const whisker =
    interval === undefined
      ? ''
      : `<path class="whisker" d="M${px(interval.low)} ${middle}H${px(interval.high)}M${px(interval.low)} ${middle - 4}v8M${px(interval.high)} ${middle - 4}v8"/>`
  const bar = `<rect class="bar" x="${left}" y="${y + 2}" width="${round(px(rate) - left)}" height="${rowPx - 8}"><title>${escapeHtml(`${name}: ${told}`)}</title></rect>`
  return `${text(left - 8, y + 14, name, 'end')}${bar}${whisker}${text(right + 8, y + 14, percent(rate), 'value')}`
}

function gridLine(value: number, bottom: number): string {
  return `<path class="grid" d="M${px(value)} 8V${bottom}"/>${text(px(value), bottom + 16, `${value * 100}`, 'tick')}`
}

function text(x: number, y: number, words: string, kind: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escapeHtml(words)}</text>`
}

function px(rate: number): number {
  return round(left + (right - left) * rate)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
