import { relative } from 'node:path'
import { oneLine } from './text.ts'

/** A path as it is told to people: from the folder they are in where it lies below it. An address stays as it is. */
export function shortPath(path: string, folder: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return oneLine(path)
  const fromHere = relative(folder, path)
  return oneLine(fromHere === '' || fromHere.startsWith('..') ? path : fromHere)
}
