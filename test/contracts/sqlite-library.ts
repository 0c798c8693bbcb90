import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'

/** The library in a SQLite file, as the app opens it. */
export function openLibrary(path: string): Library {
  return createLibrary(openLibraryStore(path))
}
