import { describe, expect, it } from 'vitest'
import type { Library } from '../../src/retrieval/library.ts'
import { createCalculationTools } from '../../src/tools/calculator/calculation-tools.ts'
import { createLibraryTools } from '../../src/tools/library/library-tools.ts'
import { webToolNames } from '../../src/tools/web/places.ts'
import type { WebScope } from '../../src/tools/web/read-page.ts'
import { createWebTools } from '../../src/tools/web/web-tools.ts'

const library = {} as Library
const sourceOf = () => {
  throw new Error('not asked for')
}

describe('what a tool gives back', () => {
  it('is untrusted of every tool that reads the web or the library', () => {
    const scope = { library, sourceOf, rangeText: () => '' } as unknown as WebScope
    const tools = [
      ...createWebTools(scope),
      ...createLibraryTools({ library, sourceIds: [], sourceOf }),
    ]
    const marked = tools.filter(({ untrusted }) => untrusted === 'results')
    expect(marked.map(({ name }) => name)).toEqual([
      ...webToolNames,
      'search_library',
      'list_sources',
      'read_source',
      'quote_source',
    ])
    expect(marked).toHaveLength(tools.length)
  })

  it('is trusted where it is calculated', () => {
    for (const tool of createCalculationTools()) expect(tool).not.toHaveProperty('untrusted')
  })
})
