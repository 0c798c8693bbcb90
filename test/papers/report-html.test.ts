import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { papersHtml } from '../../src/papers/report/papers-html.ts'
import { hostileTexts, moreHostileTexts, withTexts } from './hostile-texts.ts'
import { reportInput } from './report-input.ts'
import { fixturePapers } from './report-papers.ts'

describe('the page of a synthesis', () => {
  const page = papersHtml(reportInput())

  it('has all of its parts', () => {
    const headings = [...page.matchAll(/<h2[^>]*>([^<]*)</g)].map(([, name]) => name)
    expect(headings).toEqual([
      ...['Summary', 'Papers', 'Who says what', 'Consensus', 'Contradictions', 'Gaps'],
      ...['Paper by paper', 'References', 'Left out and rejected', 'Search', 'Coverage'],
      ...['Statistics', 'Not completed'],
    ])
    expect(page).toContain('Answered in part: something is missing')
    expect(page).toContain('Its confidence 0.31 is below the threshold 0.50')
    expect(page).toContain('It cites paper 6, which was not kept.')
  })

  it('is the same each time', () => {
    expect(papersHtml(reportInput())).toBe(page)
  })

  it('says of the extractive engine that it is no language model', () => {
    const byCode = papersHtml(reportInput({ models: { analyzer: 'extractive' } }))
    expect(byCode).toContain('Quoted by the extractive engine, which is not a language model')
    expect(page).toContain('did the work of: verifier')
  })

  it('leads from the numbers of the summary to the evidence of their sentence', () => {
    const target = /again|on the test set <span class="cites">\[<a href="#([^"]+)"/.exec(page)?.[1]
    expect(textAt(page, target)).toContain(
      'Retrieved passages reduce unsupported statements from 27.4%',
    )
    expect(page).toMatch(
      /domains <span class="cites">\[<a href="#s2-e1"[^>]*>2<\/a>, <a href="#s2-e2"/,
    )
    expect(textAt(page, 's2-e2')).toContain('grounding answers in passages')
  })

  it('shows at a sentence that it does not hold', () => {
    expect(page).toMatch(
      /errors <span class="cites">.*?<a class="mark bad" href="#s5" aria-label="This sentence: altered">≠/,
    )
  })

  it('has every target that it links to, each once', () => {
    const ids = idsIn(page)
    expect(new Set(ids).size).toBe(ids.length)
    const targets = hrefsIn(page).filter((href) => href.startsWith('#'))
    expect(targets.length).toBeGreaterThan(80)
    expect(targets.filter((href) => !ids.includes(href.slice(1)))).toEqual([])
  })

  it('links pages of PDFs on the web and of files', () => {
    expect(hrefsIn(page)).toContain('https://arxiv.org/pdf/2305.01001v1#page=6')
    const [first, ...others] = fixturePapers
    if (first === undefined) throw new Error('The fixture has no papers.')
    const ofFile = papersHtml(
      reportInput({ papers: [{ ...first, path: 'my papers/a#1.pdf' }, ...others] }),
    )
    expect(hrefsIn(ofFile)).toContain('./my%20papers/a%231.pdf#page=6')
  })

  it('follows only addresses of the web', () => {
    const papers = fixturePapers.map((paper) => ({
      ...paper,
      url: 'javascript:alert(1)',
      pdfUrl: 'data:text/html,<script>alert(1)</script>',
    }))
    const line = 'A title. javascript:alert(1)//https://evil.example'
    const references = reportInput().references.map((one) => ({ ...one, line }))
    const hrefs = hrefsIn(papersHtml(reportInput({ papers, references })))
    expect(hrefs.filter((href) => !/^(?:#|https:\/\/|data:,$)/.test(href))).toEqual([])
  })

  it('can be made of nothing', () => {
    const empty = papersHtml(emptyInput())
    expect(empty).toContain('no papers were found')
    expect(idsIn(empty)).toContain('statistics')
    expect(empty).not.toContain('id="agreement"')
  })
})

describe('texts from elsewhere on the page', () => {
  const plain = shapeOf(papersHtml(withTexts(reportInput(), ['plain'])))

  it.each(hostileTexts)('stay texts: %j', (text) => {
    expect(shapeOf(papersHtml(withTexts(reportInput(), [text])))).toEqual(plain)
  })

  it('stay texts, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 9 }), (texts) => {
        expect(shapeOf(papersHtml(withTexts(reportInput(), texts)))).toEqual(plain)
      }),
      { numRuns: 60 },
    )
  })

  it.skipIf(!process.env.SCHOLIUM_DATA)(
    'stay texts in known collections (needs SCHOLIUM_DATA)',
    () => {
      const texts = moreHostileTexts(process.env.SCHOLIUM_DATA ?? '')
      expect(texts.length).toBeGreaterThan(500)
      for (let at = 0; at < texts.length; at += 100)
        expect(shapeOf(papersHtml(withTexts(reportInput(), texts.slice(at, at + 100))))).toEqual(
          plain,
        )
    },
  )

  it('become no more than prose in the summary', () => {
    fc.assert(
      fc.property(anyText, (answer) => {
        const page = papersHtml(reportInput({ answer, claims: [] }))
        const prose = /<div class="prose">(.*?)<\/div>/s.exec(page)?.[1] ?? ''
        const tags = [...prose.matchAll(/<\/?([^\s>]+)[^>]*>/g)].map(([, name]) => name)
        const known = ['p', 'ul', 'li', 'h3', 'strong', 'em', 'code', 'span', 'a']
        expect(tags.filter((name) => !known.includes(name ?? ''))).toEqual([])
        expect(shapeOf(page).filter((tag) => / on\w+/.test(tag))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})

const anyText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text !== ''),
  fc
    .array(fc.constantFrom('<', '>', '"', "'", '&', '[1]', '**', '`', '\\', '\n', 'a', '='))
    .map((parts) => `x${parts.join('')}`),
)

/** Every tag with the names of its attributes. */
function shapeOf(page: string): readonly string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ''))
}

function idsIn(page: string): readonly string[] {
  return [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? '')
}

function hrefsIn(page: string): readonly string[] {
  return [...page.matchAll(/ href="([^"]*)"/g)].map(([, href]) => href ?? '')
}

function textAt(page: string, id: string | undefined): string {
  return page.slice(page.indexOf(` id="${id}"`)).slice(0, 400)
}

function emptyInput() {
  const none = {
    claims: 0,
    checked: 0,
    uncited: 0,
    numbersNotFound: 0,
    verbatim: 0,
    supported: 0,
    altered: 0,
    partial: 0,
    contradicted: 0,
    notFound: 0,
    unavailable: 0,
    unchecked: 0,
  }
  return reportInput({
    status: 'unanswered',
    stopReason: 'no_papers',
    ...{
      answer: '',
      claims: [],
      citations: [],
      papers: [],
      analyses: [],
      dropped: [],
      refused: [],
    },
    ...{ references: [], search: [], gaps: [], errors: [], coverage: none, coverageOfPoints: none },
    synthesis: { consensus: [], contradictions: [], gaps: [], summary: '', confidence: 0 },
  })
}
