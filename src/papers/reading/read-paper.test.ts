import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documentOf } from '../../../test/contracts/library-fixture.ts'
import { openLibrary } from '../../../test/contracts/sqlite-library.ts'
import { paperPdf } from '../../../test/papers/paper-pdf.ts'
import type { SourceId } from '../../citations/source.ts'
import type { Library } from '../../retrieval/library.ts'
import {
  createDocumentReader,
  type DocumentReader,
} from '../../sources/files/worker/document-reader.ts'
import type { PaperReading } from '../paper.ts'
import { createPaperReader } from './read-paper.ts'
import { createWorkCache } from './work-cache.ts'

const workers = createDocumentReader()
afterAll(() => workers.close())

let folder = ''
let library: Library
/** The paths that workers have read. */
let read: string[] = []
const reader: DocumentReader = {
  read: (bytes, path, ...rest) => {
    read.push(path)
    return workers.read(bytes, path, ...rest)
  },
  prepare: (kind) => workers.prepare(kind),
  close: () => workers.close(),
}
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-papers-'))
  library = openLibrary(join(folder, 'library.db'))
  read = []
})
afterEach(async () => {
  await library.close()
  rmSync(folder, { recursive: true, force: true })
})

const signal = new AbortController().signal
const unknown = { title: '', csl: { id: 'x', type: 'document' } } as const

