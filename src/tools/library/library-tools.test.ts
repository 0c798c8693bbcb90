import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documentOf } from '../../../test/contracts/library-fixture.ts'
import { openLibrary } from '../../../test/contracts/sqlite-library.ts'
import { EvidenceLedger } from '../../citations/ledger.ts'
import type { SourceId } from '../../citations/source.ts'
import { createToolRegistry } from '../../kernel/agent/tool.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'
import { createLibraryTools, type FoundPassage, type LibraryScope } from './library-tools.ts'

const tools = createToolRegistry(
  createLibraryTools({
    library: {} as Library,
    sourceIds: [],
    sourceOf: () => {
      throw new Error('not asked for')
    },
  }),
)

describe('blank arguments', () => {
  it.each([
    ['quote_source', { citation: 1, text: ' \n ' }],
    ['search_library', { query: '  ' }],
  ])('of %s are refused: they stand everywhere and say nothing', (name, input) => {
    expect(tools.get(name)?.parse(input)).toMatchObject({ ok: false })
  })
})

describe('a number that stands for no source', () => {
  const ledger = new EvidenceLedger()
  ledger.mint('a'.repeat(64) as SourceId, 'A')
  ledger.mint('b'.repeat(64) as SourceId, 'B')
  const sourceOf = (n: number) => ledger.requireSource(n).sourceId
  const scope = { library: {} as Library, sourceIds: [], sourceOf }
  const numbered = createToolRegistry(createLibraryTools(scope))
  const run = { signal: new AbortController().signal, key: 'key', emit() {} }

  it.each(['read_source', 'quote_source'])(
    'is refused by %s with the valid range',
    async (name) => {
      for (const citation of [0, 3, -1]) {
        const parsed = numbered.get(name)?.parse({ citation, text: 'words' })
        if (parsed?.ok !== true) throw new Error(parsed?.reason)
        const refused = numbered.get(name)?.execute(parsed.value, run)
        await expect(refused).rejects.toMatchObject({
          code: 'invalid_input',
          message: `The number ${citation} does not refer to a source. Numbers go from 1 to 2.`,
        })
      }
    },
  )
})

describe('search and titles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-tools-'))
  const library = openLibrary(join(folder, 'library.db'))
  const scope: LibraryScope = {
    library,
    sourceIds: [],
    sourceOf: (n) => numbered[n - 1] as SourceId,
  }
  const numbered: SourceId[] = []
  const real = createToolRegistry(createLibraryTools(scope))

  beforeAll(async () => {
    const cited = Array.from({ length: 9 }, (_, n) => `[${n + 1}] Trees, trees and trees ${n}.`)
    const texts = [
      '# Findings',
      'On oaks, with a word on trees.',
      '# References',
      ...cited.map((line) => line.padEnd(900, ' trees')),
    ]
    const document = documentOf('REAC T: trees', texts.join('\n\n'))
    const start = document.text.indexOf('References')
    const { length } = document.text
    const sections = [{ title: 'References', level: 1, start, end: length }]
    await library.addAll([{ document: { ...document, sections }, path: '/trees.md' }])
    for (const name of ['Moths', 'Lamps', 'Wings']) {
      const facts = Array.from(
        { length: name === 'Wings' ? 4 : 9 },
        (_, n) => `Dust ${n} of ${name}${name === 'Wings' ? '' : ' and their glow'}.`,
      )
      const text = facts.map((line) => line.padEnd(900, ` ${name}`)).join('\n\n')
      await library.addAll([{ document: documentOf(name, text), path: `/${name}.md` }])
    }
    await library.addAll([{ document: documentOf('Blank', '\n'), path: '/blank.md' }])
    const titles = ['Moths', 'Lamps', 'Blank']
    const all = await library.list()
    numbered.push(...titles.map((title) => all.find((one) => one.title === title)?.id as SourceId))
  })
  afterAll(async () => {
    await library.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The passages of a call. */
  async function call(name: string, input: JsonObject): Promise<readonly FoundPassage[]> {
    const parsed = real.get(name)?.parse(input)
    if (parsed?.ok !== true) throw new Error(parsed?.reason)
    const run = { signal: new AbortController().signal, key: 'key', emit() {} }
    const output = await real.get(name)?.execute(parsed.value, run)
    return (output as unknown as { passages: readonly FoundPassage[] }).passages
  }

  it('put the entries of a reference list behind what the source says', async () => {
    const passages = await call('search_library', { query: 'trees', title: 'react', limit: 12 })
    const isEntry = passages.map(({ section }) => section === 'References')
    expect(isEntry.slice(0, 4)).toEqual([true, true, false, true])
  })

  it('find more than four passages of one source where no more than two have any', async () => {
    const own = await call('search_library', { query: 'dust', citation: 1 })
    expect(own.map(({ title }) => title)).toEqual(Array(8).fill('Moths'))
    const best = await call('search_library', { query: 'glow of moths' })
    expect(best.map(({ title }) => title)).toEqual(Array(8).fill('Moths'))
  })

  it('find those of other sources before a fifth one of the same', async () => {
    const passages = await call('search_library', { query: 'dust of moths', limit: 12 })
    const counts = Map.groupBy(passages, ({ title }) => title)
    expect(['Moths', 'Lamps', 'Wings'].map((title) => counts.get(title)?.length)).toEqual([4, 4, 4])
  })

  it('reads nothing in a source without text, and names a page that a source lacks', async () => {
    expect(await call('read_source', { citation: 3 })).toEqual([])
    await expect(call('read_source', { citation: 1, page: 7 })).rejects.toThrow('no page 7')
  })
})
