import type { DraftSupport } from '../citations/papers-role-input.ts'
import type { KeptPaper } from './state.ts'

/** The papers of a point with the words that were given for each, or the names that are none of a kept paper. */
export type NamedPapers =
  | { readonly ok: true; readonly papers: readonly NamedPaper[] }
  | { readonly ok: false; readonly unknown: readonly string[] }

/** A kept paper that a point names. */
export interface NamedPaper {
  readonly kept: KeptPaper
  readonly quotes: readonly string[]
}

/** Which kept papers a point names, each once and in their order; one that its quotations name counts as named. */
export function namedPapers(
  { papers, quotes }: DraftSupport,
  kept: readonly KeptPaper[],
): NamedPapers {
  const names = [...papers.flatMap(listedIn), ...quotes.map(({ paper }) => paper)].filter(
    (name) => name !== '',
  )
  const unknown = names.filter((name) => findPaper(name, kept) === undefined)
  if (unknown.length > 0) return { ok: false, unknown: [...new Set(unknown)] }
  const meant = new Set(names.map((name) => findPaper(name, kept)))
  const named = kept
    .filter((one) => meant.has(one))
    .map((one) => ({
      kept: one,
      quotes: quotes.flatMap(({ paper, quote }) =>
        quote !== '' && findPaper(paper, kept) === one ? [quote] : [],
      ),
    }))
  return { ok: true, papers: named }
}

/** "1, 3" and "[1][3]" in place of a list. */
function listedIn(name: string): readonly string[] {
  if (!/^[\s[\]\d,;]+$/.test(name)) return [name]
  return name.match(/\d+/g) ?? [name]
}

/** The kept paper of a number ("2", "[2]", "Paper 2") or an id, with or without its version. */
function findPaper(name: string, kept: readonly KeptPaper[]): KeptPaper | undefined {
  const plain = name.trim().toLowerCase()
  const [, number] = /^\[?(?:paper\s*)?#?(\d{1,4})\]?$/.exec(plain) ?? []
  if (number !== undefined) return kept.find(({ n }) => n === Number(number))
  const id = plain.replace(/^\[|\]$/g, '')
  return kept.find(({ paper }) => idsOf(paper).includes(id) || idsOf(paper).includes(bareId(id)))
}

function idsOf({ id, arxivId, doi }: KeptPaper['paper']): readonly string[] {
  const ids = [id, arxivId ?? '', doi ?? ''].filter((one) => one !== '')
  return ids.flatMap((one) => [one.toLowerCase(), bareId(one.toLowerCase())])
}

/** An id without its scheme and its version. */
function bareId(id: string): string {
  return id.replace(/^(?:arxiv|doi|s2|openalex|file):/, '').replace(/(?<=^\d{4}\.\d{4,5})v\d+$/, '')
}
