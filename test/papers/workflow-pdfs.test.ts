import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/json.ts'
import { listFindings } from '../../src/papers/analyze.ts'
import type { Paper } from '../../src/papers/paper.ts'
import { createPaperReader } from '../../src/papers/reading/read-paper.ts'
import { createDocumentReader } from '../../src/sources/files/worker/document-reader.ts'
import { extractiveModels, PapersWorld } from './workflow-world.ts'

const data = process.env.SCHOLIUM_DATA
const names = ['other/ALCE.pdf', 's2orc/N18-3011.pdf', 'papermage/2302.07302v1.pdf']

describe.skipIf(data === undefined)('a folder of PDFs, offline (needs SCHOLIUM_DATA)', () => {
  const world = new PapersWorld([])
  const reader = createDocumentReader()
  afterAll(async () => {
    await reader.close()
    await world.close()
  })

  it('is read, analysed and compared, every finding on its page', async () => {
    const paths = names.map((name) => join(data ?? '', '04-pdf/papers', name))
    world.answers.set('files', { ok: true, papers: paths.map(paperAt) })
    const { result, runId } = await world.run('How are citations of scientific papers used?', {
      files: paths,
      tiers: [['files']],
      execution: { models: extractiveModels },
      parts: { reader: async () => createPaperReader({ library: world.library, reader }) },
    })
    expect(result).toMatchObject({ status: 'answered', stopReason: 'answered' })
    expect(result.papers.map(({ title, status }) => [title, status])).toEqual([
      ['Enabling Large Language Models to Generate Text with Citations', 'kept'],
      ['Construction of the Literature Graph in Semantic Scholar', 'kept'],
      [expect.stringContaining('CiteSee: Augmenting Citations in Scientific Papers'), 'kept'],
    ])
    const findings = result.analyses.flatMap(listFindings)
    expect(findings.length).toBeGreaterThan(15)
    for (const { verdict, evidence } of findings) {
      expect(verdict).toBe('verbatim')
      expect(evidence[0]?.page).toBeGreaterThan(0)
    }
    expect(result.coverage.verbatim).toBe(result.coverage.claims)
    const replay = await world.replay(runId, () => extractiveModels)
    expect(replay.result).toEqual(result)
  }, 120_000)
})

/** A paper as a folder gives it. */
function paperAt(path: string): Paper {
  const id = `file:${sha256(readFileSync(path)).slice(0, 16)}`
  const title = basename(path, '.pdf')
  return {
    ...{ id, title, path, authors: [], abstract: '', published: '', categories: [] },
    foundBy: ['files'],
    csl: { id, type: 'document' },
  }
}
