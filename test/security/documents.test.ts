import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/run/clock.ts'
import { maxTextUnits, maxTextUnitsAtOnce, type ReadOutcome } from '../../src/sources/document.ts'
import { KnownFiles } from '../../src/sources/known-files.ts'
import { readPaths } from '../../src/sources/read-files.ts'
import { CommandLine, jsonOf } from '../cli/command.ts'
import {
  docxOf,
  epubOf,
  paragraph,
  pptxOf,
  shapeOf,
  xlsxOf,
  zipOf,
} from '../sources/office-files.ts'
import { assembled, type PdfParts, pdfOf, stream, swellingPdf } from '../sources/pdf-files.ts'
import { ReadingFolder } from '../sources/reading.ts'

const folder = new ReadingFolder()
afterAll(() => folder.remove())

const SEEN = 'Everybody sees this.'
const seen = `BT /F1 10 Tf 50 700 Td (${SEEN}) Tj ET\n`
/** Text in the middle of the page, after what is set for it. */
const text = (said: string, setting = '') =>
  `q BT /F1 10 Tf 50 400 Td ${setting} (${said}) Tj ET Q\n`
const secret = text('SECRET')
const around = '40 390 200 30 re'
/** An opaque picture of one point, over the text or over the page. */
const image = 'BI /W 1 /H 1 /CS /RGB /BPC 8 ID abc EI'
const picture = `q 200 0 0 30 40 390 cm ${image} Q\n`
const pagePicture = `q 600 0 0 800 0 0 cm ${image} Q\n`
const circle = '240 405 m 240 520 40 520 40 405 c 40 290 240 290 240 405 c h f\n'
const off = '/OCProperties<</OCGs[{0}]/D<</OFF[{0}]>>>>'
const layer = ['<</Type/OCG/Name(Off)>>']

/** What a page draws so that nobody sees SECRET; what it shows besides is {@link SEEN}. */
const hidden: Readonly<Record<string, Omit<PdfParts, 'pages'> & { readonly page: string }>> = {
  'rendering mode 3': { page: text('SECRET', '3 Tr') },
  'rendering mode 7 with nothing drawn in its shape': { page: text('SECRET', '7 Tr') },
  'a layer that is off': {
    page: `/OC /L BDC ${secret} EMC`,
    resources: '/Properties<</L {0}>>',
    catalog: off,
    objects: layer,
  },
  'a layer that is off, below what everybody sees': {
    page: `/OC /L BDC ${text('SECRET', '0 300 Td')} EMC`,
    resources: '/Properties<</L {0}>>',
    catalog: off,
    objects: layer,
  },
  'a layer that is off, in one that is on': {
    page: `/OC /M BDC /OC /L BDC ${secret} EMC EMC`,
    resources: '/Properties<</L {0}/M {1}>>',
    catalog: '/OCProperties<</OCGs[{0} {1}]/D<</OFF[{0}]>>>>',
    objects: [...layer, '<</Type/OCG/Name(On)>>'],
  },
  'a form in a layer that is off': {
    page: '/X0 Do',
    forms: [secret],
    form: '/OC {0}',
    catalog: off,
    objects: layer,
  },
  'a tiny size': { page: text('SECRET', '/F1 0.5 Tf') },
  'a tiny scale': { page: `q 0.01 0 0 0.01 0 0 cm ${secret} Q` },
  'a place outside of the page': { page: text('SECRET', '0 -900 Td') },
  'a clip elsewhere': { page: `q 0 0 10 10 re W n ${secret} Q` },
  'an empty clip': { page: `q 50 400 0 0 re W n ${secret} Q` },
  'the clip of a form': { page: `q 0.001 0 0 0.001 700 0 cm /X0 Do Q`, forms: [secret] },
  'no opacity': {
    page: text('SECRET', '/G gs'),
    resources: '/ExtGState<</G<</ca 0/CA 0>>>>',
  },
  'white on white': { page: text('SECRET', '1 g') },
  'almost white on white': { page: text('SECRET', '.98 .99 1 rg') },
  'white in CMYK': { page: text('SECRET', '0 0 0 0 k') },
  'white outlines': { page: text('SECRET', '1 Tr 1 G') },
  'black on black': { page: `0 g ${around} f ${secret}` },
  'white on a white circle on white': { page: `1 g ${circle}${text('SECRET', '1 g')}` },
  'a rectangle over it': { page: `${secret} 1 g ${around} f` },
  'a circle over it': { page: `${secret} 1 g ${circle}` },
  'a broad line over it': { page: `${secret} 1 G 30 w 40 405 m 240 405 l S` },
  'what everybody sees over it': { page: text('SECRET', '1 g 0 300 Td') },
  'a picture over it': { page: `${secret}${picture}` },
  'a picture from elsewhere over it': {
    page: `${secret} q 200 0 0 30 40 390 cm /I Do Q`,
    images: '/I {0}',
    objects: [stream(imageOf('RGB'), 'abc')],
  },
}

