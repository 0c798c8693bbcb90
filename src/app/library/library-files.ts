import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { AppParts } from '../app-parts.ts'
import { findOriginals, removeUnused } from './originals.ts'
import type { AddedFile } from './read-sources.ts'

/** @see App.addToLibrary */
export function addToLibrary(
  parts: AppParts,
  paths: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<AddedFile> {
  const resolved = paths.map((path) => resolve(parts.folder, path))
  for (const path of resolved) parts.requirePath(path)
  return added(parts, resolved, signal)
}

async function* added(
  parts: AppParts,
  paths: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<AddedFile> {
  parts.reader.prepareFor(paths)
  const { addPaths } = await import('./read-sources.ts')
  yield* addPaths(parts.library, paths, {
    isListed: true,
    reader: await parts.reader.get(),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** @see App.removeFromLibrary */
export async function removeFromLibrary(parts: AppParts, idOrPath: string): Promise<number> {
  const path = resolve(parts.folder, idOrPath)
  const originals = await findOriginals(parts, [idOrPath, path])
  // A deleted file is still in the library under its path.
  const [first, second] = existsSync(path) ? [path, idOrPath] : [idOrPath, path]
  const count = (await parts.library.remove(first)) || (await parts.library.remove(second))
  await removeUnused(parts, originals)
  return count
}
