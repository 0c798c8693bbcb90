import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type App, createApp } from '../../src/app.ts'
import { noEvidenceText } from '../../src/citations/role-requests.ts'
import type { Question, QuestionSet } from './question-sets.ts'

/** How many were right of how many. */
export interface Score {
  right: number
  asked: number
}

/** The outcome of a set of questions. */
export interface Outcome {
  /** Questions that the pages answer, and those that they do not. */
  readonly answered: Score
  readonly refused: Score
  readonly misses: readonly { readonly question: string; readonly answer: string }[]
  /** Rejections by critics. */
  readonly rejections: number
  /** Cited sentences that the claim check did not find verbatim. */
  readonly notVerbatim: number
}

/** Asks each question of a set of the whole app, with the extractive engine, over a library of the set's pages alone. */
export async function askQuestions({ folder, questions }: QuestionSet): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'scholium-bench-'))
  const app = createApp({ home, environment: {} })
  try {
    for await (const added of app.addToLibrary([folder])) {
      if (added.outcome === 'refused') throw new Error(`${added.path}: ${added.detail}`)
    }
    return await askAll(app, questions)
  } finally {
    await app.close()
    rmSync(home, { recursive: true })
  }
}

async function askAll(app: App, questions: readonly Question[]): Promise<Outcome> {
  const [answered, refused] = [0, 0].map(() => ({ right: 0, asked: 0 })) as [Score, Score]
  const misses: { question: string; answer: string }[] = []
  let [rejections, notVerbatim] = [0, 0]
  for (const question of questions) {
    const { answer, citations, claims, retries } = await app.ask({ question: question.question })
    const score = question.mustContain.length === 0 ? refused : answered
    score.asked++
    if (isRight(question, answer, citations)) score.right++
    else misses.push({ question: question.question, answer })
    rejections += retries.planner + retries.researcher + retries.expert
    const cited = claims.filter((claim) => claim.citations.length > 0)
    notVerbatim += cited.filter(({ verdict }) => verdict !== 'verbatim').length
  }
  return { answered, refused, misses, rejections, notVerbatim }
}

function isRight(
  { mustContain, sources, sourcesNeeded }: Question,
  answer: string,
  citations: readonly { readonly path?: string }[],
): boolean {
  if (mustContain.length === 0) return answer === noEvidenceText
  const text = answer.toLowerCase().replaceAll(/\s+/g, ' ')
  if (!mustContain.every((part) => text.includes(part))) return false
  const cited = new Set(citations.map(({ path = '' }) => basename(path)))
  if (sources.length === 0) return true
  const isCited = (source: string) => cited.has(source)
  return sourcesNeeded === 'all' ? sources.every(isCited) : sources.some(isCited)
}
