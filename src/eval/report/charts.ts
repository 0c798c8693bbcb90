import { escapeHtml } from '../../citations/markup/escape-html.ts'
import { countClaims, type EvalResult } from '../result.ts'
import type { Rate, SetSummary } from '../summary.ts'
import { formatPercent, formatRate } from './scores.ts'

interface Bar {
  readonly name: string
  readonly rate: number
  readonly interval?: Rate
}

const width = 720
const left = 130
const right = 660
const rowPx = 22

/** Renders the scores of each set as bars from 0 to 100 %, with the 95 % interval where there is one. */
export function renderScoreChart(sets: readonly SetSummary[]): string {
  const parts: string[] = []
  let y = 8
  for (const summary of sets) {
    parts.push(text(8, y + 15, `${summary.set} (${summary.questions})`, 'name'))
    y += rowPx
    for (const bar of renderBars(summary)) {
      parts.push(row(bar, y))
      y += rowPx
    }
    y += 8
  }
  const lines = [0, 0.25, 0.5, 0.75, 1].map((value) => gridLine(value, y))
  const label = 'Scores by question set, with intervals at 95 %'
  return `<svg viewBox="0 0 ${width} ${y + 24}" role="img" aria-label="${label}">${lines.join('')}${parts.join('')}</svg>`
}

function renderBars(summary: SetSummary): readonly Bar[] {
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
  const told = interval === undefined ? formatPercent(rate) : formatRate(interval)
  const middle = y + rowPx / 2 - 2
  const whisker =
    interval === undefined
      ? ''
      : `<path class="whisker" d="M${px(interval.low)} ${middle}H${px(interval.high)}M${px(interval.low)} ${middle - 4}v8M${px(interval.high)} ${middle - 4}v8"/>`
  const bar = `<rect class="bar" x="${left}" y="${y + 2}" width="${round(px(rate) - left)}" height="${rowPx - 8}"><title>${escapeHtml(`${name}: ${told}`)}</title></rect>`
  return `${text(left - 8, y + 14, name, 'end')}${bar}${whisker}${text(right + 8, y + 14, formatPercent(rate), 'value')}`
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

/** A scale from values to pixels. */
interface Scale {
  readonly ticks: readonly number[]
  place(value: number): number
}

/** A scale from 0 to a round number at or above `largest`, over some pixels. */
export function createScale(largest: number, fromPx: number, toPx: number): Scale {
  const step = roundStep((largest || 1) / 4)
  const count = Math.max(1, Math.ceil((largest || 1) / step - 1e-9))
  const top = step * count
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => step * index),
    place: (value) => fromPx + ((toPx - fromPx) * value) / top,
  }
}

/** The smallest of 1, 2 or 5 times a power of ten that is at least the value. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const times = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10
  return times * power
}

/** How many values are in each of `count` parts from 0 to `top`, inclusive at the end. */
export function countByPart(
  values: readonly number[],
  top: number,
  count: number,
): readonly number[] {
  const counts = Array<number>(count).fill(0)
  for (const value of values) {
    const part = Math.min(count - 1, Math.floor((value / top) * count))
    counts[part] = (counts[part] ?? 0) + 1
  }
  return counts
}

/** A number on an axis, with no more digits than needed. */
export function formatTick(value: number): string {
  return String(Number(value.toPrecision(6)))
}

/**
 * Renders F1 against the share of supported claims, for questions that have both. Questions at the same point are one
 * circle with an area proportional to their number.
 */
