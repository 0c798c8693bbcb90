/*
 * How long a text's citations take: node bench/citations/run.ts
 * Exits with 1 when a target is missed.
 */
import {
  parseCitations,
  renderForModel,
  renderHtml,
  renderMarkdown,
  renderNotes,
} from '../../src/citations/markup/index.ts'
import { hostileUnits, madeTexts } from './texts.ts'

const sizeBytes = 1_000_000
const citations = 10_000
const rounds = 15
const mostMs = 100
/** Of the time at four times the length to four times that at the length; twice allows for the garbage of the larger. */
const mostGrowth = 2
const hostileBytes = 200_000

let isMissed = false
measureTexts()
measureGrowth()
measureHostile()
if (isMissed) process.exitCode = 1

function tell(what: string, measured: string, target = '', isMet = true): void {
  if (!isMet) isMissed = true
  const verdict = target === '' ? '' : isMet ? 'met' : 'MISSED'
  console.log(
    [what.padEnd(46), measured.padEnd(58), target.padEnd(10), verdict].join('  ').trimEnd(),
  )
}

interface Times {
  readonly parseMs: number
  readonly modelMs: number
  readonly peopleMs: number
  readonly count: number
}

function timed(text: string): Times {
  const start = performance.now()
  const parsed = parseCitations(text)
  const isParsed = performance.now()
  const numbers = parsed.entries.map((_entry, index) => parsed.entries.length - index)
  renderForModel(parsed.text, numbers)
  const isForModel = performance.now()
  renderMarkdown(parsed.text, parsed.entries)
  return {
    parseMs: isParsed - start,
    modelMs: isForModel - isParsed,
    peopleMs: performance.now() - isForModel,
    count: parsed.text.match(/\[!CITE_\d+!\]|idx="\d+"/g)?.length ?? 0,
  }
}

function total({ parseMs, modelMs, peopleMs }: Times): number {
  return parseMs + modelMs + peopleMs
}

/** The rounds from the fastest to the slowest; the first, which compiles, is left out. */
function sorted(text: string): readonly Times[] {
  timed(text)
  const times = Array.from({ length: rounds }, () => timed(text))
  return times.toSorted((one, other) => total(one) - total(other))
}

function measureTexts(): void {
  for (const { name, make } of madeTexts) {
    const text = make(sizeBytes, citations)
    const firstMs = total(timed(text))
    const times = sorted(text)[Math.floor(rounds / 2)] as Times
    const parts = [times.parseMs, times.modelMs, times.peopleMs].map(ms).join(' + ')
    tell(
      name,
      `${ms(total(times))} ms = ${parts}; first ${ms(firstMs)}; ${times.count} citations`,
      `< ${mostMs} ms`,
      total(times) < mostMs,
    )
  }
}

function measureGrowth(): void {
  const mixed = madeTexts.at(-1)
  if (mixed === undefined) return
  const each = [1, 2, 4].map((times) =>
    total(sorted(mixed.make(times * sizeBytes, times * citations))[0] as Times),
  )
  const growth = growthOf(each)
  tell(
    'all forms, at 1, 2 and 4 MB',
    `${each.map(ms).join(', ')} ms: ${growth.toFixed(2)} × linear`,
    `≤ ${mostGrowth} ×`,
    growth <= mostGrowth,
  )
}

/** Parsed and rendered in each way; lengths under a few milliseconds say nothing of growth, so it is told from the sum. */
function measureHostile(): void {
  const sums = [0, 0, 0]
  let worst = { unit: '', spentMs: 0 }
  for (const unit of hostileUnits) {
    for (const [index, times] of [1, 2, 4].entries()) {
      const spentMs = hostileMs(unit.repeat(Math.ceil((times * hostileBytes) / unit.length)))
      sums[index] = (sums[index] ?? 0) + spentMs
      if (times === 4 && spentMs > worst.spentMs) worst = { unit, spentMs }
    }
  }
  const growth = growthOf(sums)
  tell(
    `${hostileUnits.length} hostile texts, at 0.2, 0.4 and 0.8 MB`,
    `${sums.map(ms).join(', ')} ms: ${growth.toFixed(2)} × linear`,
    `≤ ${mostGrowth} ×`,
    growth <= mostGrowth,
  )
  tell('the slowest of them at 0.8 MB', `${JSON.stringify(worst.unit)}, ${ms(worst.spentMs)} ms`)
}

function hostileMs(text: string): number {
  const spentMs = Array.from({ length: 3 }, () => {
    const start = performance.now()
    const { text: stored, entries } = parseCitations(text, (n) => n === 1)
    renderForModel(stored, [1])
    renderMarkdown(stored, entries)
    renderNotes(stored, entries)
    renderHtml(stored, entries)
    return performance.now() - start
  })
  return Math.min(...spentMs)
}

function growthOf([once = 1, , four = 0]: readonly number[]): number {
  return four / (4 * once)
}

function ms(value: number): string {
  return value.toFixed(1)
}
