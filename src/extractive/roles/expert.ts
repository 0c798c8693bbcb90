import {
  type CalculationOutput,
  type ExpertInput,
  type ExpertOutput,
  noEvidenceText,
} from '../../citations/role-requests.ts'
import { answerComparison, type ComparisonAnswer } from '../answer/comparison-answer.ts'
import { findShortAnswer } from '../answer/short-answer.ts'
import { answerFromRows } from '../answer/table-answer.ts'
import {
  isQuotedIn,
  splitCitedSentences,
  toLetters,
  withoutCitations,
} from '../language/cited-text.ts'
import { type Calculation, describeCalculation, readCalculation } from '../question/calculation.ts'
import { readComparison } from '../question/comparison.ts'
import { splitQuestion } from '../question/split-question.ts'
import type { ToolOutcome, ToolOutcomes } from '../role-request.ts'

/** The next move: calculations, or the answer. */
export type ExpertMove =
  | { readonly calls: readonly Calculation[] }
  | { readonly answer: ExpertOutput }

/**
 * Chooses the next move: first all calculations that the question asks for, then an answer from their results
 * and the research.
 */
export function answerAsExpert(
  input: ExpertInput,
  outcomes: ToolOutcomes,
  offered: ReadonlySet<string>,
): ExpertMove {
  const task = readTask(input)
  const known = outcomes.now.length > 0 ? outcomes.now : outcomes.earlier
  const possible = task.calculations.filter(({ tool }) => offered.has(tool))
  if (possible.length > 0 && known.length === 0) return { calls: possible }
  return { answer: compose(input, task, known) }
}

interface Task {
  readonly calculations: readonly Calculation[]
  /** What the result of the calculation counts, if anything: "years". */
  readonly unit?: string
}

/** The calculations that a question asks for, or the years between two dates that were found. */
function readTask({ question, expert_steps: steps, research }: ExpertInput): Task {
  const whole = readCalculation(question)
  if (whole !== undefined) return { calculations: [whole] }
  const parts = splitQuestion(question)
  const asked = parts.flatMap((part) => readCalculation(part) ?? [])
  if (asked.length > 0) return { calculations: asked }
  const rows = answerFromRows(question, findRows(research)).calculation
  if (rows !== undefined) return { calculations: [rows] }
  const span = readYearSpan(parts, research)
  if (span !== undefined) return { calculations: [span], unit: 'years' }
  if (research.length > 0) return { calculations: [] }
  return {
    calculations: steps.flatMap((step) => readCalculation(step.replace(toolNamed, '')) ?? []),
  }
}

const toolNamed = /\s+(?:with|using)\s+(?:the|a)\s+(?:calculator|unit converter)\.?$/i

/** The sentences of the only result, which may be table rows. */
function findRows(research: ExpertInput['research']): readonly string[] {
  const [only, ...others] = research
  return only === undefined || others.length > 0 ? [] : splitCitedSentences(only.result)
}

/** The subtraction of two years if each of two results names exactly one. */
function readYearSpan(
  parts: readonly string[],
  research: ExpertInput['research'],
): Calculation | undefined {
  const isSpan = parts.length === 1 && readComparison(parts[0] as string)?.order === 'span'
  const years = isSpan ? findOnlyYears(research) : undefined
  if (years === undefined) return undefined
  return { tool: 'calculate', expression: `${Math.max(...years)} - ${Math.min(...years)}` }
}

/** The single year of each of two results; `undefined` if one of them names none or several. */
function findOnlyYears(research: ExpertInput['research']): readonly [number, number] | undefined {
  const [first, second, ...others] = research.map(({ result }) => findYears(result))
  if (first?.length !== 1 || second?.length !== 1 || others.length > 0) return undefined
  return [first[0] as number, second[0] as number]
}

function findYears(result: string): readonly number[] {
  const years = withoutCitations(result).match(/\b(?:1\d{3}|20\d{2})\b(?!s)/g) ?? []
  return [...new Set(years.map(Number))]
}