function fileOf(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

async function readingOf(path: string, about: Parameters<typeof readFile>[1] = unknown) {
  const reading = await readFile(path, about)
  if (!reading.ok) throw new Error(reading.detail)
  return reading
}
const readFile = (
  path: string,
  about: Parameters<ReturnType<typeof createPaperReader>['readFile']>[1],
): Promise<PaperReading> => createPaperReader({ library, reader }).readFile({ path }, about, signal)

const sentence = 'Each of the trees was measured twice a year by the same people. '
const paper = paperPdf({
  title: 'The Growth of Oaks in Cities',
  authors: ['Ada Lovelace', 'Mary Anning'],
  abstract: 'We measure oaks in forty cities. They grow faster than those in woods.',
  sections: [
    { heading: 'Introduction', paragraphs: [sentence.repeat(40), sentence.repeat(40)] },
    { heading: 'Results', paragraphs: [`The oaks grew 12 % faster. ${sentence.repeat(40)}`] },
  ],
  references: ['[1] A. Linden. On limes. 1999.', '[2] B. Esche. On ash trees. 2004.'],
})

describe('reading a paper', () => {
  it('gives what it is and chunks that are slices of its text, and puts it into the library unlisted', async () => {
    const reading = await readingOf(fileOf('a1b2.pdf', paper))
    expect(reading).toMatchObject({
      title: 'The Growth of Oaks in Cities',
      authors: ['Ada Lovelace', 'Mary Anning'],
      abstract: 'We measure oaks in forty cities. They grow faster than those in woods.',
      referenceCount: 2,
      notes: [],
    })
    expect(reading.pageCount).toBeGreaterThan(1)
    const titles = reading.sections.map(({ title }) => title)
    expect(titles).toEqual(['Abstract', '1 Introduction', '2 Results', 'References'])
    expect(reading.sections[0]?.page).toBe(1)
    const text = (await library.text(reading.sourceId)) ?? ''
    const results = reading.chunks.find(({ start, end }) => text.slice(start, end).includes('12 %'))
    expect(results).toMatchObject({ section: '2 Results', kind: 'text' })
    expect(reading.chunks.at(-1)?.kind).toBe('references')
    expect(text.slice(reading.chunks.at(-1)?.start)).toContain('On ash trees')
    expect(await library.list()).toEqual([])
  })

  it('reads no file twice: the same again by its bytes, under another name, after a restart', async () => {
    const first = await readingOf(fileOf('one.pdf', paper))
    expect(read).toHaveLength(1)
    await library.close()
    library = openLibrary(join(folder, 'library.db'))
    expect(await readingOf(fileOf('two.pdf', paper))).toEqual(first)
    expect(await createPaperReader({ library, reader }).readSource(first.sourceId)).toEqual(first)
    expect(read).toHaveLength(1)
  })

  it('gives the same from a kept cut, which has no word of the paper, and cuts again where that is broken', async () => {
    const first = await readingOf(fileOf('one.pdf', paper))
    const cache = createWorkCache(folder)
    const again = () => createPaperReader({ library, reader, cache }).readSource(first.sourceId)
    const path = join(folder, 'cuts', `${first.sourceId}.json`)
    expect(await again()).toEqual(first)
    const whole = readFileSync(path, 'utf8')
    expect(whole).not.toMatch(/oak|introduction|linden/i)
    expect(await again()).toEqual(first)
    writeFileSync(path, whole.slice(0, 100))
    expect(await again()).toEqual(first)
    expect(readFileSync(path, 'utf8')).toBe(whole)
  })

  it('keeps the record that a search gave, and its title where the file has none', async () => {
    const path = fileOf('c3d4.txt', `${sentence.repeat(3)}Oaks grow in woods.`)
    const csl = { id: 'arxiv:1', type: 'article', title: 'Oaks in Woods', DOI: '10.1/x' } as const
    const reading = await readingOf(path, {
      title: 'Oaks in Woods',
      csl,
      url: 'https://a.example/1',
    })
    expect(reading.title).toBe('Oaks in Woods')
    const source = await library.source(reading.sourceId)
    expect(source?.csl).toMatchObject({
      DOI: '10.1/x',
      URL: 'https://a.example/1',
      type: 'article',
    })
    expect(source?.csl.id).toBe(reading.sourceId)
  })

  it('keeps the title of a record next to that of the file, unless it is the file’s name', async () => {
    const recorded = async (name: string, title: string) => {
      const csl = { id: 'x', type: 'document', title } as const
      const file = fileOf(name, `# Oaks of ${name}\n\n${sentence}`)
      const { sourceId, title: shown } = await readingOf(file, { title: '', csl })
      return [shown, (await library.source(sourceId))?.csl.title]
    }
    expect(await recorded('a.md', 'Oaks in Woods')).toEqual(['Oaks of a.md', 'Oaks in Woods'])
    expect(await recorded('b.md', 'b')).toEqual(['Oaks of b.md', 'Oaks of b.md'])
  })

  it('says which pages of what the library has are empty', async () => {
    const pages = [
      { start: 0, end: 9 },
      { start: 11, end: 11 },
      { start: 13, end: 18 },
    ]
    const document = documentOf('Oaks', 'One page.\n\n\n\nThree', { kind: 'pdf', pages })
    await library.addAll([{ document, path: '/oaks.pdf' }])
    const reading = await createPaperReader({ library, reader }).readSource(document.contentHash)
    expect(reading).toMatchObject({
      pageCount: 3,
      notes: ['1 of 3 pages have no text, starting with page 2'],
    })
  })

  it('has no title where neither the file nor a record names one', async () => {
    const reading = await readingOf(fileOf('e5f6.txt', sentence.repeat(3)))
    expect(reading.title).toBe('')
    expect((await library.source(reading.sourceId))?.csl.title).toBe('e5f6')
  })

  it('says when a file does not show the title that it was fetched for, each time', async () => {
    const path = fileOf('g7.pdf', paper)
    const about = { ...unknown, title: 'Deep Networks for Speech Recognition' }
    for (const _ of ['first', 'again'])
      expect((await readingOf(path, about)).notes).toEqual([
        expect.stringContaining('do not contain the title “Deep Networks for Speech Recognition”'),
      ])
    expect(
      (await readingOf(path, { ...unknown, title: 'Growth of oaks in cities' })).notes,
    ).toEqual([])
  })

  it('reads Markdown and web pages too, which have no pages', async () => {
    const markdown = `# Oaks\n\n## Abstract\n\nThey grow.\n\n## Methods\n\n${sentence}\n\n## References\n\n- [1] One. 1999.\n- [2] Two. 2001.\n`
    const html = `<title>Oaks</title><h1>Oaks</h1><h2>Methods</h2><p>${sentence.repeat(9)}</p>`
    const one = await readingOf(fileOf('oaks.md', markdown))
    expect(one).toMatchObject({
      title: 'Oaks',
      abstract: 'They grow.',
      pageCount: 0,
      referenceCount: 2,
    })
    const two = await readingOf(fileOf('oaks.html', html))
    for (const { chunks, sections } of [one, two]) {
      expect(sections.map(({ title }) => title)).toContain('Methods')
      expect(chunks.length).toBeGreaterThan(0)
      for (const chunk of chunks) expect(chunk).not.toHaveProperty('page')
    }
  })

  it('gives a reason for what it cannot read', async () => {
    const broken = await readFile(fileOf('broken.pdf', '%PDF-1.7 and no more'), unknown)
    expect(broken).toMatchObject({ ok: false, reason: 'broken' })
    expect(await readFile(join(folder, 'gone.pdf'), unknown)).toMatchObject({ reason: 'not_found' })
    const unread = createPaperReader({ library, reader }).readSource('f'.repeat(64) as SourceId)
    expect(await unread).toMatchObject({ ok: false, reason: 'not_found' })
  })

  it('stops when it is told to', async () => {
    const stop = AbortSignal.abort(new Error('enough'))
    const stopped = createPaperReader({ library, reader }).readFile(
      { path: fileOf('s.pdf', paper) },
      unknown,
      stop,
    )
    await expect(stopped).rejects.toThrow('enough')
  })
})
