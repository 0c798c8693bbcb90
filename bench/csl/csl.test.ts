import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { apaEntries } from './apa-list.ts'
import { readBibFiles } from './bib-files.ts'
import { runSuite } from './suite.ts'

describe.skipIf(!process.env.SCHOLIUM_DATA)('references (needs SCHOLIUM_DATA)', () => {
  const folder = join(process.env.SCHOLIUM_DATA ?? '', '06-conformance')

  it('pass the CSL test suite but for what the README of the measurements names', {
    timeout: 120_000,
  }, () => {
    const outcomes = runSuite(join(folder, 'csl-test-suite/processor-tests/humans'))
    const failed = outcomes.filter(({ passed }) => !passed).map(({ name }) => name)
    expect(outcomes).toHaveLength(418)
    expect(failed).toEqual([
      'collapse_AuthorCollapseNoDateSorted',
      'date_DateAD',
      'date_DateBC',
      'fullstyles_ABdNT',
      'label_EditorTranslator1',
      'magic_SubsequentAuthorSubstituteNotFooled',
      'name_EtAlKanji',
      'position_ResetNoteNumbers',
      'punctuation_DateStripPeriods',
      'sort_LeadingA',
      'textcase_TitleCaseWithVolumeTitle',
    ])
  })

  it('of every .bib file are read, or refused with a reason', { timeout: 60_000 }, async () => {
    const files = await readBibFiles(folder, ['bibtex', 'apa7'])
    expect(files.length).toBeGreaterThan(150)
    expect(files.filter(({ items, refused }) => items + refused.length === 0)).toEqual([])
    const unexplained = files
      .flatMap(({ refused }) => refused)
      .filter(({ reason }) => reason === '')
    expect(unexplained).toEqual([])
  })

  it('of APA 7, periodicals and books, are no worse than measured', async () => {
    const entries = await apaEntries(join(folder, 'apa7'), ['10.1', '10.2'])
    const equal = entries.filter(({ similarityOfWords }) => similarityOfWords === 1)
    expect([equal.length, entries.length]).toEqual([36, 52])
  })
})