describe('a PDF leaves out text that nobody sees', () => {
  it.each(Object.entries(hidden))('by %s', async (_way, { page, ...parts }) => {
    const { text: read, notes } = await folder.document(
      'a.pdf',
      pdfOf({ pages: [`q ${page} Q ${seen}`], ...parts }),
    )
    expect(read).toBe(SEEN)
    expect(notes).toEqual([expect.stringMatching(/^page 1: hidden text was omitted: /)])
  })

  it.each(Object.keys(hidden))('and is refused when there is no other: %s', async (way) => {
    const { page, ...parts } = hidden[way] as (typeof hidden)[string]
    expect(await folder.refusal('a.pdf', pdfOf({ pages: [page], ...parts }))).toMatchObject({
      reason: 'no_text',
      detail: expect.stringContaining('Its text is invisible to readers'),
    })
  })
})

/** The entries of a picture of one point. */
function imageOf(space: string): string {
  return `/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/Device${space}`
}

/** What a page draws around text that everybody sees. */
const shown: Readonly<Record<string, Omit<PdfParts, 'pages'> & { readonly page: string }>> = {
  'white on black': { page: `0 g ${around} f ${text('SHOWN', '1 g')}` },
  'white on a black circle': { page: `0 g ${circle}${text('SHOWN', '1 g')}` },
  'white on a broad black line': { page: `30 w 40 405 m 240 405 l S ${text('SHOWN', '1 g')}` },
  'white on a picture': { page: `${picture}${text('SHOWN', '1 g')}` },
  'black on white': { page: `1 g ${around} f 0 g ${text('SHOWN')}` },
  'white with black outlines': { page: text('SHOWN', '2 Tr 1 g 0 G') },
  'under a picture elsewhere': { page: `${text('SHOWN')} q 200 0 0 30 300 390 cm ${image} Q` },
  'under what lets it through': {
    page: `${text('SHOWN')} /G gs 1 g ${around} f`,
    resources: '/ExtGState<</G<</ca .3>>>>',
  },
  'under a picture with a soft mask': {
    page: `${text('SHOWN')} q 200 0 0 30 40 390 cm /I Do Q`,
    images: '/I {0}',
    objects: [stream(`${imageOf('RGB')}/SMask {1}`, 'abc'), stream(imageOf('Gray'), '\0')],
  },
  'under a picture with a mask': {
    page: `${text('SHOWN')} q 200 0 0 30 40 390 cm /I Do Q`,
    images: '/I {0}',
    objects: [
      stream(`${imageOf('RGB')}/Mask {1}`, 'abc'),
      stream(
        '/Type/XObject/Subtype/Image/Width 1/Height 1/ImageMask true/BitsPerComponent 1',
        '\xff',
      ),
    ],
  },
  'under a picture without one of its colours': {
    page: `${text('SHOWN')} q 200 0 0 30 40 390 cm /I Do Q`,
    images: '/I {0}',
    objects: [stream(`${imageOf('RGB')}/Mask[97 97 98 98 99 99]`, 'abc')],
  },
  'in a layer that is on': {
    page: `/OC /L BDC ${text('SHOWN')} EMC`,
    resources: '/Properties<</L {0}>>',
    catalog: '/OCProperties<</OCGs[{0}]/D<</ON[{0}]>>>>',
    objects: layer,
  },
  'in the shape of letters': { page: `q BT /F1 10 Tf 50 400 Td 7 Tr (SHOWN) Tj ET ${picture} Q` },
  'drawn again over what covers it': {
    page: `${text('SHOWN')} 1 g ${around} f 0 g ${text('SHOWN')}`,
  },
  'without ink, for selection, over shapes like it': {
    page: `0 g 52 402 3 8 re 58 402 3 8 re f ${text('SHOWN', '/F9 10 Tf')}`,
    fonts: '/F9 {0}',
    objects: [
      '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 72/LastChar 87/Widths[500 500 500 500 500 500 500 500 500 500 500 500 500 500 500 500]/Encoding<</Differences[72/H 78/N/O 83/S 87/W]>>/CharProcs<</H {1}/N {1}/O {1}/S {1}/W {1}>>/Resources<<>>>>',
      stream('', '500 0 0 0 500 700 d1'),
    ],
  },
  'small, in a page of large units': { page: text('SHOWN', '/F1 1.2 Tf') },
  'tiny, enlarged': { page: `q 100 0 0 100 0 0 cm BT /F1 .1 Tf .5 4 Td (SHOWN) Tj ET Q` },
  'partly clipped': { page: `q 60 390 400 30 re W n ${text('SHOWN')} Q` },
}

