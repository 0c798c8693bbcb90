import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { noEvidenceText } from '../../src/citations/role-requests.ts'
import { normalized } from './answer-scores.ts'
import { type Page, sentenceKey } from './data-sets.ts'

/** What the whole product answered to a question. */
export interface Reply {
  /** Markdown, as a person gets it. */
  readonly answer: string
  readonly isRefusal: boolean
  /** The short answer that it begins with; empty when it gives none. */
  readonly short: string
  /** The sentences of the pages that it quotes, as `sentenceKey` names them. */
  readonly quoted: ReadonlySet<string>
  /** Cited sentences that the check of claims did not find word for word. */
  readonly notVerbatim: number
  readonly wallMs: number
}

/** Asks questions of the whole product, one after the other, with the extractive engine and a library of these pages alone. */
export async function askLibrary(
  pages: readonly Page[],
  questions: readonly string[],
): Promise<readonly Reply[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-qa-'))
  const texts = join(folder, 'pages')
  mkdirSync(texts)
  for (const [index, { title, sentences }] of pages.entries()) {
    const text = `# ${title}\n\n${sentences.join('').trim()}\n`
    writeFileSync(join(texts, `${index}.md`), text)
  }
  const app = createApp({ home: join(folder, 'home'), environment: {} })
  try {
    for await (const added of app.addToLibrary([texts])) {
      if (added.outcome === 'refused') throw new Error(`${added.path}: ${added.detail}`)
    }
    const replies: Reply[] = []
    for (const question of questions) replies.push(await askOne(app, pages, question))
    return replies
  } finally {
    await app.close()
    rmSync(folder, { recursive: true })
  }
}

async function askOne(app: App, pages: readonly Page[], question: string): Promise<Reply> {
  const start = performance.now()
  const { status, answer, claims, citations } = await app.ask({ question })
  if (status === 'failed') throw new Error(`${question}: ${answer}`)
  const wallMs = performance.now() - start
  const pageOf = (n: number) => {
    const path = citations.find((source) => source.n === n)?.path ?? ''
    return pages[Number(basename(path, '.md'))]
  }
  const quoted = claims.flatMap(({ text, citations: numbers }) =>
    numbers.flatMap((n) => sentencesWith(text, pageOf(n))),
  )
  const cited = claims.filter((claim) => claim.citations.length > 0)
  return {
    answer,
    isRefusal: answer === noEvidenceText,
    short: shortAnswerIn(answer),
    quoted: new Set(quoted),
    notVerbatim: cited.filter(({ verdict }) => verdict !== 'verbatim').length,
    wallMs,
  }
}

/** Fewer letters than this are a short answer and no sentence. */
const fewestLetters = 20

/** The sentences of a page that a claim quotes, whole or in part. */
function sentencesWith(claim: string, page: Page | undefined): readonly string[] {
  if (page === undefined) return []
  const quoted = lettersOf(claim.replaceAll(/\[\d+\]/g, ' '))
  if (quoted.length < fewestLetters) return []
  return page.sentences.flatMap((sentence, index) => {
    const letters = lettersOf(sentence)
    const isQuoted =
      letters.length > 0 &&
      (letters.includes(quoted) || (letters.length >= fewestLetters && quoted.includes(letters)))
    return isQuoted ? sentenceKey(page.title, index) : []
  })
}

function lettersOf(text: string): string {
  return normalized(text).replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

/** `"Bath, Maine" [4].` or `No, by what is quoted here:` in a line of its own before the sentences. */
const shortForms = [/^"(.+)" \[\d+\]\.$/, /^(.+), by (?:what is|the \w+) quoted here:$/]

/** The short answer that an answer begins with; empty when it gives none. */
function shortAnswerIn(answer: string): string {
  const [line = '', ...others] = answer.split('\n')
  if (others.length === 0) return ''
  return shortForms.map((form) => form.exec(line)?.[1]).find((found) => found !== undefined) ?? ''
}
