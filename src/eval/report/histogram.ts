import { escapeHtml } from '../../citations/markup/escape-html.ts'
import { countsByPart, scaleTo, tickText } from './axis.ts'

const width = 350
const height = 220
const area = { left: 40, right: 335, top: 12, bottom: 175 }
const partCount = 20

/** How many questions have a value (0 or more) in each twentieth of the axis. @param unit stands below the axis */
export function histogram(values: readonly number[], unit: string): string {
  const across = scaleTo(Math.max(...values, 0), area.left, area.right)
  const top = across.ticks.at(-1) as number
  const counts = countsByPart(values, top, partCount)
  const up = scaleTo(Math.max(...counts), area.bottom, area.top)
  const bars = counts.map((count, index) => {
    if (count === 0) return ''
    const [from, to] = [index, index + 1].map((part) => (top * part) / partCount) as [
      number,
      number,
    ]
    const x = across.place(from)
    const y = up.place(count)
    const told = escapeHtml(`${tickText(from)} to ${tickText(to)} ${unit}: ${count}`)
    return `<rect class="bar" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(across.place(to) - x - 1).toFixed(1)}" height="${(area.bottom - y).toFixed(1)}"><title>${told}</title></rect>`
  })
  const label = escapeHtml(`Questions by ${unit}`)
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${axes(
    across.ticks.map((tick) => [across.place(tick), tickText(tick)]),
    up.ticks.filter(Number.isInteger).map((tick) => [up.place(tick), tickText(tick)]),
    unit,
    'questions',
  )}${bars.join('')}</svg>`
}

type Tick = readonly [place: number, words: string]

/** The two axes of a small chart with their ticks and names. */
export function axes(
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

/** The place of the drawing within a small chart, in pixels. */
export const plotArea = area
/** The size of a small chart, in pixels. */
export const plotSize = { width, height }
