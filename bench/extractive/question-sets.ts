import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A question with what a right answer shows. */
export interface Question {
  readonly question: string
  /** Lower-case strings that a right answer holds; empty: the pages do not say, and a right answer says so. */
  readonly mustContain: readonly string[]
  /** Files of which `any` or `all` must be cited; empty where it does not matter. */
  readonly sources: readonly string[]
  readonly sourcesNeeded: 'any' | 'all'
}

/** Questions about the pages of one folder. */
export interface QuestionSet {
  readonly name: string
  readonly folder: string
  /** Whether a bench has targets for it. */
  readonly isTarget: boolean
  readonly questions: readonly Question[]
}

interface SampleQuestion {
  readonly question: string
  readonly expect: {
    readonly mustContain: readonly string[]
    readonly sources: readonly string[]
    readonly sourcesNeeded?: 'any' | 'all'
  }
}

type OwnQuestion = Pick<Question, 'question' | 'mustContain'>

/**
 * The question sets: those of the samples, and with a data folder two more over texts from elsewhere.
 *
 * @param folder - where pages of the latter are written.
 */
export function questionSets(folder = '', dataFolder = ''): readonly QuestionSet[] {
  const own =
    readJson<Record<'samples' | 'encyclopedia' | 'abstracts', OwnQuestion[]>>('./questions.json')
  const samples = readJson<SampleQuestion[]>('../../samples/questions.json').map(
    ({ question, expect }) => ({
      question,
      mustContain: expect.mustContain,
      sources: expect.sources,
      sourcesNeeded: expect.sourcesNeeded ?? 'any',
    }),
  )
  const library = fileURLToPath(new URL('../../samples/library', import.meta.url))
  const sets = [
    { name: 'samples', folder: library, isTarget: true, questions: samples },
    {
      name: 'samples, other questions',
      folder: library,
      isTarget: true,
      questions: own.samples.map(plain),
    },
  ]
  if (dataFolder === '') return sets
  const [encyclopedia, abstracts] = [encyclopediaPages(dataFolder), abstractPages(dataFolder)]
  return [
    ...sets,
    {
      name: `encyclopedia, ${encyclopedia.length} pages`,
      folder: writePages(join(folder, 'encyclopedia'), encyclopedia),
      isTarget: false,
      questions: own.encyclopedia.map(plain),
    },
    {
      name: `abstracts, ${abstracts.length} pages`,
      folder: writePages(join(folder, 'abstracts'), abstracts),
      isTarget: false,
      questions: own.abstracts.map(plain),
    },
  ]
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T
}

function plain({ question, mustContain }: OwnQuestion): Question {
  return { question, mustContain, sources: [], sourcesNeeded: 'any' }
}

interface Page {
  readonly title: string
  readonly text: string
}

function readLines<T>(path: string): T[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as T)
}

/** The first paragraphs of encyclopedia pages that HotpotQA gives with its questions, each page once. */
function encyclopediaPages(folder: string): readonly Page[] {
  const path = join(folder, '02-qa', 'hotpotqa-distractor-with-context.dev.jsonl')
  const rows = readLines<{ context: { title: string[]; sentences: string[][] } }>(path)
  const pages = rows.flatMap(({ context }) =>
    context.title.map((title, index) => ({
      title,
      text: (context.sentences[index] ?? []).join(''),
    })),
  )
  return [...new Map(pages.map((page) => [page.title, page])).values()]
}

/** The abstracts of SciFact's corpus. */
function abstractPages(folder: string): readonly Page[] {
  return readLines<Page>(join(folder, '01-retrieval', 'scifact', 'corpus.jsonl'))
}

function writePages(folder: string, pages: readonly Page[]): string {
  mkdirSync(folder)
  for (const [index, { title, text }] of pages.entries()) {
    writeFileSync(join(folder, `${index}.md`), `# ${title}\n\n${text}\n`)
  }
  return folder
}