describe('a PDF gives text that is seen', () => {
  it.each(Object.entries(shown))('%s', async (_way, { page, ...parts }) => {
    const { text: read, notes } = await folder.document(
      'a.pdf',
      pdfOf({ pages: [seen + page], ...parts }),
    )
    expect(read).toMatch(new RegExp(`^${SEEN}\\s+(?:SHOWN|HOWN)$`))
    if (!_way.startsWith('partly')) expect(notes).toEqual([])
  })
})

describe('a scanned page', () => {
  const prose = text('What the scan says.', '3 Tr') + text('And more of it.', '3 Tr 0 -20 Td')
  const mark = /^\[Not visible on the page: [^\]]+\]\n\n/

  it.each([
    ['not painted, over its picture', `${pagePicture}${prose}`],
    ['not painted, before its picture', `${prose}${pagePicture}`],
    ['behind its picture', `${prose.replaceAll('3 Tr', '')}${pagePicture}`],
  ])('keeps its recognised text, marked: %s', async (_way, page) => {
    const {
      text: read,
      pages,
      notes,
    } = await folder.document('scan.pdf', pdfOf({ pages: [seen, page] }))
    const second = read.slice(pages[1]?.start, pages[1]?.end)
    expect(second).toMatch(mark)
    expect(second.replace(mark, '').split(/\s{1,2}(?=And)/)).toEqual([
      'What the scan says.',
      'And more of it.',
    ])
    expect(read.slice(0, pages[0]?.end)).toBe(SEEN)
    expect(notes).toEqual(['page 2: text from OCR'])
  })

  it('is none where the picture is small, or most of its text is drawn', async () => {
    for (const page of [
      `${picture}${text('SECRET', '3 Tr 0 -200 Td')}`,
      `${pagePicture}${seen.repeat(3)}${text('SECRET', '3 Tr')}`,
    ])
      expect((await folder.document('a.pdf', pdfOf({ pages: [seen + page] }))).text).not.toContain(
        'SECRET',
      )
  })
})

const run = (said: string, properties: string) =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t>${said}</w:t></w:r>`
const para = (runs: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${runs}</w:p>`
const inTable = (content: string) => `<w:tbl><w:tr><w:tc>${content}</w:tc></w:tr></w:tbl>`
const white = '<w:color w:val="FFFFFF"/>'
const styles = (list: string) => ({
  'word/styles.xml': `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${list}</w:styles>`,
  'word/_rels/document.xml.rels':
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
})
const style = (id: string, properties: string, type = 'character', base = '') =>
  `<w:style w:type="${type}" w:styleId="${id}">${base && `<w:basedOn w:val="${base}"/>`}<w:rPr>${properties}</w:rPr></w:style>`

