import { execFileSync } from 'node:child_process'
import type { SandboxLanguage } from '../../src/tools/sandbox/language-package.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { start, talk } from '../processes.ts'
import { median, timeMs } from '../timing.ts'
import type { LanguageOrder, LanguageTold } from './language-process.ts'

interface Amounts extends LanguageOrder {
  readonly languages: readonly SandboxLanguage[]
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { languages: ['javascript'], rounds: 1, spareMs: 1_000, wallMs: 300 },
  quick: { languages: ['python', 'javascript'], rounds: 2, spareMs: 4_000, wallMs: 2_000 },
  full: {
    languages: ['python', 'lua', 'prolog', 'javascript'],
    rounds: 5,
    spareMs: 4_000,
    wallMs: 3_000,
  },
}

/** What a sandbox costs in each language, and what the calling process grows by while code in it fills memory and output. */
export const bench: Bench = {
  title: 'Sandboxes',
  async run({ size }) {
    const { languages, ...order } = amounts[size]
    const bareMs: number[] = []
    for (let round = 0; round < order.rounds; round++)
      bareMs.push(await timeMs(() => execFileSync(process.execPath, ['-e', '0'])))
    const echoUs = await timeEchoes(order.rounds * 20)
    const measures: Measure[] = []
    for (const language of languages)
      measures.push(...(await measureLanguage(language, order, { bareMs: median(bareMs), echoUs })))
    return measures
  },
}

/** A message to another process and back, in microseconds. */
async function timeEchoes(rounds: number): Promise<number> {
  const child = start(new URL('./echo.ts', import.meta.url))
  try {
    await talk(child)
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      times.push(await timeMs(() => talk(child, { round })))
    }
    return median(times) * 1_000
  } finally {
    child.kill()
  }
}

async function measureLanguage(
  language: SandboxLanguage,
  order: LanguageOrder,
  { bareMs, echoUs }: { readonly bareMs: number; readonly echoUs: number },
): Promise<readonly Measure[]> {
  const child = start(new URL('./language-process.ts', import.meta.url), language)
  try {
    const { growthMb, ...told } = await talk<LanguageTold>(child, order)
    const inNode = { what: 'node -e 0', value: bareMs }
    return [
      {
        what: `${language}: growth of the calling process`,
        value: growthMb,
        unit: 'MB',
        target: { atMost: 50 },
      },
      {
        what: `${language}: first call; median`,
        value: told.firstMs,
        unit: 'ms',
        yardstick: inNode,
      },
      {
        what: `${language}: with a spare process; median`,
        value: told.spareMs,
        unit: 'ms',
        yardstick: inNode,
        target: { atMost: 3 },
      },
      {
        what: `${language}: in a session; median`,
        value: told.sessionMs * 1_000,
        unit: 'µs',
        yardstick: { what: 'a message to a process and back', value: echoUs },
      },
      ...(told.idleMb === undefined
        ? []
        : [{ what: `${language}: memory of its process; median`, value: told.idleMb, unit: 'MB' }]),
    ]
  } finally {
    child.kill()
  }
}
