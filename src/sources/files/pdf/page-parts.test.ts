import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../kernel/json.ts'
import { findTitle, removeRunningHeads } from './compose.ts'
import { findBodyStyle, findHeadings } from './headings.ts'
import type { PdfLine } from './lines.ts'
import { toCsl } from './metadata.ts'
import { joinLines } from './paragraphs.ts'
import { toReadingOrder } from './reading-order.ts'

const line = (text: string, y: number, more: Partial<PdfLine> = {}): PdfLine => ({
  text,
  x0: 0,
  x1: (more.x0 ?? 0) + text.length * 5,
  y,
  size: 10,
  font: 'body',
  continuesRow: false,
  tilted: false,
  ...more,
})
const prose = (y: number, x0 = 0) =>
  line('a line of prose that is as long as its column', y, { x0 })

describe('reading order', () => {
  it('leaves the drawn order alone where it is sound', () => {
    const lines = [
      ...[0, -12, -24].map((y) => prose(y)),
      ...[0, -12, -24].map((y) => prose(y, 300)),
    ]
    expect(toReadingOrder(lines)).toBe(lines)
  })

  it('turns a page round that is drawn from its end', () => {
    const lines = Array.from({ length: 12 }, (_, row) => prose(-144 + 12 * row))
    expect(toReadingOrder(lines).map(({ y }) => y)).toEqual(lines.map(({ y }) => y).reverse())
  })

  it('keeps lines over both columns between what stands above and below them', () => {
    const rows = (from: number) =>
      Array.from({ length: 8 }, (_, row) => [
        prose(from - 12 * row),
        prose(from - 12 * row, 300),
      ]).flat()
    const wide = line('a heading over both', -110, { x1: 525 })
    const ordered = toReadingOrder([...rows(0), wide, ...rows(-130)])
    expect(ordered.indexOf(ordered.find(({ text }) => text === wide.text) as PdfLine)).toBe(16)
    expect(ordered.slice(0, 16).map(({ x0 }) => x0)).toEqual([
      ...Array(8).fill(0),
      ...Array(8).fill(300),
    ])
  })
})

describe('running heads', () => {
  const page = (head: string, foot: string) => [
    line(head, 780),
    prose(700),
    prose(688),
    line(foot, 40),
  ]
  const left = (...pages: PdfLine[][]) =>
    removeRunningHeads(pages).map((lines) =>
      lines.map(({ text }) => text).filter((text) => !text.startsWith('a line')),
    )

  it('go with page numbers, except where they first stand', () => {
    expect(left(page('Hens', '4'), page('Hens', 'Page 5'), page('Hens', '- 6 -'))).toEqual([
      ['Hens'],
      [],
      [],
    ])
  })

  it('stay where they say something else on each page', () => {
    const pages = [page('Question 1', '10'), page('Question 2', '40'), page('Question 3', '35')]
    expect(left(...pages)).toEqual([
      ['Question 1', '10'],
      ['Question 2', '40'],
      ['Question 3', '35'],
    ])
  })

  it('stay where they are part of the text', () => {
    const pages = [1, 2, 3].map(() => [prose(700), prose(688), prose(676)])
    expect(removeRunningHeads(pages)).toEqual(pages)
  })

  it('stay on a page that has nothing else', () => {
    const pages = [1, 2, 3, 4].map((number) => [line('Hens', 780), line(`${number}`, 40)])
    expect(removeRunningHeads(pages).every((lines) => lines.length > 0)).toBe(true)
  })
})

