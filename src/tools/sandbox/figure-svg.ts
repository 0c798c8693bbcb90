import { cutText } from '../../kernel/text/cut-text.ts'
import type { FigureData } from './child-lines.ts'

const width = 640
const height = 400
const leftEdge = 70
const rightEdge = 20
const topEdge = 36
const bottomEdge = 56
const ink = '#333'
const color = '#2563ab'
const maxLabelCharacters = 12

/** A figure as a self-contained SVG: axes with round numbers, escaped texts, no scripts, links or styles. */
export function figureSvg(figure: FigureData): string {
  const [x, y] = [horizontalAxis(figure), verticalAxis(figure)]
  const body = [
    ...y.ticks.map((tick) => horizontalLine(y.at(tick), number(tick))),
    ...xLabels(figure, x),
    ...marks(figure, x, y),
    text(width / 2, 22, figure.title, 'font-size="15"'),
    text((leftEdge + width - rightEdge) / 2, height - 12, figure.xLabel),
    text(
      0,
      0,
      figure.yLabel,
      `transform="translate(16 ${(topEdge + height - bottomEdge) / 2}) rotate(-90)"`,
    ),
  ]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="sans-serif" font-size="12" fill="${ink}">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...body,
    '</svg>',
  ].join('')
}

interface Axis {
  readonly ticks: readonly number[]
  /** The position of a value in the picture. */
  at(value: number): number
}

function horizontalAxis({ xs, ys }: FigureData): Axis {
  const values = xs ?? [-0.5, ys.length - 0.5]
  return axis(extent(values), leftEdge, width - rightEdge)
}

function verticalAxis({ kind, ys }: FigureData): Axis {
  const range = extent(kind === 'bar' || kind === 'hist' ? [0, ...ys] : ys)
  const room = (range.high - range.low) * 0.05
  const low = range.low === 0 ? 0 : range.low - room
  return axis({ low, high: range.high === 0 ? 0 : range.high + room }, height - bottomEdge, topEdge)
}

/** The range of values; widened around a single value. */
function extent(values: readonly number[]): { low: number; high: number } {
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (low < high) return { low, high }
  const room = Math.abs(low) / 2 || 1
  return { low: low - room, high: high + room }
}

function axis({ low, high }: { low: number; high: number }, from: number, to: number): Axis {
  return {
    ticks: roundTicks(low, high),
    at: (value) => from + ((value - low) / (high - low)) * (to - from),
  }
}

/** Up to nine round numbers in a range: steps of 1, 2 or 5 times a power of ten. */
function roundTicks(low: number, high: number): readonly number[] {
  const rough = (high - low) / 8
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power
  const first = Math.ceil(low / step)
  const count = Math.floor(high / step) - first + 1
  if (!Number.isFinite(count) || !(count > 0)) return [low, high]
  return Array.from({ length: Math.min(count, 12) }, (_, index) => (first + index) * step)
}

function marks({ kind, xs, ys }: FigureData, x: Axis, y: Axis): readonly string[] {
  const places = xs ?? ys.map((_, index) => index)
  if (kind === 'line') {
    const points = ys.map(
      (value, index) => `${place(x.at(places[index] as number))},${place(y.at(value))}`,
    )
    return [
      `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ]
  }
  if (kind === 'scatter') {
    return ys.map((value, index) => {
      const center = `cx="${place(x.at(places[index] as number))}" cy="${place(y.at(value))}"`
      return `<circle ${center} r="3" fill="${color}"/>`
    })
  }
  return ys.map((value, index) => {
    const isBar = kind === 'bar'
    const left = x.at(isBar ? index - 0.4 : (places[index] as number))
    const right = x.at(isBar ? index + 0.4 : (places[index + 1] as number))
    const [top, bottom] = [y.at(Math.max(value, 0)), y.at(Math.min(value, 0))]
    const size = `width="${place(right - left)}" height="${place(bottom - top)}"`
    return `<rect x="${place(left)}" y="${place(top)}" ${size} fill="${color}" stroke="#fff"/>`
  })
}

function xLabels({ labels, ys }: FigureData, x: Axis): readonly string[] {
  const below = height - bottomEdge + 18
  if (labels === undefined) return x.ticks.map((tick) => text(x.at(tick), below, number(tick)))
  const step = Math.ceil(ys.length / 10)
  return labels.flatMap((label, index) => {
    if (index % step !== 0) return []
    return [text(x.at(index), below, cutText(label, maxLabelCharacters))]
  })
}

function horizontalLine(y: number, label: string): string {
  const line = `<path d="M${leftEdge} ${place(y)}H${width - rightEdge}" stroke="#ddd"/>`
  return `${line}${text(leftEdge - 8, y + 4, label, 'text-anchor="end"')}`
}

function text(x: number, y: number, content: string, attributes = ''): string {
  if (content === '') return ''
  const anchor = attributes.includes('text-anchor') ? '' : ' text-anchor="middle"'
  const more = attributes === '' ? '' : ` ${attributes}`
  return `<text x="${place(x)}" y="${place(y)}"${anchor}${more}>${escaped(content)}</text>`
}

function place(value: number): number {
  return Math.round(value * 10) / 10
}

function number(value: number): string {
  return String(Number(value.toPrecision(6)))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** Escapes text for XML, without characters XML does not allow. */
function escaped(content: string): string {
  return content
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/[&<>"]/g, (character) => entities[character] as string)
}
