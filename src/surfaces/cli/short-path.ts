import { relative } from 'node:path'
import { oneLine } from './text.ts'

/** A path as it is told to people: from the folder they are in where it lies below it. */
export function shortPath(path: string, folder: string): string {
  const fromHere = relative(folder, path)
  return oneLine(fromHere === '' || fromHere.startsWith('..') ? path : fromHere)
}
