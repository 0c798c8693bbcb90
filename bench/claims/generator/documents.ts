import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A text that a claim may cite. */
export interface SourceText {
  readonly id: string
  readonly set: 'SciFact' | 'PubMedQA' | 'HotpotQA'
  readonly title: string
  readonly text: string
}

/** Which half a text belongs to: `dev` may be looked at while the checker is worked on, `test` may not. */
export type Half = 'dev' | 'test'

/** The half of a text, by the hash of its id. */
export function halfOf({ id }: Pick<SourceText, 'id'>): Half {
  return (createHash('sha256').update(`half ${id}`).digest()[0] ?? 0) % 2 === 0 ? 'dev' : 'test'
}

/** The rows of a file of JSON Lines. */
export function readRows<T>(path: string): T[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as T)
}

/** SciFact's abstracts by id, without the empty ones; only those of the dev claims unless `all`. */
export function scifactAbstracts(folder: string, all = false): SourceText[] {
  const place = join(folder, '01-retrieval', 'scifact')
  const rows = readFileSync(join(place, 'qrels.dev.tsv'), 'utf8').split('\n')
  const judged = new Set(rows.map((row) => row.split('\t')[1]))
  const corpus = readRows<{ _id: string; title: string; text: string }>(join(place, 'corpus.jsonl'))
  return corpus
    .filter(({ _id, text }) => (all || judged.has(_id)) && text.trim() !== '')
    .map(({ _id, title, text }) => ({ id: _id, set: 'SciFact', title, text }))
}

/** All texts that the generator takes sentences from: abstracts, and pages of Wikipedia. */
export function sourceTexts(folder: string): SourceText[] {
  const answers = join(folder, '02-qa')
  const studies = readRows<{ pmid: string; QUESTION: string; CONTEXTS: string[] }>(
    join(answers, 'pubmedqa.dev.jsonl'),
  ).map(
    ({ pmid, QUESTION, CONTEXTS }): SourceText => ({
      id: `pubmed-${pmid}`,
      set: 'PubMedQA',
      title: QUESTION,
      text: CONTEXTS.join('\n'),
    }),
  )
  const pages = readRows<{ context: { title: string[]; sentences: string[][] } }>(
    join(answers, 'hotpotqa-distractor-with-context.dev.jsonl'),
  ).flatMap(({ context }) =>
    context.title.map(
      (title, index): SourceText => ({
        id: `wiki-${title}`,
        set: 'HotpotQA',
        title,
        text: (context.sentences[index] ?? []).join(''),
      }),
    ),
  )
  const once = new Map(pages.map((page) => [page.id, page]))
  return [...scifactAbstracts(folder), ...studies, ...once.values()]
}

const notTheEnd =
  /(?:\b(?:vs|e\.g|i\.e|al|Dr|Mr|Mrs|Ms|St|No|Fig|approx|ca|cf|Jr|Sr|Inc|Ltd|Co|U\.S|U\.K|[A-Z])|\.\.)\.$/

/**
 * The sentences of a text that could stand in an answer as they are: 8 to 40 words, a full stop, balanced brackets,
 * no heading before them, no question.
 */
export function plainSentences(text: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const piece of text.split(/(?<=[.!?]["”)]?)\s+(?=["“(]?[A-Z0-9])|\n/)) {
    open = open === '' ? piece.trim() : `${open} ${piece.trim()}`
    if (notTheEnd.test(open)) continue
    sentences.push(open)
    open = ''
  }
  return sentences.filter(isPlain)
}

function isPlain(sentence: string): boolean {
  const wordCount = sentence.split(/\s+/).length
  const opened = sentence.match(/[([]/g)?.length ?? 0
  const closed = sentence.match(/[)\]]/g)?.length ?? 0
  return (
    /^[A-Z][^:]*\.$/.test(sentence) &&
    !/^[A-Z]{4,}(?: [A-Z&/]+)* [A-Z][a-z]|^[A-Z]{5,} |^(?:Whether|How|Why|To) |^(?:Design|Setting|Methods?|Results|Objectives?|Background|Participants|Importance|Conclusions?|Purpose|Introduction|Findings|Interpretation|Data [Ss]ources?|Main [Oo]utcomes?)\b(?! of)/.test(
      sentence,
    ) &&
    !/[=<>][^ ]*[=<>]|\bet al\b|https?:|[ ,;]\.$|[A-Za-z.,)"] ?\[\d+(?:[,–-] ?\d+)*\]| {2}|[.!?] ?["”] [A-Z]|^[A-Z]{4,},/.test(
      sentence,
    ) &&
    wordCount >= 8 &&
    wordCount <= 40 &&
    opened === closed
  )
}
