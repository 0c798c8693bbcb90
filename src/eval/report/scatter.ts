import { escapeHtml } from '../../citations/markup/escape-html.ts'
import type { EvalResult } from '../result.ts'
import { claimCounts } from '../result.ts'
import { scaleTo } from './axis.ts'
import { axes, plotArea, plotSize } from './histogram.ts'

/**
 * F1 against the share of supported claims, of the questions that have both. Questions at one place are one circle, whose area
 * is their number.
 */
export function scatter(results: readonly EvalResult[]): string {
  const { left, right, top, bottom } = plotArea
  const across = scaleTo(1, left, right)
  const up = scaleTo(1, bottom, top)
  const places = new Map<string, { x: number; y: number; ids: string[] }>()
  for (const result of results) {
    const { supported, checked } = claimCounts(result)
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
