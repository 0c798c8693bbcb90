import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compareTitles } from '../../../../bench/pdf/titles.ts'
import type { Document } from '../../document.ts'
import { listFiles } from '../../list-files.ts'
import { readPaths } from '../../read-files.ts'

const data = join(process.env.SCHOLIUM_DATA ?? '', '04-pdf')

describe.skipIf(!process.env.SCHOLIUM_DATA)('real papers (needs SCHOLIUM_DATA)', () => {
  it('are read whole: pages, order over two columns, titles, sections', {
    timeout: 60_000,
  }, async () => {
    const index = readFileSync(join(data, 'papers/INDEX.txt'), 'utf8').trim().split('\n')
    const paths = index.map((line) => join(data, line.split('|')[0] as string))
    const read = new Map<string, Document>()
    let next = 0
    for await (const outcome of readPaths(paths.map((path) => ({ path })))) {
      const line = index[next++] as string
      if (!outcome.ok) throw new Error(`${line}: ${JSON.stringify(outcome)}`)
      const { document } = outcome
      read.set(line.split('|')[0]?.split('/').at(-1) as string, document)
      expect(`${line} ${document.pages.length}`).toContain(`pages=${document.pages.length}|`)
      expectSound(document)
    }
    const titles = compareTitles(new Map([...read].map(([name, { title }]) => [name, title])))
    expect(titles.papers).toBe(27)
    expect(titles.right).toBeGreaterThanOrEqual(0.9 * titles.papers)
    const columns = read.get('P14-1059.pdf') as Document
    expect(columns.title).toBe(
      'How to make words with vectors: Phrase generation in distributional semantics',
    )
    expect(columns.csl.author?.map(({ family }) => family)).toEqual(['Dinu', 'Baroni'])
    expect(columns.sections.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['1 Introduction', '3.1 Synthesis', 'References']),
    )
    const firstPage = columns.text.slice(0, columns.pages[0]?.end)
    expect(firstPage).toMatch(
      /how can we generate the phrase that best expresses that meaning\? We motivate this novel/,
    )
    const authors = read.get('map-reduce.pdf')?.csl.author?.map(({ family }) => family)
    expect(authors).toEqual(['Dean', 'Ghemawat'])
    expect(read.get('tracemonkey.pdf')?.title).toBe(
      'Trace-based Just-in-Time Type Specialization for Dynamic Languages',
    )
    expect(read.get('a7c25298c607d5bf32e3301b6b209431e2a7f830.pdf')?.title).toBe(
      'Mining Generalized Association Rules on Biomedical Literature',
    )
  })

  it('and bad PDFs end without a crash or a hang, each refusal with its reason', {
    timeout: 60_000,
  }, async () => {
    const { files } = await listFiles([join(data, 'nasty')])
    const reasons = new Map<string, number>()
    let startedAt = performance.now()
    for await (const outcome of readPaths(files)) {
      expect(performance.now() - startedAt).toBeLessThan(30_000)
      startedAt = performance.now()
      const reason = outcome.ok
        ? 'read'
        : outcome.ok === false
          ? outcome.unreadable.reason
          : outcome.why
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      if (outcome.ok) expectSound(outcome.document)
      else if (outcome.ok === false)
        expect(`${outcome.unreadable.detail} ${outcome.unreadable.hint}`).toMatch(
          /^[A-Z].{10,}\. [A-Z].{10,}\.$/s,
        )
    }
    expect([...reasons.values()].reduce((sum, times) => sum + times, 0)).toBe(files.length)
    expect(reasons.get('read')).toBeGreaterThanOrEqual(220)
    expect(reasons.get('encrypted')).toBeGreaterThanOrEqual(5)
    expect([...reasons.keys()].sort()).toEqual(['broken', 'encrypted', 'no_text', 'read'])
  })
})

/** Spans and sections lie in the text, in order, and the text can be stored as it is. */
function expectSound({ text, pages, sections, title }: Document): void {
  expect(text.isWellFormed()).toBe(true)
  expect(text).not.toContain('\0')
  expect(title.trim()).not.toBe('')
  pages.forEach(({ start, end }, page) => {
    expect(start).toBeGreaterThanOrEqual(pages[page - 1]?.end ?? 0)
    expect(end).toBeGreaterThanOrEqual(start)
    expect(end).toBeLessThanOrEqual(text.length)
  })
  sections.forEach(({ start, title: heading }, index) => {
    expect(start).toBeGreaterThanOrEqual(sections[index - 1]?.start ?? 0)
    const begins = (words: string) => words.replace(/\s/g, '').slice(0, 3)
    expect(begins(text.slice(start, start + 10))).toBe(begins(heading))
  })
}