describe('a Word document', () => {
  it.each([
    ['hidden', para(run('SECRET', '<w:vanish/>'))],
    ['hidden, said so', para(run('SECRET', "<w:vanish w:val = 'true' />"))],
    ['white', para(run('SECRET', white))],
    [
      'white by the theme',
      para(run('SECRET', '<w:color w:val="000000" w:themeColor="background1"/>')),
    ],
    ['tiny', para(run('SECRET', '<w:sz w:val="2"/>'))],
    ['hidden by a style', para(run('SECRET', '<w:rStyle w:val="H"/>')), style('H', '<w:vanish/>')],
    [
      'white by the style of a paragraph',
      para(run('SECRET', ''), '<w:pStyle w:val="H"/>'),
      style('H', white, 'paragraph'),
    ],
    [
      'hidden by what a style is based on',
      para(run('SECRET', '<w:rStyle w:val="I"/>')),
      style('I', '', 'character', 'H') + style('H', '<w:vanish/>'),
    ],
    [
      'by styles based on each other',
      para(run('SECRET', '<w:rStyle w:val="I"/>')),
      style('I', '<w:vanish/>', 'character', 'H') + style('H', '', 'character', 'I'),
    ],
    ['hidden in a table', inTable(para(run('SECRET', '<w:vanish/>') + run('Cell', '')))],
    [
      'hidden in a changed run',
      para(
        run('SECRET', '<w:vanish/><w:rPrChange><w:rPr><w:vanish w:val="0"/></w:rPr></w:rPrChange>'),
      ),
    ],
    [
      'hidden in a field',
      para(
        run('', '<w:vanish/>').replace(
          '<w:t>',
          '<w:fldChar w:fldCharType="begin"/><w:fldChar w:fldCharType="end"/><w:t>SECRET',
        ),
      ),
    ],
  ])('leaves out text that is %s', async (_way, body, list = '') => {
    const { text: read, notes } = await folder.document(
      'a.docx',
      docxOf(paragraph(SEEN) + body, {}, styles(list)),
    )
    expect(read.replace(/\s*Cell\.?$/, '')).toBe(SEEN)
    expect(notes).toEqual([expect.stringContaining('hidden text was omitted')])
  })

  it.each([
    ['not hidden after all', para(run('SHOWN', '<w:vanish w:val="0"/>'))],
    [
      'hidden by a style but not itself',
      para(run('SHOWN', '<w:rStyle w:val="H"/><w:vanish w:val="false"/>')),
      style('H', '<w:vanish/>'),
    ],
    [
      'white in a shaded paragraph',
      para(run('SHOWN', white), '<w:shd w:val="clear" w:fill="1F3864"/>'),
    ],
    ['white and highlighted', para(run('SHOWN', `${white}<w:highlight w:val="black"/>`))],
    ['white in a table', inTable(para(run('SHOWN', white)))],
    ['small', para(run('SHOWN', '<w:sz w:val="10"/>'))],
    ['next to a hidden mark of a paragraph', para(run('SHOWN', ''), '<w:rPr><w:vanish/></w:rPr>')],
  ])('gives text that is %s', async (_way, body, list = '') => {
    const { text: read, notes } = await folder.document(
      'a.docx',
      docxOf(paragraph(SEEN) + body, {}, styles(list)),
    )
    expect([read.replace(/\.?$/, ''), notes]).toEqual([`${SEEN}\n\nSHOWN`, []])
  })
})

describe('presentations and workbooks', () => {
  it('leave out shapes that are not shown, and mark hidden slides and sheets in their passages', async () => {
    const shape = shapeOf(['SECRET']).replace(
      '<p:nvSpPr>',
      '<p:nvSpPr><p:cNvPr id="2" hidden="1"/>',
    )
    const talk = pptxOf([
      { title: SEEN, shapes: shape },
      { title: 'Spare', isHidden: true },
    ])
    const slides = await folder.document('a.pptx', talk)
    expect(slides.text).toBe(`${SEEN}\n\n(Hidden slide)\n\nSpare`)
    expect(slides.notes).toEqual([
      'hidden slides were read as well: 2',
      'hidden shapes were omitted: slides 1',
    ])
    const workbook = xlsxOf({ Open: [['a'], [1]], Spare: [['b'], [2]] })
    const sheets = await folder.document('a.xlsx', hiding(workbook, 'Spare'))
    expect(sheets.sections.map(({ title }) => title)).toEqual(['Open', 'Spare (hidden sheet)'])
  })
})

/** A workbook with one of its sheets hidden. */
function hiding(workbook: Uint8Array, name: string): Uint8Array {
  const parts = unzipSync(workbook)
  const listed = strFromU8(parts['xl/workbook.xml'] as Uint8Array)
  return zipOf({
    ...parts,
    'xl/workbook.xml': listed.replace(`name="${name}"`, `$& state="veryHidden"`),
  })
}

