import { describe, expect, it } from 'vitest'
import { createToolRegistry } from '../kernel/tool.ts'
import type { Library } from '../retrieval/library.ts'
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
