import { ZodError } from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import { knownSets } from './known-sets.ts'
import { readOwnRecord } from './own-set.ts'
import type { Draft, EvalQuestion, RefusedLine } from './question.ts'

/** A question set as it was read. */
export interface QuestionSet {
  readonly questions: readonly EvalQuestion[]
  readonly refused: readonly RefusedLine[]
  /** What is done with the records of each set that is in it. */
  readonly treatments: readonly { readonly set: string; readonly treatment: string }[]
}

/**
 * The questions of a JSON Lines text, each record read as the public set that it is of, or as one's own (`ownName`). A line
 * that is no question is left out and told; empty lines count for nothing.
 * @throws `invalid_input` where two questions have one id
 */
export function readQuestions(text: string, ownName: string): QuestionSet {
  const questions: EvalQuestion[] = []
  const refused: RefusedLine[] = []
  for (const [index, written] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const read = readLine(written, ownName)
    if ('reason' in read) refused.push({ line, reason: read.reason })
    else questions.push(questionOf(read.draft, read.set, line))
  }
  requireOwnIds(questions)
  const sets = new Set(questions.map(({ set }) => set))
  const treatments = knownSets
    .filter(({ set }) => sets.has(set))
    .map(({ set, treatment }) => ({ set, treatment }))
  return { questions, refused, treatments }
}

type ReadLine = { readonly reason: string } | { readonly set: string; readonly draft: Draft }

function readLine(written: string, ownName: string): ReadLine {
  let record: unknown
  try {
    record = JSON.parse(written)
  } catch (error) {
    return { reason: `it is not JSON: ${(error as Error).message}` }
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return { reason: 'it is not a JSON object' }
  const known = knownSets.find((reader) => reader.fits(record as Record<string, unknown>))
  try {
    const draft = known === undefined ? readOwnRecord(record) : known.read(record)
    return draft.files !== undefined && draft.context !== undefined
      ? { reason: 'it has both files and context: give only one' }
      : { set: known?.set ?? ownName, draft }
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    return { reason: reasonOf(error, known?.set) }
  }
}

function reasonOf({ issues }: ZodError, set: string | undefined): string {
  const told = issues.slice(0, 3).map(({ path, message }) => {
    return path.length === 0 ? message : `"${path.join('.')}": ${message}`
  })
  return `${set === undefined ? '' : `read as ${set}, `}${told.join('; ')}`
}

function questionOf(draft: Draft, set: string, line: number): EvalQuestion {
  return { id: `line-${line}`, labels: [], files: [], context: [], ...draft, set, line }
}

/** Results are kept by id, so that two questions with one would be taken for each other. */
function requireOwnIds(questions: readonly EvalQuestion[]): void {
  const lines = new Map<string, number>()
  for (const { id, line } of questions) {
    const first = lines.get(id)
    if (first !== undefined) {
      throw new ScholiumError(
        'invalid_input',
        `Lines ${first} and ${line} have the same id "${id}".`,
        {
          hint: 'Give each question a unique id, or omit the ids.',
        },
      )
    }
    lines.set(id, line)
  }
}
