import { describe } from 'vitest'
import { describeAdding } from './library-adding.ts'
import { describeCrashes } from './library-crashes.ts'
import { type OpenLibrary, useLibraries } from './library-fixture.ts'
import { describeRemoving } from './library-removing.ts'
import { describeSearching } from './library-searching.ts'

/**
 * What every implementation of `Library` keeps to.
 *
 * @param module the URL of a module that exports `openLibrary`, for processes that are killed
 */
export function describeLibrary(name: string, openLibrary: OpenLibrary, module: string): void {
  describe(name, () => {
    const libraries = useLibraries(openLibrary)
    describeAdding(libraries)
    describeSearching(libraries)
    describeRemoving(libraries)
    describeCrashes(libraries, module)
  })
}
