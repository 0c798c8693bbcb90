import {
  parseCitations,
  renderForModel,
  renderHtml,
  renderMarkdown,
  renderNotes,
} from '../../src/citations/markup/index.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { median, timeInTurns } from '../timing.ts'
import { hostileUnits, type MadeText, madeTexts } from './texts.ts'

interface Amounts {
  readonly sizeBytes: number
  readonly citations: number
  readonly rounds: number
  readonly hostileBytes: number
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { sizeBytes: 20_000, citations: 200, rounds: 1, hostileBytes: 2_000 },
  quick: { sizeBytes: 1_000_000, citations: 10_000, rounds: 5, hostileBytes: 100_000 },
  full: { sizeBytes: 1_000_000, citations: 10_000, rounds: 15, hostileBytes: 200_000 },
}

/** How long parsing and rendering a text's citations takes, next to finding the words of the same text by a pattern. */
export const bench: Bench = {
  title: 'Citations in texts',
  async run({ size }) {
    const chosen = amounts[size]
    const texts: Measure[] = []
    for (const made of madeTexts) texts.push(await measureText(made, chosen))
    return [...texts, await measureGrowth(chosen), ...measureHostile(chosen)]
  },
}

async function measureText(
  { name, make }: MadeText,
  { sizeBytes, citations, rounds }: Amounts,
): Promise<Measure> {
  const text = make(sizeBytes, citations)
  const times = await timeInTurns(
    { plain: () => text.match(/[\p{L}\p{N}]+/gu), ours: () => parseAndRender(text) },
    rounds,
  )
  return {
    what: `${citations.toLocaleString('en')} citations, ${name}: parsed, for a model, for people; median`,
    value: median(times.ours),
    unit: 'ms',
    yardstick: { what: 'its words by a pattern', value: median(times.plain) },
    target: { atMost: 12 },
  }
}

function parseAndRender(text: string): void {
  const parsed = parseCitations(text)
  const numbers = parsed.entries.map((_entry, index) => parsed.entries.length - index)
  renderForModel(parsed.text, numbers)
  renderMarkdown(parsed.text, parsed.entries)
}

/** The fastest of all rounds at four times the length, next to four times the fastest at the length itself. */
async function measureGrowth({ sizeBytes, citations, rounds }: Amounts): Promise<Measure> {
  const mixed = madeTexts.at(-1) as MadeText
  const [text, long] = [mixed.make(sizeBytes, citations), mixed.make(4 * sizeBytes, 4 * citations)]
  const times = await timeInTurns(
    { once: () => parseAndRender(text), fourfold: () => parseAndRender(long) },
    rounds,
  )
  return {
    what: `${mixed.name}, four times as long; fastest`,
    value: Math.min(...times.fourfold),
    unit: 'ms',
    yardstick: { what: 'four times the time', value: 4 * Math.min(...times.once) },
    target: { atMost: 2 },
  }
}

/** A short text takes too little time to say how it grows, so the times of all are added up. */
function measureHostile({ hostileBytes }: Amounts): readonly Measure[] {
  const timesMs = hostileUnits.map((unit) => {
    const long = (sizeBytes: number) => unit.repeat(Math.ceil(sizeBytes / unit.length))
    return { once: hostileMs(long(hostileBytes)), fourfold: hostileMs(long(4 * hostileBytes)) }
  })
  const sum = (length: 'once' | 'fourfold') =>
    timesMs.reduce((total, times) => total + times[length], 0)
  const [once, fourfold] = [sum('once'), sum('fourfold')]
  const many = `${hostileUnits.length} hostile texts`
  return [
    {
      what: `${many}, four times as long; fastest of three`,
      value: fourfold,
      unit: 'ms',
      yardstick: { what: 'four times the time', value: 4 * once },
      target: { atMost: 2 },
    },
    {
      what: `the slowest of the ${many} of ${(4 * hostileBytes) / 1_000} kB`,
      value: Math.max(...timesMs.map((times) => times.fourfold)),
      unit: 'ms',
      yardstick: { what: 'their mean', value: fourfold / hostileUnits.length },
      target: { atMost: 10 },
    },
  ]
}

/** Parsed, and rendered in each way. */
function hostileMs(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now()
    const { text: stored, entries } = parseCitations(text, (n) => n === 1)
    renderForModel(stored, [1])
    renderMarkdown(stored, entries)
    renderNotes(stored, entries)
    renderHtml(stored, entries)
    return performance.now() - startedAt
  })
  return Math.min(...times)
}
