import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hash } from '../../src/kernel/json.ts'
import { sha256 } from '../../src/kernel/json.ts'
import type { Addition } from '../../src/retrieval/library.ts'

/** A text of a collection. */
export interface Item {
  readonly _id: string
  readonly title: string
  readonly text: string
}

/** Texts, questions, and which texts are relevant to which question, with a grade above 0. */
export interface Collection {
  readonly name: string
  readonly items: readonly Item[]
  readonly queries: readonly { readonly _id: string; readonly text: string }[]
  readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>
}

/** A collection of `folder`. Questions without a relevant text are left out. */
export function readCollection(folder: string, name: string): Collection {
  const corpus = join(folder, name, 'corpus.jsonl')
  const relevant = readJudgements(join(folder, name, 'qrels.dev.tsv'))
  const queries = readLines<Collection['queries'][number]>(join(folder, name, 'queries.dev.jsonl'))
  return {
    name,
    items: readLines<Item>(corpus),
    queries: queries.filter((query) => relevant.has(query._id)),
    relevant,
  }
}

/** What a library is given for an item: a text with its title above it, as files have it. */
export function additionOf({ _id, title, text }: Item): Addition {
  const whole = text.startsWith(title) ? text : `${title}\n\n${text}`
  const contentHash: Hash = sha256(`${_id}\n${whole}`)
  return {
    path: `/${_id}.txt`,
    document: {
      contentHash,
      kind: 'text',
      sizeBytes: Buffer.byteLength(whole),
      title,
      text: whole,
      pages: [],
      sections: [],
      csl: { id: _id, type: 'document', title },
      notes: [],
    },
  }
}

function readLines<T>(path: string): T[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

function readJudgements(path: string): Map<string, Map<string, number>> {
  const relevant = new Map<string, Map<string, number>>()
  for (const line of readFileSync(path, 'utf8').split('\n').slice(1)) {
    const [query = '', item = '', grade = '0'] = line.split('\t')
    if (Number(grade) <= 0) continue
    const items = relevant.get(query) ?? new Map<string, number>()
    relevant.set(query, items.set(item, Number(grade)))
  }
  return relevant
}
