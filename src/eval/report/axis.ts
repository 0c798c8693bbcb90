/** A scale from values to places: `place` gives pixels. */
export interface Scale {
  readonly ticks: readonly number[]
  place(value: number): number
}

/** A scale from 0 to a round number at or above `largest`, over some pixels. */
export function scaleTo(largest: number, fromPx: number, toPx: number): Scale {
  const step = roundStep((largest || 1) / 4)
  const count = Math.max(1, Math.ceil((largest || 1) / step - 1e-9))
  const top = step * count
  return {
    ticks: Array.from({ length: count + 1 }, (_, index) => step * index),
    place: (value) => fromPx + ((toPx - fromPx) * value) / top,
  }
}

/** 1, 2 or 5 times a power of ten, at or above the value. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const times = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10
  return times * power
}

/** How many of the values lie in each of `count` parts from 0 to `top`; the last one has `top` too. */
export function countsByPart(
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

/** A number on an axis: no more digits than it needs. */
export function tickText(value: number): string {
  return String(Number(value.toPrecision(6)))
}
