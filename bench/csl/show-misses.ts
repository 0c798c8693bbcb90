// Shows the cases of the CSL test suite that fail and the entries of APA's list that differ: SCHOLIUM_DATA=… node bench/csl/show-misses.ts
import { join } from 'node:path'
import { apaEntries } from './apa-list.ts'
import { runSuite } from './suite.ts'

const conformance = join(process.env.SCHOLIUM_DATA ?? '', '06-conformance')
const show = (title: string, wanted: string, found: string) =>
  console.log(`\n${title}\n  wanted ${wanted}\n  found  ${found}`)

const outcomes = runSuite(join(conformance, 'csl-test-suite/processor-tests/humans'))
for (const { name, passed, reason, found, sections, isKept } of outcomes) {
  if (!passed) show(`${name} (${reason})`, sections.get('RESULT')?.trim() ?? '', found)
  else if (isKept === false) console.log(`\n${name}: our HTML loses something\n  ${found}`)
}
for (const { key, expected, found, similarityOfWords } of await apaEntries(
  join(conformance, 'apa7'),
)) {
  if (similarityOfWords < 1) show(`${key} ${similarityOfWords.toFixed(2)}`, expected, found)
}
