import { join } from 'node:path'
import { toolCallsFromText } from '../../src/kernel/text/tool-calls-from-text.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { timeMs } from '../timing.ts'
import { type Half, type LabelledText, labelledSet } from './labelled-set.ts'
import { parseOwn, parsePlainly } from './parsers.ts'
import { type Parse, scoreOf, tally } from './score.ts'

/** Every which text of the set. */
const every: Readonly<Record<BenchSize, number>> = { smoke: 300, quick: 1, full: 1 }

/** How well tool calls that a model printed are told from all other text, next to `JSON.parse` of its outermost braces. */
export const bench: Bench = {
  title: 'Tool calls in text',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, dataFolder }) {
    const all = labelledSet(join(dataFolder, '05-llm-output'))
    const items = all.filter((_item, index) => index % every[size] === 0)
    return [
      ...(['dev', 'held-out'] as const).flatMap((half) => measureHalf(items, half)),
      await measureTime(items),
    ]
  },
}

function measureHalf(items: readonly LabelledText[], half: Half): readonly Measure[] {
  const own = items.filter((item) => item.half === half)
  const negatives = own.filter(({ calls }) => calls.length === 0)
  const group = (name: string, positives: readonly LabelledText[]): readonly Measure[] => {
    const score = (parse: Parse) => {
      const [right, wrong] = [tally(positives, parse), tally(negatives, parse)]
      return scoreOf([...right.values()], [...wrong.values()])
    }
    const [ours, plain] = [score(parseOwn), score(parsePlainly)]
    const texts = positives.length.toLocaleString('en')
    const row = (figure: 'precision' | 'recall', atLeast: number): Measure => ({
      what: `${name}, ${half}, ${texts} texts: ${figure}`,
      value: ours[figure],
      yardstick: { what: 'JSON.parse of the outermost braces', value: plain[figure] },
      target: { atLeast },
    })
    return [row('precision', 0.999), row('recall', 0.95)]
  }
  const positives = own.filter(({ calls }) => calls.length > 0)
  const main = positives.filter(({ isMain }) => isMain)
  return [...group('the first five forms', main), ...group('all forms', positives)]
}

async function measureTime(items: readonly LabelledText[]): Promise<Measure> {
  const plainMs = await timeMs(() => {
    for (const { text } of items) text.match(/[\p{L}\p{N}]+/gu)
  })
  const ourMs = await timeMs(() => {
    for (const { text, tools } of items) toolCallsFromText(text, tools)
  })
  const characters = items.reduce((sum, { text }) => sum + text.length, 0)
  return {
    what: `${items.length.toLocaleString('en')} texts, ${(characters / 1e6).toFixed(1)} million characters: time`,
    value: ourMs,
    unit: 'ms',
    yardstick: { what: 'their words by a pattern', value: plainMs },
  }
}
