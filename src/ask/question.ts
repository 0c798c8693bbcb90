import { ScholiumError } from '../kernel/errors.ts'
import type { Earlier } from './earlier.ts'
import type { AnswerFormat, ClaimPolicy, Depth } from './result.ts'
import type { AskState } from './state.ts'

/** What is asked, of which files beside the library, with how many rejections. */
export type AskInput = {
  readonly question: string
  readonly files: readonly string[]
  /** The folder out of which no file is read, whatever links say. Default: links are followed anywhere. */
  readonly filesWithin?: string
  /** Rejections by critics at most, over all roles. Default 5. */
  readonly retryLimit?: number
  /** Rejections by role at most. */
  readonly retryLimits?: AskState['control']['retryLimits']
  /** What becomes of claims that do not hold. Default `mark`. */
  readonly claims?: ClaimPolicy
  /** Default `thorough`. */
  readonly depth?: Depth
  /** Whether the web may be asked. Default false. */
  readonly web?: boolean
  /** Whether models that take pictures are shown those among the sources. Default, as in version 0.1: false. */
  readonly pictures?: boolean
  /** The MCP servers that may be used, by name. Default: none. */
  readonly mcp?: readonly string[]
  /** Whether the expert may run Python. Default, as in version 0.1: false. */
  readonly python?: boolean
  /** Whether research steps are worked on one after the other. Default, as in version 0.1: true. */
  readonly sequential?: boolean
  /** Whether a person is asked before the plan is worked on. Default false. */
  readonly approvePlan?: boolean
  /** Default `full`. */
  readonly answerFormat?: AnswerFormat
  /** What a role's critic looks at beside its instructions. */
  readonly criteria?: AskState['question']['criteria']
  /** What the run from which this one goes on leaves to it. */
  readonly earlier?: Earlier
}

/** A question's length at most, in UTF-16 code units. */
export const maxQuestionLength = 200_000

/**
 * A question as the team works on it: line ends unified, control characters out, trimmed.
 * @throws `invalid_input` when nothing is left or it is too long
 */
export function cleanQuestion(question: string): string {
  const cleaned = question
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  if (cleaned === '') {
    throw new ScholiumError('invalid_input', 'The question is empty.', {
      hint: 'Ask something: scholium ask "What is CRISPR?"',
    })
  }
  if (cleaned.length > maxQuestionLength) {
    throw new ScholiumError(
      'invalid_input',
      `The question has ${cleaned.length} characters; the maximum is ${maxQuestionLength}.`,
      { hint: 'Put long texts into a file, pass it with --source, and ask about it.' },
    )
  }
  return cleaned
}

/** What a run of a question is listed as. */
export function toTitle(question: string): string {
  return cleanQuestion(question).replaceAll(/\s+/g, ' ').slice(0, 200)
}
