import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPaperReader } from '../../src/papers/reading/read-paper.ts'
import { createDocumentReader } from '../../src/sources/files/worker/document-reader.ts'
import { openLibrary } from '../../test/contracts/sqlite-library.ts'

/** What reading all papers into an empty library took, and doing so again. */
export interface PaperSpeed {
  readonly pagesPerS: number
  /** When the library had them: they are cut only. */
  readonly againPagesPerS: number
  readonly chunks: number
  readonly references: number
  readonly abstracts: number
  readonly named: number
}

/** Reads papers as a run does: into a library on disk, two at a time, cut into chunks. */
export async function measurePapers(paths: readonly string[]): Promise<PaperSpeed> {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-bench-papers-'))
  const library = openLibrary(join(folder, 'library.db'))
  const reader = createDocumentReader()
  const papers = createPaperReader({ library, reader })
  const signal = new AbortController().signal
  const about = { title: '', csl: { id: '', type: 'document' } } as const
  const readAll = async () => {
    const startedAt = performance.now()
    const readings = await Promise.all(
      paths.map((path) => papers.readFile({ path }, about, signal)),
    )
    const good = readings.filter((reading) => reading.ok)
    const pages = good.reduce((sum, { pageCount }) => sum + pageCount, 0)
    return { good, pagesPerS: (1_000 * pages) / (performance.now() - startedAt) }
  }
  try {
    const { good, pagesPerS } = await readAll()
    return {
      pagesPerS,
      againPagesPerS: (await readAll()).pagesPerS,
      chunks: good.reduce((sum, { chunks }) => sum + chunks.length, 0),
      references: good.reduce((sum, { referenceCount }) => sum + referenceCount, 0),
      abstracts: good.filter(({ abstract }) => abstract !== '').length,
      named: good.filter(({ authors }) => authors.length > 0).length,
    }
  } finally {
    await reader.close()
    await library.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