export function renderScatter(results: readonly EvalResult[]): string {
  const { left, right, top, bottom } = plotArea
  const across = createScale(1, left, right)
  const up = createScale(1, bottom, top)
  const places = new Map<string, { x: number; y: number; ids: string[] }>()
  for (const result of results) {
    const { supported, checked } = countClaims(result)
    if (result.scores.f1 === null || checked === 0) continue
    const [x, y] = [result.scores.f1, supported / checked]
    const key = `${x.toFixed(2)} ${y.toFixed(2)}`
    const place = places.get(key) ?? { x, y, ids: [] }
    place.ids.push(result.id)
    places.set(key, place)
  }
  const circles = [...places.values()].map(({ x, y, ids }) => {
    const radius = Math.min(20, 3 * Math.sqrt(ids.length))
    const named = ids.length > 5 ? `${ids.slice(0, 5).join(', ')} …` : ids.join(', ')
    const told = `F1 ${x.toFixed(2)}, supported ${y.toFixed(2)}: ${ids.length} (${named})`
    return `<circle class="dot" cx="${across.place(x).toFixed(1)}" cy="${up.place(y).toFixed(1)}" r="${radius.toFixed(1)}"><title>${escapeHtml(told)}</title></circle>`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1]
  return `<svg viewBox="0 0 ${plotSize.width} ${plotSize.height}" role="img" aria-label="F1 against supported claims">${axes(
    ticks.map((tick) => [across.place(tick), String(tick)]),
    ticks.map((tick) => [up.place(tick), String(tick)]),
    'F1',
    'claims supported',
  )}${circles.join('')}</svg>`
}

const histogramWidth = 350
const height = 220
const area = { left: 40, right: 335, top: 12, bottom: 175 }
const partCount = 20

/** Renders how many questions have a value (0 or more) in each twentieth of the axis. @param unit the label below the axis */
export function renderHistogram(values: readonly number[], unit: string): string {
  const across = createScale(Math.max(...values, 0), area.left, area.right)
  const top = across.ticks.at(-1) as number
  const counts = countByPart(values, top, partCount)
  const up = createScale(Math.max(...counts), area.bottom, area.top)
  const bars = counts.map((count, index) => {
    if (count === 0) return ''
    const [from, to] = [index, index + 1].map((part) => (top * part) / partCount) as [
      number,
      number,
    ]
    const x = across.place(from)
    const y = up.place(count)
    const told = escapeHtml(`${formatTick(from)} to ${formatTick(to)} ${unit}: ${count}`)
    return `<rect class="bar" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(across.place(to) - x - 1).toFixed(1)}" height="${(area.bottom - y).toFixed(1)}"><title>${told}</title></rect>`
  })
  const label = escapeHtml(`Questions by ${unit}`)
  return `<svg viewBox="0 0 ${histogramWidth} ${height}" role="img" aria-label="${label}">${axes(
    across.ticks.map((tick) => [across.place(tick), formatTick(tick)]),
    up.ticks.filter(Number.isInteger).map((tick) => [up.place(tick), formatTick(tick)]),
    unit,
    'questions',
  )}${bars.join('')}</svg>`
}

type Tick = readonly [place: number, words: string]

/** The two axes of a small chart with their ticks and names. */
function axes(
  across: readonly Tick[],
  up: readonly Tick[],
  acrossName: string,
  upName: string,
): string {
  const { left, right, top, bottom } = area
  const ticks = across.map(
    ([x, words]) =>
      `<text class="tick" x="${x.toFixed(1)}" y="${bottom + 15}">${escapeHtml(words)}</text>`,
  )
  const lines = up.map(
    ([y, words]) =>
      `<path class="grid" d="M${left} ${y.toFixed(1)}H${right}"/><text class="end" x="${left - 5}" y="${(y + 4).toFixed(1)}">${escapeHtml(words)}</text>`,
  )
  const middle = (left + right) / 2
  return `${lines.join('')}${ticks.join('')}<text class="tick" x="${middle}" y="${bottom + 34}">${escapeHtml(acrossName)}</text><text x="4" y="${top - 3}">${escapeHtml(upName)}</text>`
}

/** The drawing area within a small chart, in pixels. */
const plotArea = area
/** The size of a small chart, in pixels. */
const plotSize = { width: histogramWidth, height }