function compose(input: ExpertInput, task: Task, outcomes: readonly ToolOutcome[]): ExpertOutput {
  const trace: string[] = []
  const found = combineFindings(input, trace)
  const { line, isAnswered } = compareFindings(input)
  if (!isAnswered && found.length > 0) trace.push(unansweredLine)
  const paragraphs = isAnswered ? found : []
  const cell = answerFromRows(input.question, findRows(input.research)).line
  const first = line ?? cell ?? composeShortAnswer(input, paragraphs)
  if (first !== undefined && paragraphs.length > 0) paragraphs.unshift(first)
  for (const outcome of outcomes) {
    if ('failure' in outcome) trace.push(`${outcome.tool} failed: ${outcome.failure}`)
    else if ('expression' in outcome.output) {
      trace.push(formatCalculationLine(outcome.tool, outcome.output))
      const unit = task.unit === undefined ? '' : ` ${task.unit}`
      paragraphs.push(`${formatEquation(outcome.output)}${unit}.`)
    }
  }
  if (task.calculations.length > 0 && outcomes.length === 0) {
    trace.push(`No tool was offered for: ${task.calculations.map(describeCalculation).join('; ')}`)
  }
  return {
    expert_answer: paragraphs.length === 0 ? noEvidenceText : paragraphs.join('\n\n'),
    reasoning_trace: trace.join('\n'),
  }
}

/** The words that answer the question on their own, if it asks for one thing and one paragraph answers it. */
function composeShortAnswer(
  { question }: ExpertInput,
  paragraphs: readonly string[],
): string | undefined {
  const [asked, ...others] = splitQuestion(question)
  const [paragraph] = paragraphs
  if (asked === undefined || others.length > 0 || paragraph === undefined || paragraphs.length > 1)
    return undefined
  return findShortAnswer(asked, splitCitedSentences(paragraph))
}

/** The answer to a question that compares two things; for other questions nothing. */
function compareFindings({ question, research }: ExpertInput): ComparisonAnswer {
  const parts = splitQuestion(question)
  const comparison = parts.length === 1 ? readComparison(parts[0] as string) : undefined
  if (comparison === undefined) return { line: undefined, isAnswered: true }
  return answerComparison(
    comparison,
    research.map(({ result }) => result),
  )
}

/** The results in order, one paragraph each, without sentences that are repeated or that a critic rejected. */
function combineFindings({ research, feedback }: ExpertInput, trace: string[]): string[] {
  const said = new Set<string>()
  const paragraphs: string[] = []
  for (const { request, result } of research) {
    if (result.trim() === noEvidenceText || result.trim() === '') {
      trace.push(`Nothing was found for: ${request}`)
      continue
    }
    const fresh = splitCitedSentences(result).filter(
      (sentence) => !said.has(toLetters(sentence)) && !isQuotedIn(feedback ?? '', sentence),
    )
    for (const sentence of fresh) said.add(toLetters(sentence))
    if (fresh.length > 0) paragraphs.push(fresh.join(' '))
    trace.push(
      fresh.length > 0 ? `Quoted for: ${request}` : `Answered by the same sentences: ${request}`,
    )
  }
  return paragraphs
}

/** The expert's trace line when the results are about the right things but do not answer the question. */
export const unansweredLine = 'What was found does not say what is asked.'

/** The trace line that names the tool and its result: "calculator: 2 + 2 = 4". */
function formatCalculationLine(tool: string, output: CalculationOutput): string {
  return `${tool === 'calculate' ? 'calculator' : 'unit converter'}: ${formatEquation(output)}`
}

/** "2 + 2 = 4", "100 km/h = 62.14 mph". */
function formatEquation({ expression, result }: CalculationOutput): string {
  return `${expression.replace(/^(.*\d.*) to [^=]*$/, '$1')} = ${result}`
}

/** The equation in a trace line of the calculator or unit converter, or `undefined`. */
export function parseCalculationLine(line: string): string | undefined {
  const match = /^\s*(?:\d+\.\s*)?(?:calculator|unit converter)\s*:\s*(.+?)[\s.]*$/i.exec(line)
  return match?.[1]
}
