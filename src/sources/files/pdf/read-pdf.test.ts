import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { pdfOf, swellingPdf } from '../../../../test/sources/pdf-files.ts'
import type { Document, ReadOutcome } from '../../document.ts'
import { createDocumentReader } from '../worker/document-reader.ts'

const reader = createDocumentReader()
afterAll(() => reader.close())

const read = (file: string | Uint8Array, timeoutMs = 50_000): Promise<ReadOutcome> =>
  reader.read(
    typeof file === 'string' ? Buffer.from(file, 'latin1') : file,
    '/papers/a-name.pdf',
    'pdf',
    {
      timeoutMs,
    },
  )

async function documentOf(file: string | Uint8Array): Promise<Document> {
  const outcome = await read(file)
  if (!outcome.ok) throw new Error(outcome.unreadable.detail)
  return outcome.document
}

async function refusalOf(file: string | Uint8Array, timeoutMs?: number) {
  const outcome = await read(file, timeoutMs)
  return outcome.ok ? undefined : outcome.unreadable
}

const pageText = ({ text, pages }: Document, page: number) =>
  text.slice(pages[page - 1]?.start, pages[page - 1]?.end)

describe('a PDF', () => {
  it('gives its pages as spans of one text, its hash and its size', async () => {
    const file = pdfOf({
      pages: [lines(700, 'First page, first line.'), lines(700, 'Second page.')],
    })
    const document = await documentOf(file)
    expect(document.pages).toHaveLength(2)
    expect(pageText(document, 1)).toBe('First page, first line.')
    expect(pageText(document, 2)).toBe('Second page.')
    expect(document).toMatchObject({ kind: 'pdf', sizeBytes: file.length, notes: [] })
    expect(document.contentHash).toMatch(/^[0-9a-f]{64}$/)
    expect(document.csl.id).toBe(document.contentHash)
  })

  it('joins flowing lines, broken words and ligatures, and keeps paragraphs', async () => {
    const page =
      lines(
        700,
        'The words of a line go on in the next, and an exam-',
        'ple that is broken at its end is put together \\001nally,',
        'until the paragraph ends here.',
      ) + lines(640, 'Another paragraph starts after a gap that is wider.')
    const document = await documentOf(pdfOf({ pages: [page] }))
    expect(document.text).toBe(
      'The words of a line go on in the next, and an example that is broken at its end is put together finally, until the paragraph ends here.\n\nAnother paragraph starts after a gap that is wider.',
    )
  })

  it('writes raised digits as superscripts, so that a power is not read as a number', async () => {
    const raised =
      'BT /F1 10 Tf 50 700 Td (about 10) Tj /F1 6 Tf 4 Ts (23) Tj 0 Ts /F1 10 Tf ( molecules) Tj ET'
    expect((await documentOf(pdfOf({ pages: [raised] }))).text).toBe('about 10²³ molecules')
  })

  it('takes the title of the metadata where the page shows it, else the largest text', async () => {
    const page = `${heading(740, 'Foxes and Hens')}${lines(700, 'A study of foxes.')}`
    const title = async (given: string) =>
      (await documentOf(pdfOf({ pages: [page], title: given }))).title
    expect(await title('Foxes and hens')).toBe('Foxes and hens')
    expect(await title('Microsoft Word - draft7.doc')).toBe('Foxes and Hens')
    expect(await title('Proceedings of a Conference')).toBe('Foxes and Hens')
    expect((await documentOf(pdfOf({ pages: [lines(700, 'only small text')] }))).title).toBe(
      'a-name',
    )
  })

  it('finds headings and where they stand', async () => {
    const page = `${heading(740, '1 Introduction')}${lines(700, ...prose('intro', 5))}${heading(600, '1.1 Aims')}${lines(570, ...prose('aims', 5))}`
    const { sections, text } = await documentOf(pdfOf({ pages: [page] }))
    expect(sections.map(({ title, level }) => [title, level])).toEqual([
      ['1 Introduction', 1],
      ['1.1 Aims', 2],
    ])
    for (const { title, start } of sections)
      expect(text.slice(start)).toMatch(new RegExp(`^${title}`))
  })

  it('notes pages without text', async () => {
    const document = await documentOf(
      pdfOf({ pages: ['', lines(700, 'Words.'), '', '0 0 m 9 9 l S'] }),
    )
    expect(document.notes).toEqual(['pages 1, 3–4: no text; possibly a scan or an image'])
    expect(document.pages).toHaveLength(4)
  })

  it('reads text in a font and a character map that are not in the file', async () => {
    const page = `BT /F3 10 Tf 50 600 Td <82a082a2> Tj ET ${lines(700, 'Words.')}`
    expect(await documentOf(pdfOf({ pages: [page] }))).toMatchObject({
      text: 'あい\n\nWords.',
      notes: [],
    })
  })

  it('reads right-to-left text in the order of reading, as it is drawn from left to right', async () => {
    const hebrew =
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding/Differences[97/afii57664/afii57665/afii57666]>>>>'
    const page = 'BT /F9 10 Tf 50 700 Td (cba 12) Tj ET'
    const file = pdfOf({ pages: [page], fonts: '/F9 {0}', objects: [hebrew] })
    expect((await documentOf(file)).text).toBe('12 אבג')
  })

  it('reads what is drawn, not the text that it is to be replaced with', async () => {
    const page = `/Span <</ActualText (Something else.)>> BDC ${lines(700, 'Drawn.')} EMC`
    expect((await documentOf(pdfOf({ pages: [page] }))).text).toBe('Drawn.')
  })

  it('loses running heads and page numbers, but says a head once', async () => {
    const pages = [1, 2, 3, 4].map(
      (page) =>
        `${lines(780, 'Journal of Hens')}${lines(700, ...prose(`p${page}`, 3))}${lines(40, `${page + 7}`)}`,
    )
    const document = await documentOf(pdfOf({ pages }))
    expect(document.text.match(/Journal of Hens/g)).toHaveLength(1)
    expect(pageText(document, 3)).toBe(prose('p3', 3).join(' '))
  })
})

