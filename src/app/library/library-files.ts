import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { isInside, namesBelow } from '../../files/real-place.ts'
import type { AppParts } from '../app-parts.ts'
import { originalsRoot } from './originals.ts'
import type { AddedFile } from './read-sources.ts'

/** How files are added to the library. */
export interface AddToLibraryOptions {
  readonly signal?: AbortSignal
  /** Whether they are found only by who names their folder, and their names are told to nobody else. Default false. */
  readonly isPrivate?: boolean
}

/** @see App.addToLibrary */
export function addToLibrary(
  parts: AppParts,
  paths: readonly string[],
  options: AddToLibraryOptions = {},
): AsyncGenerator<AddedFile> {
  const resolved = paths.map((path) => resolve(parts.folder, path))
  for (const path of resolved) parts.requirePath(path)
  return added(parts, resolved, options)
}

async function* added(
  parts: AppParts,
  paths: readonly string[],
  { signal, isPrivate = false }: AddToLibraryOptions,
): AsyncGenerator<AddedFile> {
  parts.reader.prepareFor(paths)
  const { addPaths } = await import('./read-sources.ts')
  yield* addPaths(parts.library, paths, {
    isListed: !isPrivate,
    isPrivate,
    reader: await parts.reader.get(),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** @see App.removeFromLibrary */
export async function removeFromLibrary(parts: AppParts, idOrPath: string): Promise<number> {
  const path = resolve(parts.folder, idOrPath)
  // A deleted file is still in the library under its path.
  for (const place of existsSync(path) ? [path, idOrPath] : [idOrPath, path]) {
    const originals = await findOriginals(parts, place)
    const count = await parts.library.remove(place)
    await removeUnused(parts, originals)
    if (count > 0) return count
  }
  return 0
}

/** The folders of the originals of what has an id, or is at a path or in a folder. */
async function findOriginals(
  { library, home }: AppParts,
  idOrPath: string,
): Promise<readonly string[]> {
  const root = originalsRoot(home.path)
  const folders = (await library.paths(idOrPath)).flatMap((path) => {
    const [owner, hash] = isInside(path, root) ? namesBelow(root, path) : []
    return owner === undefined || hash === undefined ? [] : join(root, owner, hash)
  })
  return [...new Set(folders)]
}

/** Deletes those of these folders of originals from which nothing was read that is still known. */
async function removeUnused({ library }: AppParts, folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    if ((await library.paths(folder)).length === 0)
      await rm(folder, { recursive: true, force: true })
}
