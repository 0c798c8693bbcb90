import type { Json } from '../kernel/json.ts'
import type { Reading } from './ask-structured.ts'
import { type Prompt, wrapInTag } from './conversation.ts'
import { malformedText, parseStructured, toText } from './structured.ts'
import { maxSubProblems, parseDecomposition, type SubProblem } from './sub-problems.ts'

/** An answer with its reasoning. */
export interface ReasonedAnswer {
  readonly answer: Json
  readonly reasoning: string
  /** 0 to 1, as stated by the model; null if it gave none. */
  readonly confidence: number | null
}

/** A model's response to a problem: sub-problems, or an answer. */
export type SplitOrAnswer =
  | { readonly kind: 'split'; readonly parts: readonly SubProblem[] }
  | { readonly kind: 'answer'; readonly answered: ReasonedAnswer }

/** The answer to a sub-problem, as shown to later prompts. */
export interface PartAnswer {
  readonly id: string
  readonly description: string
  readonly answer: Json
}

/** A problem, the whole it belongs to, and the answers it depends on. */
export interface PosedProblem {
  readonly problem: string
  /** The original problem, if it is another one. */
  readonly whole?: string
  readonly given: readonly PartAnswer[]
}

const answerForm =
  '{"reasoning": "how you came to it", "answer": the answer alone, as text, number, list or object, "confidence": from 0 to 1}'

/** The prompt for a model that may split the problem. */
export function splitPrompt(posed: PosedProblem): Prompt {
  return {
    system: `You solve a problem, or split it into sub-problems that are easier to solve.

Split it into at most ${maxSubProblems} sub-problems when its parts have to be solved by themselves. Each sub-problem has to be understood without the others; one that needs the answers of others names them. Then answer with one JSON object and nothing else: {"sub_problems": [{"id": "1", "description": "the sub-problem", "depends_on": []}, {"id": "2", "description": "…", "depends_on": ["1"]}]}.

When it can be solved at once, do so. Then answer with one JSON object and nothing else: ${answerForm}.`,
    user: describe(posed),
  }
}

/** The prompt for a model that must answer the problem directly. */
export function answerPrompt(posed: PosedProblem): Prompt {
  return {
    system: `You solve a problem. Do not split it any further: give the best answer that you can, with less confidence where you are not sure. Answer with one JSON object and nothing else: ${answerForm}.`,
    user: describe(posed),
  }
}

/**
 * The prompt for combining the answers of sub-problems.
 * @param instruction how to combine them, in the caller's words
 */
export function synthesisPrompt(
  posed: PosedProblem,
  answers: readonly (PartAnswer & ReasonedAnswer)[],
  instruction = 'Put the answers together into one answer to the whole problem, and say where they do not agree or one is missing.',
): Prompt {
  const lines = answers.map(({ id, description, answer, reasoning, confidence }) =>
    JSON.stringify({ id, description, answer, reasoning, confidence }),
  )
  return {
    system: `You are given a problem and the answers to its sub-problems. ${instruction}\n\nAnswer with one JSON object and nothing else: {"reasoning": "how you put them together", "final_answer": the answer alone, as text, number, list or object}.`,
    user: `${describe(posed)}\n\n${wrapInTag('sub_answers', lines.join('\n'))}`,
  }
}

function describe({ problem, whole, given }: PosedProblem): string {
  return [
    ...(whole === undefined ? [] : [wrapInTag('whole_problem', whole)]),
    wrapInTag('problem', problem),
    ...(given.length === 0
      ? []
      : [wrapInTag('known_answers', given.map((known) => JSON.stringify(known)).join('\n'))]),
  ].join('\n\n')
}

/** Parses sub-problems or an answer from a model's text. */
export function parseSplitOrAnswer(text: string): Reading<SplitOrAnswer> {
  const answered = parseAnswer(text)
  if (answered.ok && !listsParts(text))
    return { ...answered, value: { kind: 'answer', answered: answered.value } }
  const parts = parseDecomposition(text)
  if (parts.ok) return { ...parts, value: { kind: 'split', parts: parts.value } }
  const isNeither = !answered.ok && !listsParts(text)
  return isNeither ? { ok: false, error: malformedText(noForm, text) } : parts
}

const noForm = 'There is no JSON object with "sub_problems" or "answer" in it.'

/** Whether a text has an object with sub-problems, even if it also has one with an answer. */
function listsParts(text: string): boolean {
  const found = parseStructured(text, ['sub_problems'])
  return found.ok && Array.isArray(found.value.sub_problems) && found.value.sub_problems.length > 0
}

/** Parses an answer from a model's text. */
export function parseAnswer(text: string): Reading<ReasonedAnswer> {
  return answerIn(text, 'answer')
}

/** Parses a combined answer from a model's text. */
export function parseSynthesis(text: string): Reading<ReasonedAnswer> {
  const final = answerIn(text, 'final_answer')
  return final.ok ? final : answerIn(text, 'answer')
}

function answerIn(text: string, key: string): Reading<ReasonedAnswer> {
  const read = parseStructured(text, [key])
  if (!read.ok) return read
  const { [key]: answer = null, reasoning, thinking, confidence } = read.value
  const value = {
    answer,
    reasoning: toText(reasoning ?? thinking ?? null),
    confidence: typeof confidence === 'number' ? Math.min(1, Math.max(0, confidence)) : null,
  }
  return { ok: true, value, truncated: read.truncated }
}
