import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createInProcessMemory } from '../../../src/agents/actions/tools/agent-memory.ts'
import { libraryActions, toStoredText } from '../../../src/agents/actions/tools/library-actions.ts'
import { ragActions } from '../../../src/agents/actions/tools/rag-actions.ts'
import type { ToolActionServices } from '../../../src/agents/actions/tools/tool-action.ts'
import { createLibrary } from '../../../src/retrieval/create-library.ts'
import type { Library } from '../../../src/retrieval/library.ts'
import { openLibraryStore } from '../../../src/stores/sqlite/library.ts'
import { doAction } from './do-action.ts'

let services: ToolActionServices
let library: Library
let workspace = ''

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'library-actions-'))
  library = createLibrary(openLibraryStore(':memory:'))
  const memory = createInProcessMemory(() => 0)
  services = { workspace, library: () => library, memory: () => memory }
})

const act = (name: string, params: object) =>
  doAction([...libraryActions(services), ...ragActions(services)], name, params)

const texts = ['Zebras have black and white stripes.', 'Horses sleep standing up in the stable.']

describe('vector.store and vector.query', () => {
  it('find the passages of a collection under numbers', async () => {
    const metadata = [
      { type: 'wild', year: 2020 },
      { type: 'tame', year: 2010 },
    ]
    const stored = await act('vector.store', { texts, metadata, collection: 'animals' })
    expect(stored).toMatchObject({ stored: 2, collection: 'animals', success: true })
    const { ids } = stored as { ids: readonly string[] }
    const found = await act('vector.query', { query: 'stripes of zebras', collection: 'animals' })
    expect(found).toMatchObject({
      results: [
        { n: 1, text: texts[0], metadata: { type: 'wild', source_id: ids[0], start: 0, end: 36 } },
      ],
      collection: 'animals',
      k: 5,
      success: true,
    })
  })

  it.each([
    [{ type: 'tame' }, 1],
    [{ type: 'other' }, 0],
    [{ year_gte: 2020 }, 1],
    [{ year_lt: 2020 }, 1],
    [{ year_gt: 'a' }, 0],
    [{ type_in: ['wild', 'tame'] }, 2],
    [{ type_ne: 'wild' }, 1],
  ])('keep to the filter %j', async (filter, count) => {
    await act('vector.store', {
      texts,
      metadata: [
        { type: 'wild', year: 2020 },
        { type: 'tame', year: 2010 },
      ],
    })
    const found = await act('vector.query', { query: 'zebras horses', filter })
    expect((found as { results: unknown[] }).results).toHaveLength(count)
  })

  it('keep collections out of each other and out of other searches of the library', async () => {
    const listed = (await toStoredText('x', 'Zebras in the library of the person.', {})).document
    await library.add(listed, '/zebra.txt')
    await act('vector.store', { texts: [texts[0]], collection: 'a' })
    await act('vector.store', { texts: ['Zebras of the usual collection.'] })
    const count = async (params: object) => {
      const found = await act('vector.query', { query: 'zebras', ...params })
      return (found as { results: unknown[] }).results.length
    }
    expect([
      await count({ collection: 'a' }),
      await count({ collection: 'none' }),
      await count({}),
    ]).toEqual([1, 0, 2])
    expect(await library.search({ query: 'zebras', limit: 10 })).toHaveLength(1)
  })

  it('search the library where there is no memory', async () => {
    await library.add(
      (await toStoredText('x', 'Zebras in the library.', {})).document,
      '/zebra.txt',
    )
    const found = await doAction(libraryActions({ library: () => library }), 'vector.query', {
      query: 'zebras',
    })
    expect(found).toMatchObject({ results: [{ n: 1 }] })
  })

  it('want facts for each text or none', async () => {
    expect(await act('vector.store', { texts, metadata: [{}] })).toMatchObject({ success: false })
    await act('vector.store', { texts: 'Okapis hide.', metadata: { kind: 'one' }, model: 'm' })
    expect(await act('vector.query', { query: 'okapis', filter: { kind: 'one' } })).toMatchObject({
      results: [{ metadata: { kind: 'one' } }],
    })
    await expect(act('vector.store', { texts, ids: ['a', 'b'] })).rejects.toThrow('in metadata')
  })
})