describe('two columns', () => {
  const left = prose('L', 20)
  const right = prose('R', 20)
  const inOrder = (text: string) => (text.match(/[LR]\d+/g) ?? []).join(' ')
  const wanted = [...left, ...right].map((line) => line.split(' ')[0]).join(' ')

  it('read one after the other when drawn so', async () => {
    const page = `${at(50, 700, left)}${at(320, 700, right)}`
    expect(inOrder((await documentOf(pdfOf({ pages: [page] }))).text)).toBe(wanted)
  })

  it('read one after the other when drawn line by line across both, below a title over both', async () => {
    const rows = left.map(
      (line, row) =>
        at(50, 700 - 12 * row, [line]) + at(320, 700 - 12 * row, [right[row] as string]),
    )
    const page =
      heading(740, 'A title that stands over the whole width of both of the columns') +
      rows.join('')
    const { text, title } = await documentOf(pdfOf({ pages: [page] }))
    expect(inOrder(text)).toBe(wanted)
    expect(text.startsWith(title)).toBe(true)
  })

  it('are not seen in a table', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, row) => at(50, 700 - 12 * row, [`L${row} name`]) + at(320, 700 - 12 * row, [`R${row}`]),
    )
    const { text } = await documentOf(pdfOf({ pages: [rows.join('')] }))
    expect(text.split('\n').slice(0, 2)).toEqual(['L0 name R0', 'L1 name R1'])
  })
})

