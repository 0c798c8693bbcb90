import { ScholiumError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { runWithDependencies } from '../kernel/run/run-with-dependencies.ts'
import type { Semaphore } from '../kernel/run/semaphore.ts'
import { askStructured, type Reading } from './ask-structured.ts'
import type { Prompt } from './conversation.ts'
import {
  answerPrompt,
  type PosedProblem,
  parseAnswer,
  parseSplitOrAnswer,
  parseSynthesis,
  type ReasonedAnswer,
  splitPrompt,
  synthesisPrompt,
} from './decompose-prompts.ts'
import { orderByNeeds, type SubProblem } from './sub-problems.ts'
import type { TraceEntry } from './trace.ts'

/** The result of a sub-problem. */
export type SubAnswer = {
  readonly id: string
  readonly description: string
  readonly reasoning: string
  /** null if there is none. */
  readonly answer: Json
  /** 0 to 1, as stated by the model; null if it gave none. */
  readonly confidence: number | null
  /** Why there is no answer. */
  readonly failure?: string
  /** The answers of its own sub-problems, if it was split. */
  readonly subAnswers?: readonly SubAnswer[]
}

/** A trace entry before it is numbered. */
export type UnnumberedEntry = Pick<TraceEntry, 'kind' | 'timestampMs' | 'data'>

/** The result of a problem. */
export interface Solution extends ReasonedAnswer {
  readonly subProblems: readonly SubProblem[]
  readonly subAnswers: readonly SubAnswer[]
  /** Depth of splitting that was used. */
  readonly depth: number
  readonly failure?: string
  /** Trace entries, in an order that does not depend on timing. */
  readonly noted: readonly UnnumberedEntry[]
}

/** The model, settings and limits for solving problems. */
export interface Solver {
  readonly model: ModelBinding
  /** How many more levels a problem may be split. */
  readonly depthLeft: number
  readonly turns: Semaphore
  /** How to combine answers, if the caller says so. */
  readonly instruction?: string
}

/** Position of a problem in the whole, such as `2.1`; empty for the whole. */
type ProblemNumber = string

/** Solves a problem directly, or combines the answers of its parts. */
export async function solveProblem(
  context: RunContext,
  solver: Solver,
  posed: PosedProblem,
  place: ProblemNumber = '',
): Promise<Solution> {
  if (solver.depthLeft === 0) {
    const answered = await ask(context, 'solve', solver, answerPrompt(posed), parseAnswer)
    return toDirectSolution(context, answered, place)
  }
  const found = await ask(context, 'solve', solver, splitPrompt(posed), parseSplitOrAnswer)
  if (found.kind === 'answer') return toDirectSolution(context, found.answered, place)
  const { parts } = found
  const split = note(context, 'split', place, {
    sub_problems: parts.map(({ id, description, dependsOn }) => ({
      id,
      description,
      depends_on: dependsOn,
    })),
  })
  const solutions = await solveParts(context, solver, posed, parts, place)
  const subAnswers = parts.map((part, index) => toSubAnswer(part, solutions[index] as Solution))
  const prompt = synthesisPrompt(posed, subAnswers, solver.instruction)
  const whole = await ask(context, 'synthesize', solver, prompt, parseSynthesis)
  const { answer, reasoning } = whole
  const noted = solutions.flatMap((solution) => solution.noted)
  return {
    ...whole,
    subProblems: parts,
    subAnswers,
    depth: 1 + Math.max(...solutions.map(({ depth }) => depth)),
    noted: [split, ...noted, note(context, 'synthesize', place, { answer, reasoning })],
  }
}

/** The solutions of all parts, in order; independent parts are solved in parallel. */
async function solveParts(
  context: RunContext,
  solver: Solver,
  posed: PosedProblem,
  parts: readonly SubProblem[],
  place: ProblemNumber,
): Promise<readonly Solution[]> {
  const indexes = findSolvingOrder(parts)
  const branches = parts.map((_, index) => context.branch(`sub[${index + 1}]`))
  const solutions: Solution[] = []
  const { instruction: _, ...inner } = { ...solver, depthLeft: solver.depthLeft - 1 }
  const work = async (turn: number) => {
    const index = indexes[turn] as number
    const part = parts[index] as SubProblem
    const needed = neededBy(part, parts)
    // A part it depends on failed in a way that ends the whole.
    if (needed.some((one) => solutions[one] === undefined)) return
    const branch = branches[index] as RunContext
    branch.join(needed.map((one) => branches[one] as RunContext))
    const given = needed.map((one) =>
      toSubAnswer(parts[one] as SubProblem, solutions[one] as Solution),
    )
    const subPosed = {
      problem: part.description,
      whole: posed.whole ?? posed.problem,
      given: given.map(toKnownAnswer),
    }
    const at = place === '' ? `${index + 1}` : `${place}.${index + 1}`
    solutions[index] = await solvePart(branch, inner, subPosed, at)
  }
  const needs = indexes.map((index) =>
    neededBy(parts[index] as SubProblem, parts).map((one) => indexes.indexOf(one)),
  )
  const settled = await runWithDependencies(needs, parts.length, work)
  context.join(branches)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return solutions
}

function findSolvingOrder(parts: readonly SubProblem[]): readonly number[] {
  const order = orderByNeeds(parts)
  if (order.ok) return order.indexes
  throw new ScholiumError('internal', 'Sub-problems that need each other were not refused.')
}

function neededBy({ dependsOn }: SubProblem, parts: readonly SubProblem[]): readonly number[] {
  return dependsOn.map((id) => parts.findIndex((part) => part.id === id))
}

/** Like {@link solveProblem}, but a part without a usable answer is reported as a gap and does not end the others. */
async function solvePart(
  context: RunContext,
  solver: Solver,
  posed: PosedProblem,
  place: ProblemNumber,
): Promise<Solution> {
  try {
    return await solveProblem(context, solver, posed, place)
  } catch (error) {
    if (!(error instanceof ScholiumError) || error.code !== 'model_output_malformed') throw error
    const failure = error.message
    await context.notice(
      'unsolved',
      'warning',
      `The sub-problem ${place} has no answer. ${failure}`,
    )
    return {
      answer: null,
      reasoning: '',
      confidence: 0,
      subProblems: [],
      subAnswers: [],
      depth: 0,
      failure,
      noted: [note(context, 'solve', place, { answer: null, failure })],
    }
  }
}

function ask<T>(
  context: RunContext,
  name: string,
  { model, turns }: Solver,
  prompt: Prompt,
  read: (text: string) => Reading<T>,
): Promise<T> {
  return turns(() => askStructured(context, name, model, prompt, read))
}

function toDirectSolution(
  context: RunContext,
  answered: ReasonedAnswer,
  place: ProblemNumber,
): Solution {
  const noted = [note(context, 'solve', place, { ...answered })]
  return { ...answered, subProblems: [], subAnswers: [], depth: 0, noted }
}

function toSubAnswer({ id, description }: SubProblem, solution: Solution): SubAnswer {
  const { reasoning, answer, confidence, failure, subAnswers } = solution
  return {
    id,
    description,
    reasoning,
    answer,
    confidence,
    ...(failure === undefined ? {} : { failure }),
    ...(subAnswers.length === 0 ? {} : { subAnswers }),
  }
}

function toKnownAnswer({ id, description, answer }: SubAnswer) {
  return { id, description, answer }
}

function note(
  context: RunContext,
  kind: string,
  place: ProblemNumber,
  data: TraceEntry['data'],
): UnnumberedEntry {
  return { kind, timestampMs: context.now(), data: { place, ...data } }
}