describe('vector.index_files', () => {
  it('reads files of the workspace, and again only what changed', async () => {
    await mkdir(join(workspace, 'docs/deep'), { recursive: true })
    await writeFile(join(workspace, 'docs/zebra.md'), '# Zebra\n\nZebras have stripes.\n')
    await writeFile(join(workspace, 'docs/deep/horse.txt'), 'Horses sleep standing up.\n')
    await writeFile(join(workspace, 'docs/noise.bin'), new Uint8Array([0, 1, 2, 255]))
    const indexed = await act('vector.index_files', { paths: 'docs', collection: 'docs' })
    expect(indexed).toMatchObject({ collection: 'docs', files: 3, success: true, skipped: 0 })
    expect((indexed as { indexed: number }).indexed).toBeGreaterThan(1)
    expect((indexed as { errors: string[] }).errors).toEqual([expect.stringContaining('noise.bin')])
    const again = await act('vector.index_files', {
      paths: ['docs'],
      collection: 'docs',
      extensions: ['.MD'],
    })
    expect(again).toMatchObject({ indexed: 0, skipped: 1, files: 1, errors: [] })
    const count = async (params: object) => {
      const read = await act('vector.index_files', { paths: 'docs', collection: 'x', ...params })
      return (read as { files: number }).files
    }
    expect([
      await count({ pattern: '**/*.txt', chunk_by: 'line' }),
      await count({ pattern: '**/*', recursive: false }),
      await count({ pattern: '**/*.md', extensions: ['.txt', '.md'], incremental: true }),
    ]).toEqual([1, 2, 1])
    await expect(count({ pattern: 'src/**' })).rejects.toThrow('use extensions')
    const found = await act('vector.query', { query: 'stripes', collection: 'docs' })
    expect(found).toMatchObject({
      results: [{ n: 1, metadata: { title: 'Zebra', section: 'Zebra' } }],
    })
  })

  it('reads nothing outside of the workspace', async () => {
    await symlink('/etc', join(workspace, 'etc'))
    const outside = { success: false, error_type: 'outside_workspace' }
    for (const paths of ['../', '/etc/hostname', 'etc', 'etc/hostname'])
      expect(await act('vector.index_files', { paths })).toMatchObject(outside)
    const all = await act('vector.index_files', { paths: '.' })
    expect(all).toMatchObject({
      indexed: 0,
      files: 0,
      errors: [expect.stringContaining('leads outside')],
    })
  })
})

describe('rag.llamaindex.*', () => {
  it('makes an index of texts, adds to it and searches it', async () => {
    const documents = [{ text: texts[0], metadata: { a: 1 } }]
    const made = await act('rag.llamaindex.create_index', { documents, persist_path: './my_index' })
    expect(made).toEqual({ success: true, persist_path: './my_index', document_count: 1 })
    const added = await act('rag.llamaindex.add_documents', {
      documents: [texts[1]],
      index_path: './my_index',
    })
    expect(added).toMatchObject({ added_count: 1, document_count: 2 })
    expect(await act('rag.llamaindex.load_index', { index_path: './my_index' })).toMatchObject({
      document_count: 2,
    })
    const found = await act('rag.llamaindex.query', { query: 'stripes', index_path: './my_index' })
    expect(found).toMatchObject({
      response: `[1] ${texts[0]}`,
      nodes: [{ n: 1, metadata: { a: 1 } }],
      success: true,
    })
    expect((found as { scores: unknown[] }).scores).toHaveLength(1)
  })

  it('makes one of a folder, and knows none that was not made', async () => {
    await writeFile(join(workspace, 'a.txt'), 'Zebras have stripes.')
    const made = await act('rag.llamaindex.create_index', { directory: '.' })
    expect(made).toMatchObject({ document_count: 1 })
    expect(await act('rag.llamaindex.create_index', { directory: '..' })).toMatchObject({
      success: false,
    })
    expect(await act('rag.llamaindex.load_index', { index_path: 'none' })).toMatchObject({
      error_type: 'not_found',
    })
  })
})
