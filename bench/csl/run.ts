import { join } from 'node:path'
import { type ApaEntry, apaEntries } from './apa-list.ts'
import { readBibFiles } from './bib-files.ts'
import { runCase, type SuiteOutcome, suiteCases } from './suite.ts'

// Measures references: `SCHOLIUM_DATA=… node bench/csl/run.ts [--misses]`. The CSL test suite through the engine that makes our
// lists, the list of biblatex-apa, and every .bib file; ends with 1 where a .bib file is neither read nor refused with a reason.

/** A file that takes longer is taken for one that hangs. */
const MAX_FILE_MS = 2_000
const NEAR = 0.95

const data = process.env.SCHOLIUM_DATA
if (data === undefined) {
  console.error('SCHOLIUM_DATA must name the data folder.')
  process.exit(2)
}
const conformance = join(data, '06-conformance')
const showsMisses = process.argv.includes('--misses')

printSuite()
await printApa()
process.exitCode = (await printBibFiles()) ? 0 : 1

function printSuite(): void {
  const cases = suiteCases(join(conformance, 'csl-test-suite/processor-tests/humans'))
  const log = console.log
  // The engine speaks of languages that it does not know.
  console.log = () => {}
  const outcomes = cases.map((one) => ({ ...one, ...runCase(one) }))
  console.log = log
  const categories = [...new Set(outcomes.map(({ category }) => category))]
  console.log('CSL test suite:')
  console.table(
    [...categories, 'all'].map((category) => {
      const group = outcomes.filter((one) => category === 'all' || one.category === category)
      return { category, cases: group.length, passed: count(group), ...reasons(group) }
    }),
  )
  const lists = outcomes.filter(({ isKept }) => isKept !== undefined)
  const kept = lists.filter(({ isKept }) => isKept).length
  console.log(`Lists that our HTML gives without loss: ${kept} of ${lists.length}.`)
  if (!showsMisses) return
  for (const { name, passed, reason, found, sections, isKept } of outcomes) {
    if (isKept === false) console.log(`\n${name}: not kept\n  ${found}`)
    if (passed) continue
    console.log(
      `\n${name} (${reason})\n  wanted ${sections.get('RESULT')?.trim()}\n  found  ${found}`,
    )
  }
}

function count(outcomes: readonly SuiteOutcome[]): number {
  return outcomes.filter(({ passed }) => passed).length
}

function reasons(outcomes: readonly SuiteOutcome[]): Readonly<Record<string, number>> {
  const names = {
    text: 'other text',
    error: 'error',
    locale: 'locale not shipped',
    form: 'other form',
  }
  return Object.fromEntries(
    Object.entries(names).map(([reason, name]) => [
      name,
      outcomes.filter((outcome) => outcome.reason === reason).length,
    ]),
  )
}

async function printApa(): Promise<void> {
  const entries = await apaEntries(join(conformance, 'apa7'))
  const types = [...new Set(entries.map(({ type }) => type))].sort()
  console.log('\nAPA 7, the list of biblatex-apa:')
  console.table(
    [...types, 'all'].map((type) => {
      const group = entries.filter((entry) => type === 'all' || entry.type === type)
      return { type, entries: group.length, ...scores(group) }
    }),
  )
  if (!showsMisses) return
  for (const { key, expected, found, similarityOfWords: similarity } of entries) {
    if (similarity < 1)
      console.log(`\n${key} ${similarity.toFixed(2)}\n  wanted ${expected}\n  found  ${found}`)
  }
}

function scores(entries: readonly ApaEntry[]): Readonly<Record<string, number | string>> {
  const equal = (score: (entry: ApaEntry) => number) =>
    entries.filter((entry) => score(entry) === 1).length
  const mean = (score: (entry: ApaEntry) => number) =>
    (entries.reduce((sum, entry) => sum + score(entry), 0) / entries.length).toFixed(3)
  return {
    equal: equal(({ similarity }) => similarity),
    'mean similarity': mean(({ similarity }) => similarity),
    'equal but for capitals': equal(({ similarityOfWords }) => similarityOfWords),
    'mean but for capitals': mean(({ similarityOfWords }) => similarityOfWords),
    [`≥ ${NEAR} but for capitals`]: entries.filter(
      ({ similarityOfWords }) => similarityOfWords >= NEAR,
    ).length,
  }
}

async function printBibFiles(): Promise<boolean> {
  const files = await readBibFiles(conformance, ['bibtex', 'apa7'])
  const refused = files.flatMap((file) => file.refused)
  const entries = refused.filter(({ field }) => field === undefined)
  const isSpoken = files.every(
    (file) => file.items + file.refused.length > 0 || file.error !== undefined,
  )
  const slowest = Math.max(...files.map(({ ms }) => ms))
  console.log('\nBibTeX files:')
  console.table({
    files: files.length,
    'read whole': files.filter((file) => file.refused.length === 0 && file.items > 0).length,
    'works read': files.reduce((sum, { items }) => sum + items, 0),
    'entries refused': entries.length,
    'fields refused': refused.length - entries.length,
    'files that give nothing': files.filter(({ items }) => items === 0).length,
    'ms, all': Math.round(files.reduce((sum, { ms }) => sum + ms, 0)),
    'ms, slowest': Math.round(slowest),
  })
  const kinds = new Map<string, number>()
  for (const { reason } of refused) {
    const kind = reason.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, 'N')
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  for (const [kind, times] of kinds) console.log(`${times} × ${kind}`)
  for (const { path, items, error } of files) {
    if (items === 0) console.log(`nothing of ${path}${error === undefined ? '' : `: ${error}`}`)
  }
  return isSpoken && slowest <= MAX_FILE_MS
}
