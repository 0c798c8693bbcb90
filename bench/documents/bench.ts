import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { median, timeMs } from '../timing.ts'
import { prose, type Sample, samples } from './make.ts'

const amounts: Readonly<Record<BenchSize, { share: number; rounds: number; kinds: number }>> = {
  smoke: { share: 0.001, rounds: 1, kinds: 2 },
  quick: { share: 0.2, rounds: 1, kinds: 100 },
  full: { share: 1, rounds: 3, kinds: 100 },
}
const script = fileURLToPath(new URL('../../test/sources/read-folder.ts', import.meta.url))

/** Reading files of each kind, each in a new process, including the start of the worker and its libraries. */
export const bench: Bench = {
  title: 'Files of each kind',
  async run({ size, folder }) {
    const { share, rounds, kinds } = amounts[size]
    const measures: Measure[] = []
    for (const sample of samples.slice(-kinds))
      measures.push(...(await measureKind(sample, folder, share, rounds)))
    return measures
  },
}

async function measureKind(
  { name, make }: Sample,
  parent: string,
  share: number,
  rounds: number,
): Promise<readonly Measure[]> {
  const folder = join(parent, name)
  mkdirSync(folder)
  writeFileSync(join(folder, name), make(share))
  const read = Array.from({ length: rounds }, () => readOnce(folder))
  const characters = read[0]?.characters ?? 0
  const fileMb = (statSync(join(folder, name)).size / 1e6).toFixed(1)
  const what = `${name}, ${fileMb} MB with ${(characters / 1e6).toFixed(1)} million characters`
  return [
    {
      what,
      value: median(read.map(({ ms }) => ms)),
      unit: 'ms',
      yardstick: { what: 'as many by a pattern', value: await timePattern(characters) },
    },
    {
      what: `${name}: growth of memory`,
      value: median(read.map(({ grownMb }) => grownMb)),
      unit: 'MB',
      target: { atMost: 2_000 },
    },
  ]
}

/** Finds the words of a text with as many characters, in milliseconds. */
function timePattern(characters: number): Promise<number> {
  const line = `${prose(20_000, 1)}\n`
  const text = line.repeat(Math.ceil(characters / line.length)).slice(0, characters)
  return timeMs(() => text.match(/[\p{L}\p{N}]+/gu))
}

interface Read {
  readonly ms: number
  readonly characters: number
  readonly grownMb: number
}

function readOnce(folder: string): Read {
  const output = execFileSync(process.execPath, [script, folder], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { grownBytes } = lines.pop()
  const unread = lines.find(({ end }) => end !== 'read')
  if (unread !== undefined) throw new Error(JSON.stringify(unread))
  return {
    ms: lines.reduce((sum, { waitedMs }) => sum + waitedMs, 0),
    characters: lines.reduce((sum, { units }) => sum + units, 0),
    grownMb: grownBytes / 1_000_000,
  }
}