describe('a PDF that cannot be read', () => {
  it('is refused with its reason when it is locked', async () => {
    expect(await refusalOf(pdfOf({ pages: [lines(700, 'Secret.')], locked: true }))).toMatchObject({
      reason: 'encrypted',
      detail: 'It is password-protected.',
      hint: expect.stringContaining('password'),
    })
  })

  it('is refused with a hint at OCR when no page has text', async () => {
    expect(await refusalOf(pdfOf({ pages: ['0 0 m 9 9 l S', ''] }))).toMatchObject({
      reason: 'no_text',
      detail: expect.stringContaining('None of its 2 pages'),
      hint: expect.stringContaining('OCR'),
    })
  })

  it('is refused when it is cut short or no PDF at all', async () => {
    const whole = pdfOf({ pages: [lines(700, 'Words.')] })
    for (const file of [
      whole.subarray(0, 60),
      Buffer.from('%PDF-1.7 and nothing else'),
      new Uint8Array(),
    ]) {
      const refusal = await refusalOf(file)
      expect(refusal?.reason).toBe('broken')
      expect(refusal?.detail).toMatch(/^The PDF is incomplete or damaged: \S/)
    }
  })

  it('is read as far as it goes when only its last lines are missing', async () => {
    const whole = pdfOf({ pages: [lines(700, 'Words that are still here.')] })
    expect((await documentOf(whole.subarray(0, whole.length - 20))).text).toBe(
      'Words that are still here.',
    )
  })

  it('is given up in time when it hangs, and the next file is read', async () => {
    const startedAt = performance.now()
    expect(await refusalOf(endless(), 700)).toMatchObject({
      reason: 'timed_out',
      detail: expect.stringContaining('0.7 s'),
    })
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect((await documentOf(pdfOf({ pages: [lines(700, 'Still here.')] }))).text).toBe(
      'Still here.',
    )
  })

  it('is given up when it swells, and the next file is read', async () => {
    expect(await refusalOf(swellingPdf())).toMatchObject({ reason: 'too_large' })
    expect((await documentOf(pdfOf({ pages: [lines(700, 'Still here.')] }))).text).toBe(
      'Still here.',
    )
  })
})

describe('a PDF reader', () => {
  it('reads more files at once than it has processes, each for itself', async () => {
    const files = ['one', 'two', 'three', 'four', 'five'].map((word) =>
      pdfOf({ pages: [lines(700, word)] }),
    )
    const outcomes = await Promise.all(files.map((file) => read(file)))
    expect(outcomes.map((outcome) => outcome.ok && outcome.document.text)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ])
  })

  it('stops at once when the signal is aborted, with its reason', async () => {
    const stop = new AbortController()
    const reading = reader.read(endless(), '/a.pdf', 'pdf', {
      timeoutMs: 60_000,
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(new Error('enough')), 200)
    await expect(reading).rejects.toThrow('enough')
    await expect(
      reader.read(endless(), '/a.pdf', 'pdf', { timeoutMs: 60_000, signal: stop.signal }),
    ).rejects.toThrow('enough')
    expect((await documentOf(pdfOf({ pages: [lines(700, 'Still here.')] }))).text).toBe(
      'Still here.',
    )
  })

  it('lets the process end that forgot to close it', async () => {
    const script = `
      const { createDocumentReader } = await import(${JSON.stringify(new URL('../worker/document-reader.ts', import.meta.url).href)})
      const outcome = await createDocumentReader().read(Buffer.from('%PDF-1.7'), 'a.pdf', 'pdf', { timeoutMs: 5_000 })
      console.log(outcome.unreadable.reason)`
    const args = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 })
    expect(stdout).toBe('broken\n')
  })

  it('fails what still runs when it is closed', async () => {
    const closing = createDocumentReader()
    const reading = closing.read(endless(), '/a.pdf', 'pdf', { timeoutMs: 60_000 })
    const failed = expect(reading).rejects.toMatchObject({ code: 'cancelled' })
    await closing.close()
    await failed
  })
})

/** Lines of prose of about 45 characters, each beginning with a marker of its own. */
function prose(marker: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, line) => `${marker}${line} words in a line of prose that fills it up`,
  )
}

function lines(y: number, ...texts: string[]): string {
  return at(50, y, texts)
}

function at(x: number, y: number, texts: readonly string[]): string {
  return `BT /F1 10 Tf 12 TL ${x} ${y} Td ${texts.map((text) => `(${text}) Tj T*`).join(' ')} ET\n`
}

function heading(y: number, text: string): string {
  return `BT /F2 16 Tf 50 ${y} Td (${text}) Tj ET\n`
}

/** Forms that draw the next form four times, thirty deep. */
function endless(): Buffer {
  const forms = Array.from(
    { length: 30 },
    (_, depth) => `/X${depth + 1} Do `.repeat(4) + lines(700, 'a'),
  )
  return pdfOf({ pages: ['/X0 Do'], forms })
}
