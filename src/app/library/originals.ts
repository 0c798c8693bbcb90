import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceId } from '../../citations/source.ts'
import { isInside, namesBelow } from '../../files/real-place.ts'
import type { AppParts } from '../app-parts.ts'

/** Where a home keeps the files that were uploaded to its library: `<SHA-256 of the file>/<name>`. */
export function originalsFolder(home: string): string {
  return join(home, 'originals', 'shared')
}

/** The folders of originals that a source, a path or an id is in or names. */
export async function findOriginals(
  { library, home }: AppParts,
  places: readonly string[],
): Promise<readonly string[]> {
  const root = originalsFolder(home.path)
  if (!existsSync(root)) return []
  const sources = await Promise.all(places.map((place) => library.source(place as SourceId)))
  const paths = sources.flatMap((source) => source?.path ?? [])
  const names = [...places, ...paths].flatMap((place) => {
    if (/^[0-9a-f]{64}$/.test(place)) return place
    return isInside(place, root) ? namesBelow(root, place).slice(0, 1) : []
  })
  return [...new Set(names)].map((name) => join(root, name))
}

/** Deletes those of these folders of originals in which no source of the library is. */
export async function removeUnused(
  { library }: AppParts,
  folders: readonly string[],
): Promise<void> {
  if (folders.length === 0) return
  const listed = await library.list()
  for (const folder of folders) {
    const isUsed = listed.some(({ path }) => path !== undefined && isInside(path, folder))
    if (!isUsed) await rm(folder, { recursive: true, force: true })
  }
}