describe('what is named again and again', () => {
  const again = (count: number, one: string) => one.repeat(count)
  const patched = (made: Uint8Array, part: string, find: RegExp, by: string) => {
    const parts = unzipSync(made)
    return zipOf({ ...parts, [part]: strFromU8(parts[part] as Uint8Array).replace(find, by) })
  }

  it.each([
    [
      'a chapter',
      'a.epub',
      patched(
        epubOf({ 'a.xhtml': `<p>${SEEN}</p>` }, '<dc:title>A</dc:title>'),
        'OEBPS/book.opf',
        /<itemref[^>]*>/,
        again(100_000, '<itemref idref="c0"/>'),
      ),
      'chapters',
    ],
    [
      'a slide',
      'a.pptx',
      patched(
        pptxOf([{ title: SEEN }]),
        'ppt/presentation.xml',
        /<p:sldId .*?\/>/,
        again(100_000, '<p:sldId id="256" r:id="rId1"/>'),
      ),
      'slides',
    ],
    [
      'a sheet',
      'a.xlsx',
      patched(
        xlsxOf({ S: [[SEEN], [1]] }),
        'xl/workbook.xml',
        /<sheet .*?\/>/,
        again(100_000, '<sheet name="S" sheetId="1" r:id="s1"/>'),
      ),
      'sheets',
    ],
  ])('is read once: %s', async (_what, name, file, what) => {
    const { text: read, notes } = await folder.document(name, file)
    expect(read.split(SEEN)).toHaveLength(2)
    expect(notes).toEqual([`repeated ${what} were read once: 99999`])
  })

  it('is read once: a page', async () => {
    const kids = again(1_000, '3 0 R ')
    const page =
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>'
    const objects = [
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${kids}]/Count 1000>>`,
      page,
      stream('', seen),
    ]
    const { text: read, notes } = await folder.document('a.pdf', assembled(objects, ''))
    expect(read.trim()).toBe(SEEN)
    expect(notes).toEqual(['pages 2–1000: identical to page 1'])
  })
})

describe('the whole text of what is read at once', () => {
  it('has a bound, after which the next file is named and nothing before it lost', async () => {
    const whole = 'a'.repeat(maxTextUnits)
    const least = maxTextUnitsAtOnce / maxTextUnits + 1
    const files = Array.from({ length: 40 }, (_, index) => ({
      path: join(folder.path, `${index}.txt`),
    }))
    const { contentHash, ...made } = await folder.document('one.txt', SEEN)
    const known = Object.assign(new KnownFiles(systemClock), {
      find: (path: string): ReadOutcome => ({
        ok: true,
        path,
        document: { ...made, contentHash, text: whole },
      }),
    })
    const outcomes = []
    for await (const outcome of readPaths(files, { known })) outcomes.push(outcome)
    expect(outcomes.slice(0, -1).every(({ ok }) => ok === true)).toBe(true)
    expect(outcomes).toHaveLength(least + 1)
    expect(outcomes.at(-1)).toMatchObject({
      path: files[least]?.path,
      why: expect.stringContaining('are read at once'),
    })
  })

  it('and that of one text file too', async () => {
    const { text: read, notes } = await folder.document(
      'long.txt',
      'word '.repeat(maxTextUnits / 5 + 1),
    )
    expect(read.length).toBeLessThanOrEqual(maxTextUnits)
    expect(notes).toEqual([`only the first ${maxTextUnits} characters were read`])
  })
})

describe('a PDF that ends what reads it', () => {
  const cli = new CommandLine()
  afterAll(() => cli.remove())
  const names = Array.from({ length: 6 }, (_, index) => `tides/${index}.md`)
  beforeAll(() => {
    mkdirSync(join(cli.folder, 'tides'))
    for (const [index, name] of names.entries())
      writeFileSync(
        join(cli.folder, name),
        `The Moon raises tides in harbour number ${index}, twice a day.`,
      )
    writeFileSync(join(cli.folder, 'tides/3-killing.pdf'), swellingPdf())
    writeFileSync(join(cli.folder, 'tides/4-sound.pdf'), pdfOf({ pages: [seen] }))
  })

  it('is refused alone, by its name, once', async () => {
    const { stdout, stderr } = await cli.run(['library', 'add', 'tides'])
    const said = `${stdout}${stderr}`.split('\n')
    const told = said.filter((line) => line.startsWith('refused'))
    expect(told).toEqual([
      expect.stringMatching(
        /^refused tides\/3-killing.pdf: (?:Reading it takes more than|The process that read it)/,
      ),
    ])
    expect(said.filter((line) => /^\d+ added /.test(line))).toHaveLength(names.length + 1)
  })

  it('is not read again by a resumed run after it', async () => {
    const question = 'What raises tides?'
    const cut = await cli.run(['ask', question, '--source', 'tides', '--max-steps', '4'])
    const [, runId = ''] = /scholium resume (\S+)/.exec(cut.stderr) ?? []
    rmSync(join(cli.folder, 'tides'), { recursive: true })
    const { gaps, status } = jsonOf(await cli.run(['resume', runId, '--max-steps', '90', '--json']))
    expect(status).not.toBe('failed')
    const named = gaps.filter(({ source = '' }) => source.includes('3-killing.pdf'))
    expect(named).toHaveLength(1)
  })
})
