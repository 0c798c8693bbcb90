import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/json.ts'
import type { Paper, PlaceOutcome } from '../../src/papers/paper.ts'
import { filesPlace } from '../../src/papers/places/files-place.ts'
import { libraryPlace } from '../../src/papers/places/library-place.ts'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { readFileDocument } from '../../src/sources/read-file.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import { paperPdf } from './paper-pdf.ts'
import { unending } from './paper-world.ts'
import { sparseAttentionPapers } from './served-papers.ts'

let folder: string
let library: Library
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-files-'))
  library = createLibrary(openLibraryStore(':memory:'))
})
afterEach(async () => {
  await library.close()
  rmSync(folder, { recursive: true, force: true })
})

function papersOf(outcome: PlaceOutcome): readonly Paper[] {
  if (!outcome.ok) throw new Error(outcome.detail)
  return outcome.papers
}

/** Writes the first papers of the tests as PDFs, in two folders. */
function writePapers(count: number): void {
  mkdirSync(join(folder, 'more'))
  for (const [at, paper] of sparseAttentionPapers.slice(0, count).entries()) {
    writeFileSync(join(folder, at % 2 === 0 ? '' : 'more', `paper_${at}.pdf`), paperPdf(paper))
  }
}

async function addToLibrary(path: string): Promise<void> {
  const outcome = await readFileDocument({ path })
  if (!outcome.ok) throw new Error(outcome.unreadable.detail)
  await library.add(outcome.document, path)
}

const search = (limit: number, query = 'faint stars in images', paths = [folder]) =>
  filesPlace({ paths, library }).search({ query, limit }, unending)

describe('files as a place', () => {
  it('are all kept where they are no more than wanted, whatever is asked, and none is read', async () => {
    writePapers(3)
    const papers = papersOf(await search(3, 'owls'))
    expect(papers.map(({ title }) => title)).toEqual(['paper 1', 'paper 0', 'paper 2'])
    const [first] = sparseAttentionPapers
    const hash = sha256(paperPdf(first as never))
    expect(papers[1]).toMatchObject({
      id: `file:${hash.slice(0, 16)}`,
      path: join(folder, 'paper_0.pdf'),
      foundBy: ['files'],
    })
    expect(await library.source(hash)).toBeUndefined()
  })

  it('are ranked by what they say of the query where they are more', async () => {
    writePapers(6)
    const outcome = await search(2)
    expect(papersOf(outcome)[0]?.title).toBe('Sparse Attention in Images of the Night Sky')
    expect(papersOf(outcome)).toHaveLength(2)
    expect(outcome.ok && outcome.notes).toEqual([
      expect.stringContaining('Of 6 files'),
      expect.stringContaining('No word of the query occurs in'),
    ])
    // What had to be read is in the library, for this run alone.
    expect(await library.list()).toEqual([])
    expect(await library.source(papersOf(outcome)[0]?.sourceId as never)).toBeDefined()
  })

  it('have the names that the library knows, and are there once for each content', async () => {
    writePapers(2)
    writeFileSync(join(folder, 'copy.pdf'), paperPdf(sparseAttentionPapers[0] as never))
    await addToLibrary(join(folder, 'paper_0.pdf'))
    const papers = papersOf(await search(5))
    expect(papers).toHaveLength(2)
    expect(papers[0]).toMatchObject({
      title: 'Block Sparse Attention for Long Documents',
      path: join(folder, 'copy.pdf'),
    })
  })

  it('are papers only: what else is there is passed over and named', async () => {
    writePapers(1)
    writeFileSync(join(folder, 'data.csv'), 'a,b\n1,2\n')
    writeFileSync(join(folder, 'notes.md'), '# Notes\n\nOn owls.')
    writeFileSync(join(folder, 'empty.pdf'), '')
    const outcome = await search(5)
    expect(papersOf(outcome).map(({ title }) => title)).toEqual(['notes', 'paper 0'])
    expect(outcome.ok && outcome.notes?.join()).toMatch(/data\.csv.*empty\.pdf/)
  })

  it('fail where nothing can be opened, and are empty where there is nothing', async () => {
    const outcome = await search(5, 'x', [join(folder, 'nowhere.pdf')])
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'not_found',
      detail: expect.stringContaining('nowhere.pdf'),
    })
    expect(await search(5)).toMatchObject({ ok: true, papers: [] })
  })

  it('are not looked for outside of the folder that is allowed', async () => {
    writePapers(1)
    const inside = join(folder, 'more')
    symlinkSync(join(folder, 'paper_0.pdf'), join(inside, 'link.pdf'))
    const place = filesPlace({ paths: [inside], within: inside, library })
    expect(await place.search({ query: 'x', limit: 5 }, unending)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('leads outside'),
    })
  })

  it('that are broken are told and left out of the ranking', async () => {
    writePapers(3)
    writeFileSync(join(folder, 'broken.pdf'), '%PDF-1.4\nnothing of a PDF')
    const outcome = await search(2, 'memory')
    expect(papersOf(outcome)).toHaveLength(2)
    expect(outcome.ok && outcome.notes?.join()).toContain('broken.pdf')
  })
})

describe('the library as a place', () => {
  it('gives the sources that say most of the query first, each once', async () => {
    writePapers(6)
    for (const at of [0, 2, 4]) await addToLibrary(join(folder, `paper_${at}.pdf`))
    const place = libraryPlace(library)
    const papers = papersOf(await place.search({ query: 'telephones energy', limit: 5 }, unending))
    expect(papers[0]).toMatchObject({
      title: 'Sparse Attention on Small Devices',
      path: join(folder, 'paper_4.pdf'),
      sourceId: expect.stringMatching(/^[\da-f]{64}$/),
      foundBy: ['library'],
    })
    const all = papersOf(await place.search({ query: 'sparse attention', limit: 2 }, unending))
    expect(new Set(all.map(({ id }) => id)).size).toBe(2)
  })

  it('is empty where nothing matches, and says that it knows no categories', async () => {
    const wanted = { query: 'owls', category: 'cs.CL', limit: 5 }
    expect(await libraryPlace(library).search(wanted, unending)).toEqual({
      ok: true,
      papers: [],
      notes: [expect.stringContaining('no categories')],
    })
  })
})
