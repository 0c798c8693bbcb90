import { ScholiumError } from '../kernel/errors.ts'
import type { Earlier } from './earlier.ts'
import type { AnswerFormat, ClaimPolicy, Depth } from './result.ts'
import type { AskState } from './state.ts'

/** A question, the files to search in addition to the library, and its settings. */
export type AskInput = {
  readonly question: string
  readonly files: readonly string[]
  /** The only folder in which files are read, whatever links say. Default: links are followed anywhere. */
  readonly filesWithin?: string
  /** Maximum number of rejections by critics, over all roles. Default 5. */
  readonly retryLimit?: number
  /** Maximum number of rejections by role. */
  readonly retryLimits?: AskState['control']['retryLimits']
  /** How to treat unsupported claims. Default `mark`. */
  readonly claims?: ClaimPolicy
  /** Default `thorough`. */
  readonly depth?: Depth
  /** Whether the web may be used. Default false. */
  readonly web?: boolean
  /** Whether models that take pictures are shown those among the sources. Default, as in version 0.1: false. */
  readonly pictures?: boolean
  /** The MCP servers that may be used, by name. Default: none. */
  readonly mcp?: readonly string[]
  /** Whether the expert may run Python. Default, as in version 0.1: false. */
  readonly python?: boolean
  /** Whether research steps run one after another. Default, as in version 0.1: true. */
  readonly sequential?: boolean
  /** Whether a person approves the plan first. Default false. */
  readonly approvePlan?: boolean
  /** Default `full`. */
  readonly answerFormat?: AnswerFormat
  /** Criteria for a role's critic, in addition to its instructions. */
  readonly criteria?: AskState['question']['criteria']
  /** What this question takes over from the run it continues. */
  readonly earlier?: Earlier
}

/** Maximum length of a question, in UTF-16 code units. */
export const maxQuestionLength = 200_000

/**
 * A question as the team uses it: normalised line breaks, no control characters, trimmed.
 * @throws `invalid_input` if nothing is left or it is too long
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

/** A run's title in lists. */
export function toTitle(question: string): string {
  return cleanQuestion(question).replaceAll(/\s+/g, ' ').slice(0, 200)
}
