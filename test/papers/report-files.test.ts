import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { marked } from 'marked'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderPapersAs } from '../../src/app/papers/render-papers.ts'
import type { PapersAnswer } from '../../src/app/runs/run-result.ts'
import { verifyReport } from '../../src/app/runs/verify-report.ts'
import { markdownQuote } from '../../src/papers/report/markdown-text.ts'
import { papersHtml } from '../../src/papers/report/papers-html.ts'
import { papersMarkdown } from '../../src/papers/report/papers-markdown.ts'
import { papersMatrixCsv } from '../../src/papers/report/papers-matrix-csv.ts'
import type { Analysis } from '../../src/papers/result.ts'
import { hostileTexts, moreHostileTexts, withTexts } from './hostile-texts.ts'
import { reportInput } from './report-input.ts'
import { finding, fixturePapers, paperTexts } from './report-papers.ts'

describe('the Markdown report', () => {
  const report = papersMarkdown(reportInput())

  it('has all of its parts, in order', () => {
    const headings = [...report.matchAll(/^## (.*)$/gm)].map(([, name]) => name)
    expect(headings).toEqual([
      ...['Summary', 'Consensus', 'Contradictions', 'Gaps', 'Papers', 'Analyses', 'References'],
      ...['Notes on the references', 'Papers left out', 'Points rejected', 'Search'],
      ...['Statistics', 'Coverage', 'Not completed'],
    ])
  })

  it('shows each point with verdict, number, page and quotation', () => {
    expect(report).toContain(
      '- **Supported** by Herrera et al. 2024: *verbatim*, by code\n  - [2, p. 9] “Retrieved passages reduced unsupported statements in every domain that we studied.”',
    )
    expect(report).toContain('#### Side B: More than ten passages make answers worse.')
  })

  it('names each sentence of the summary that does not hold', () => {
    const [, summary = ''] = /## Summary\n([\s\S]*?)\n## /.exec(report) ?? []
    expect(summary).toMatch(/\n- A second reading of each sentence .* errors\. \(\*altered\*, by/)
    expect(summary).not.toMatch(/\n- Retrieved passages/)
  })

  it('says once what is a quotation alone', () => {
    const words =
      'Retrieved passages reduced unsupported statements in every domain that we studied.'
    const [plain] = reportInput().analyses
    const quotation = { ...finding(2, 9, words), text: words }
    const analyses = [{ ...plain, keyFindings: [quotation], methodology: [] } as Analysis]
    const text = papersMarkdown({ ...reportInput(), analyses })
    expect(text).toContain(`#### Key findings\n\n- [2, p. 9] “${words}”\n`)
  })

  it('says that nothing was found between papers', () => {
    const { synthesis, ...others } = reportInput()
    const none = { ...synthesis, consensus: [], contradictions: [] }
    const text = papersMarkdown({ ...others, synthesis: none })
    expect(text).toContain('## Consensus and contradictions\n\nNo agreements or contradictions')
    expect(papersHtml({ ...others, synthesis: none })).toContain('No agreements or contradictions')
  })

  it('closes the quotation marks of a source that are the same at both ends', () => {
    expect(markdownQuote('an "inner monologue", and "one".')).toBe(
      '“an ‘inner monologue’, and ‘one’.”',
    )
  })

  describe('as scholium verify reads it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'papers-report-'))
    beforeAll(() => {
      for (const { n = 0, title } of fixturePapers.slice(0, 5))
        writeFileSync(join(folder, `${n}.md`), `# ${title}\n\n${paperTexts[n]}\n`)
      writeFileSync(join(folder, 'report.md'), report)
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it('cites places that are found, and quotes them word for word', async () => {
      const check = await verifyReport('report.md', { folder, home: folder, sources: ['.'] })
      const quotations = check.claims.filter(({ text }) => /^\[\d, p\. \d+\] “/.test(text))
      expect(quotations.length).toBeGreaterThan(25)
      expect(quotations.filter(({ verdict }) => verdict !== 'verbatim')).toEqual([])
      expect(check.failures).toEqual({ references: 0, claims: 1 })
      expect(check.claims.find(({ verdict }) => verdict === 'altered')?.text).toMatch(
        /three quarters/,
      )
    })
  })

  it('keeps texts from elsewhere from being markup, links or citations', () => {
    const more = process.env.SCHOLIUM_DATA ? moreHostileTexts(process.env.SCHOLIUM_DATA) : []
    const plain = shapeOf(papersMarkdown(withTexts(reportInput(), ['plain'])))
    for (const text of [...hostileTexts, ...more.slice(0, 300)]) {
      const shape = shapeOf(papersMarkdown(withTexts(reportInput(), [text])))
      expect({ text, shape }).toEqual({ text, shape: plain })
    }
  })

  it('has no tag, image or address of a summary that was not there as such', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...hostileTexts),
        fc.constantFrom(...hostileTexts),
        (one, other) => {
          const answer = `${one} ${other}\n\n${other}\n${one}`
          const page = marked.parse(papersMarkdown(reportInput({ answer, claims: [] })), {
            async: false,
          })
          expect(page).not.toMatch(/<(?:script|img|svg|iframe|style)/i)
          expect(page).not.toMatch(/href="(?!https?:|#|mailto:)/i)
        },
      ),
    )
  })
})

describe('the literature matrix', () => {
  const csv = papersMatrixCsv(reportInput())
  const rows: string[][] = parse(csv, { bom: true })

  it('has a row for each paper and a column for each point', () => {
    const [heads = [], first = [], second = []] = rows
    expect(rows).toHaveLength(1 + fixturePapers.length)
    expect(heads.slice(0, 12)).toEqual([
      ...['n', 'id', 'title', 'authors', 'year', 'status', 'confidence'],
      ...['methodology', 'key findings', 'conclusions', 'limitations', 'contributions'],
    ])
    expect(heads.slice(12)).toHaveLength(3 + 4 + 3)
    expect(heads[12]).toBe(
      'Consensus 1: Retrieved passages lower the rate of unsupported statements.',
    )
    expect(first[8]).toContain(
      'Retrieval cuts unsupported statements to a third. (p. 6; supported)\n',
    )
    expect(second.slice(12, 14)).toEqual([
      'supports (p. 9; verbatim)',
      'disputes (p. 8; unchecked)',
    ])
  })

  it('is as RFC 4180 has it, with a mark that it is UTF-8', () => {
    expect(csv.startsWith('\ufeff"n","id"')).toBe(true)
    expect(csv.endsWith('"\r\n')).toBe(true)
    expect(csv.replace(/"(?:[^"]|"")*"/g, 'x').replace('\ufeff', '')).toMatch(/^(?:x(?:,x)*\r\n)+$/)
  })

  it('holds no formula, whatever the texts are', () => {
    const text = fc.oneof(
      fc.constantFrom(...hostileTexts),
      fc.string({ unit: 'binary', minLength: 1 }),
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), (texts) => {
        const made: string[][] = parse(papersMatrixCsv(withTexts(reportInput(), texts)), {
          bom: true,
        })
        expect(made.map((cells) => cells.length)).toEqual(rows.map((cells) => cells.length))
        expect(made.flat().filter((cell) => /^[\s\0]*[=+\-@\t\r]/.test(cell))).toEqual([])
      }),
    )
    expect(papersMatrixCsv(withTexts(reportInput(), ['=1+1']))).toContain(`"'=1+1"`)
  })
})

/** The tags that a reader of Markdown makes of it, with the addresses of links; what is only stressed may differ. */
function shapeOf(markdown: string): readonly string[] {
  const page = marked.parse(markdown, { async: false })
  const tags = [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag)
  return tags.filter((tag) => !/^<\/?(?:em|strong|del|a)>$|^<a href="mailto:/.test(tag))
}

it('a report names a file by its name, whatever signs that has', async () => {
  const path = "/data/somebody/tea $& $'.pdf"
  const gaps = [{ kind: 'unreadable_source', detail: `Not read: ${path}.`, source: path }] as const
  const answer = { ...reportInput({ gaps }), search: [], errors: [] } as unknown as PapersAnswer
  const report = await renderPapersAs(answer, 'markdown')
  expect(report).toMatch(/Not read: tea \$& \$'\.pdf/)
  expect(report).not.toContain('somebody')
})
