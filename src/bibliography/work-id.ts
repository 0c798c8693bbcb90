import type { CslItem } from '../citations/source.ts'
import { type ArxivId, identifiersOf } from './identifiers.ts'

interface NumberedWork {
  readonly arxiv?: ArxivId | undefined
  readonly doi?: string | undefined
}

/** What a work is called by the number that all the world knows it by: `arxiv:2301.00001`, else `doi:10.1000/xyz`. */
export function workId({ arxiv, doi }: NumberedWork): string | undefined {
  if (arxiv !== undefined) return `arxiv:${arxiv.id}`
  return doi === undefined ? undefined : `doi:${doi}`
}

/** By what a paper is shown to people: a file that says which work it is goes by that work. */
export function shownId({ id, csl }: { readonly id: string; readonly csl: CslItem }): string {
  return (id.startsWith('file:') ? workId(identifiersOf(csl)) : undefined) ?? id
}