describe('headings', () => {
  const body = { size: 10, font: 'body' }
  const found = (...lines: PdfLine[]) => {
    const page = [...lines, prose(-200), prose(-212)]
    expect(findBodyStyle([[...page, prose(-224), prose(-236), prose(-248)]])).toEqual(body)
    return findHeadings(page, joinLines(page, new Map()), body).map(({ title, level }) => [
      title,
      level,
    ])
  }
  const bold = { font: 'bold' }

  it('are numbered, well known or large', () => {
    expect(found(line('2.1 Hens at night', 0, bold))).toEqual([['2.1 Hens at night', 2]])
    expect(found(line('IV. RESULTS OF ALL', 0))).toEqual([['IV. RESULTS OF ALL', 1]])
    expect(found(line('References', 0, bold))).toEqual([['References', 1]])
    expect(found(line('How hens sleep', 0, { size: 12, font: 'bold' }))).toEqual([
      ['How hens sleep', 2],
    ])
  })

  it('go over two lines, and end where a sentence runs on', () => {
    expect(found(line('3 A heading that goes', 0, bold), line('on below', -12, bold))).toEqual([
      ['3 A heading that goes on below', 1],
    ])
    expect(found(line('3.2. On hens. Hens sleep at night', 0, bold))).toEqual([['3.2. On hens', 2]])
  })

  it('are not list items, captions, entries of contents or bold words', () => {
    expect(found(line('1. Hens are birds', 0))).toEqual([])
    expect(found(line('Very bold words', 0, bold))).toEqual([])
    expect(found(line('Results', 0))).toEqual([])
    expect(found(line('2 Hens . . . . . . 14', 0, bold))).toEqual([])
  })
})

describe('a title', () => {
  const page = [
    line('RESEARCH ARTICLE', 760, { size: 20 }),
    line('Hens and foxes', 740, { size: 16 }),
    line('at night', 722, { size: 16 }),
    prose(600),
    prose(300),
  ]

  it('is the largest text of the upper half, over its lines, past labels', () => {
    expect(findTitle(undefined, page)).toBe('Hens and foxes at night')
    expect(findTitle('Untitled document', page)).toBe('Hens and foxes at night')
  })

  it('is the metadata’s when the page shows its words', () => {
    expect(findTitle('Hens and Foxes at Night', page)).toBe('Hens and Foxes at Night')
    expect(findTitle('Hens and foxes at night - Journal of Hens', page)).toBe(
      'Hens and foxes at night',
    )
    expect(findTitle('report_final_v3.docx', page)).toBe('Hens and foxes at night')
  })

  it('is the metadata’s when nothing on the page is larger than the rest', () => {
    expect(findTitle('A sane title', [prose(0), prose(-12)])).toBe('A sane title')
    expect(findTitle('Presentation1', [prose(0), prose(-12)])).toBeUndefined()
  })
})

describe('bibliographic data', () => {
  const id = sha256('')
  const csl = (author: string, page: string) => {
    const lines = page.split('\n').map((text, index) => line(text, -12 * index))
    return toCsl(id, 'T', { author }, lines)
  }

  it('has the authors whom the page shows', () => {
    expect(csl('Ana M. Gómez; Jan van der Berg', 'Ana Gomez, Jan van der Berg').author).toEqual([
      { family: 'Gómez', given: 'Ana M.' },
      { family: 'van der Berg', given: 'Jan' },
    ])
    expect(
      csl('Berg, Jan; Gómez, Ana', 'A. Gómez and J. Berg').author?.map(({ family }) => family),
    ).toEqual(['Berg', 'Gómez'])
    expect(csl('Ana Gómez (Hen Institute), Jan Berg', 'Gómez Berg').author).toHaveLength(2)
  })

  it('has no authors where the metadata is not to be trusted', () => {
    expect(csl('jsmith', 'J. Smith').author).toBeUndefined()
    expect(csl('Ana Gómez, Jan Berg', 'Ana Gómez').author).toBeUndefined()
    expect(csl('Ana Gómez', 'Jan Berg, Ana Gómez, Eva Li').author).toBeUndefined()
    expect(csl('Ana Gómez', 'by Ana Gómez\nsome text').author).toHaveLength(1)
  })

  it('has arXiv’s number and date, and a DOI when the page shows one only', () => {
    const stamp = 'Some text\narXiv:2302.07302v1 [cs.HC] 14 Feb 2023'
    expect(csl('', stamp)).toMatchObject({
      type: 'article',
      URL: 'https://arxiv.org/abs/2302.07302v1',
      issued: { 'date-parts': [[2023, 2, 14]] },
    })
    expect(csl('', 'https://doi.org/10.1145/3544548.3580847.').DOI).toBe('10.1145/3544548.3580847')
    expect(csl('', '10.1145/1.2 and 10.1145/3.4').DOI).toBeUndefined()
  })
})
