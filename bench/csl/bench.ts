import { join } from 'node:path'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { quantile } from '../timing.ts'
import { apaEntries } from './apa-list.ts'
import { readBibFiles } from './bib-files.ts'
import { runSuite } from './suite.ts'

interface Amounts {
  /** Every which case of the test suite. */
  readonly every: number
  /** Sections of APA's list; all of them if absent. */
  readonly sections?: readonly string[]
  readonly bibFolders: readonly string[]
}

const all: Amounts = { every: 1, bibFolders: ['bibtex', 'apa7'] }
const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { every: 40, sections: ['10.16'], bibFolders: ['apa7'] },
  quick: all,
  full: all,
}

/** A file that takes longer counts as one that hangs. */
const maxFileMs = 2_000

/** Reference lists: the CSL test suite, APA's own examples as biblatex-apa typesets them, and public BibTeX files. */
export const bench: Bench = {
  title: 'References',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, dataFolder }) {
    const conformance = join(dataFolder, '06-conformance')
    return [
      ...measureSuite(join(conformance, 'csl-test-suite/processor-tests/humans'), amounts[size]),
      ...(await measureApa(join(conformance, 'apa7'), amounts[size])),
      ...(await measureBibFiles(conformance, amounts[size])),
    ]
  },
}

function measureSuite(folder: string, { every }: Amounts): readonly Measure[] {
  const outcomes = runSuite(folder, every)
  const lists = outcomes.filter(({ isKept }) => isKept !== undefined)
  const share = (count: number, of: readonly unknown[]) => count / Math.max(1, of.length)
  return [
    {
      what: `CSL test suite, ${outcomes.length} cases: passed`,
      value: share(outcomes.filter(({ passed }) => passed).length, outcomes),
      target: { atLeast: 0.97 },
    },
    {
      what: `its ${lists.length} lists: our HTML loses nothing`,
      value: share(lists.filter(({ isKept }) => isKept).length, lists),
      target: { atLeast: 0.99 },
    },
  ]
}

async function measureApa(folder: string, { sections }: Amounts): Promise<readonly Measure[]> {
  const entries = await apaEntries(folder, sections)
  const mean = (score: (entry: (typeof entries)[number]) => number) =>
    entries.reduce((sum, entry) => sum + score(entry), 0) / entries.length
  const what = `APA 7, ${entries.length} entries`
  return [
    {
      what: `${what}: equal, apart from capitals`,
      value: mean(({ similarityOfWords }) => Number(similarityOfWords === 1)),
      target: { atLeast: 0.4 },
    },
    {
      what: `${what}: mean similarity, apart from capitals`,
      value: mean(({ similarityOfWords }) => similarityOfWords),
      target: { atLeast: 0.85 },
    },
    { what: `${what}: mean similarity`, value: mean(({ similarity }) => similarity) },
  ]
}

async function measureBibFiles(
  conformance: string,
  { bibFolders }: Amounts,
): Promise<readonly Measure[]> {
  const files = await readBibFiles(conformance, bibFolders)
  const isExplained = files.filter(
    ({ items, refused, error }) => items + refused.length > 0 || error !== undefined,
  )
  const total = (value: (file: (typeof files)[number]) => number) =>
    files.reduce((sum, file) => sum + value(file), 0)
  const what = `${files.length} BibTeX files`
  return [
    {
      what: `${what}: read, or refused with a reason`,
      value: isExplained.length / files.length,
      target: { atLeast: 1 },
    },
    {
      what: `${what}: entries refused, of ${total(({ items }) => items)}`,
      value: total(({ refused }) => refused.filter(({ field }) => field === undefined).length),
      target: { atMost: 0 },
    },
    {
      what: `${what}: time`,
      value: total(({ ms }) => ms),
      unit: 'ms',
      yardstick: { what: 'their words by a pattern', value: total(({ plainMs }) => plainMs) },
    },
    {
      what: `${what}: the slowest`,
      value: quantile(
        files.map(({ ms }) => ms),
        1,
      ),
      unit: 'ms',
      target: { atMost: maxFileMs },
    },
  ]
}
