import { describe, expect, it } from 'vitest'
import { EvidenceLedger } from '../../citations/ledger.ts'
import type { SourceId } from '../../citations/source.ts'
import { createToolRegistry } from '../../kernel/agent/tool.ts'
import type { Library } from '../../retrieval/library.ts'
import { createLibraryTools } from './library-tools.ts'

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
