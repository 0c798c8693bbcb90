import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Half of a data set: `dev` is what was looked at while the engine was made, `held-out` what was only counted. */
export type Half = 'dev' | 'held-out'

/** Both halves, in the order in which they are shown. */
export const halves: readonly Half[] = ['dev', 'held-out']

/** The half that a question belongs to: by the first bit of its id's hash, so that no order or count decides. */
export function halfOf(id: string): Half {
  return (createHash('sha256').update(id).digest()[0] as number) % 2 === 0 ? 'dev' : 'held-out'
}

/** A page with its sentences, as HotpotQA gives them. */
export interface Page {
  readonly title: string
  readonly sentences: readonly string[]
}

/** A question that needs sentences of two pages, with ten pages that hold them. */
export interface TwoPageQuestion {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly type: 'bridge' | 'comparison'
  readonly pages: readonly Page[]
  /** The sentences that the answer rests on, as {@link sentenceKey} names them. */
  readonly support: ReadonlySet<string>
}

/** A sentence's name: its page's title and its number on the page, from 0. */
export function sentenceKey(title: string, index: number): string {
  return `${title}#${index}`
}

interface HotpotRow {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly type: 'bridge' | 'comparison'
  readonly supporting_facts: {
    readonly title: readonly string[]
    readonly sent_id: readonly number[]
  }
  readonly context: {
    readonly title: readonly string[]
    readonly sentences: readonly (readonly string[])[]
  }
}

/**
 * HotpotQA's questions with ten pages each.
 * @see https://arxiv.org/abs/1809.09600
 */
export function twoPageQuestions(folder: string): readonly TwoPageQuestion[] {
  const rows = readLines<HotpotRow>(folder, 'hotpotqa-distractor-with-context.dev.jsonl')
  return rows.map(({ id, question, answer, type, supporting_facts: facts, context }) => ({
    id,
    question,
    answer,
    type,
    pages: context.title.map((title, index) => ({
      title,
      sentences: context.sentences[index] ?? [],
    })),
    support: new Set(
      facts.title.map((title, index) => sentenceKey(title, facts.sent_id[index] as number)),
    ),
  }))
}

/** A question about an abstract, which its authors answer with yes, no or maybe. */
export interface AbstractQuestion {
  readonly id: string
  readonly question: string
  readonly parts: readonly { readonly label: string; readonly text: string }[]
  readonly decision: 'yes' | 'no' | 'maybe'
}

interface PubMedRow {
  readonly pmid: string
  readonly QUESTION: string
  readonly CONTEXTS: readonly string[]
  readonly LABELS: readonly string[]
  readonly final_decision: AbstractQuestion['decision']
}

/**
 * PubMedQA's labelled questions with their abstracts, which lack the conclusion.
 * @see https://arxiv.org/abs/1909.06146
 */
export function abstractQuestions(folder: string): readonly AbstractQuestion[] {
  return readLines<PubMedRow>(folder, 'pubmedqa.dev.jsonl').map((row) => ({
    id: row.pmid,
    question: row.QUESTION,
    parts: row.CONTEXTS.map((text, index) => ({ label: row.LABELS[index] ?? 'TEXT', text })),
    decision: row.final_decision,
  }))
}

/** An expression with the number that it must give. */
export interface Expression {
  readonly id: string
  readonly expression: string
  readonly result: string
}

/**
 * The calculations in GSM8K's worked answers: what stands in `<<…=…>>`.
 * @see https://arxiv.org/abs/2110.14168
 */
export function schoolExpressions(folder: string): readonly Expression[] {
  return readLines<{ question: string; answer: string }>(folder, 'gsm8k.dev.jsonl').flatMap(
    ({ question, answer }) =>
      [...answer.matchAll(/<<([^<>]*)=([^=<>]*)>>/g)].map(([, expression = '', result = '']) => ({
        id: question,
        expression,
        result,
      })),
  )
}

/**
 * SVAMP's equations with the answers given next to them.
 * @see https://arxiv.org/abs/2103.07191
 */
export function wordProblemEquations(folder: string): readonly Expression[] {
  return readLines<{ ID: string; Equation: string; Answer: number }>(folder, 'svamp.dev.jsonl').map(
    ({ ID, Equation, Answer }) => ({ id: ID, expression: Equation, result: String(Answer) }),
  )
}

function readLines<Row>(folder: string, name: string): readonly Row[] {
  const text = readFileSync(join(folder, '02-qa', name), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}
