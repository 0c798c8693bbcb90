import type { CitedSource, ReadPassage } from '../../citations/claim.ts'
import {
  type CriticInput,
  type CriticOutput,
  noEvidenceText,
  notAnsweredText,
} from '../../citations/role-requests.ts'
import { checkClaims } from '../../claims/check/check-claim.ts'
import { type CitedSentence, splitClaims } from '../../claims/check/parse-claims.ts'
import { toLetters } from '../language/cited-text.ts'
import { fold, readWords } from '../language/words.ts'
import { readCalculation } from '../question/calculation.ts'
import { parseCalculationLine, unansweredLine } from './expert.ts'

/** Reviews a role's work: the first check that fails rejects it and says why. */
export function critique(input: CriticInput): CriticOutput {
  const objection = findObjection(input)
  if (objection === undefined) return { decision: 'approve', feedback: 'Every check passed.' }
  return { decision: 'reject', feedback: objection }
}

function findObjection(input: CriticInput): string | undefined {
  if (input.work === 'planner') return checkPlan(input)
  if (input.work === 'researcher') return checkCitedText(input.result, input.evidence, new Set())
  return checkExpert(input)
}

const maxSteps = 12

function checkPlan({
  question,
  plan,
}: Extract<CriticInput, { work: 'planner' }>): string | undefined {
  const { research_steps: research, expert_steps: expert } = plan
  const steps = [...research, ...expert]
  if (expert.length === 0) return 'The plan has no step for the expert.'
  if (steps.length > maxSteps) {
    return `The plan has ${steps.length} steps; at most ${maxSteps} are useful.`
  }
  const repeated = steps.find((step, index) =>
    steps.some((other, place) => place < index && fold(other) === fold(step)),
  )
  if (repeated !== undefined) return `The plan has the same step twice: "${excerpt(repeated)}"`
  if (research.length > 0 || isCalculation(question, expert)) return undefined
  return 'The question is not a calculation, but the plan has no research step.'
}

function isCalculation(question: string, expert: readonly string[]): boolean {
  if (/\b(?:calculat|convert|comput)/i.test(expert.join(' '))) return true
  return [question, ...expert].some((text) => readCalculation(text) !== undefined)
}

function checkExpert(input: Extract<CriticInput, { work: 'expert' }>): string | undefined {
  const { research, answer, evidence } = input
  const text = answer.expert_answer.trim()
  if (text === '') return 'The answer is empty.'
  const calculated = readCalculations(answer.reasoning_trace)
  const findings = research.map(({ result }) => result.trim())
  const isFound = findings.some((result) => result !== noEvidenceText && result !== '')
  if (text === noEvidenceText) {
    return isFound && !answer.reasoning_trace.split('\n').includes(unansweredLine)
      ? 'Research found something, but the answer says that there is nothing.'
      : undefined
  }
  if (research.length === 0 && calculated.size === 0) {
    return 'The answer rests on no research, and its reasoning names no calculator.'
  }
  return checkCitedText(text, evidence, calculated)
}

/** The results of the calculator and the unit converter, according to the trace. */
function readCalculations(trace: string): ReadonlySet<string> {
  return new Set(trace.split('\n').flatMap((line) => parseCalculationLine(line) ?? []))
}

/** What is wrong with a cited text, claim by claim; `calculated` claims need no source. */
function checkCitedText(
  text: string,
  evidence: readonly ReadPassage[],
  calculated: ReadonlySet<string>,
): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return 'The result is empty.'
  if (trimmed === noEvidenceText || trimmed === notAnsweredText) return undefined
  const claims = splitClaims(trimmed).filter(({ plain }) => !isCalculated(plain, calculated))
  for (const claim of claims) {
    const objection = checkClaim(claim, evidence)
    if (objection !== undefined) return objection
  }
  const altered = checkClaims(claims, evidence, listSources(evidence)).find(
    ({ verdict }) => verdict === 'altered',
  )
  return (
    altered && `A sentence differs from its source: "${excerpt(altered.text)}" ${altered.reason}`
  )
}

function isCalculated(plain: string, calculated: ReadonlySet<string>): boolean {
  const line = plain.replace(/(?<![\s.])[\s.]+$/, '')
  return calculated.has(line) || calculated.has(line.replace(/ years$/, ''))
}

function checkClaim(
  { text, plain, citations }: CitedSentence,
  evidence: readonly ReadPassage[],
): string | undefined {
  if (citations.length === 0) return `A sentence has no citation: "${excerpt(text)}"`
  const unknown = citations.find((n) => !evidence.some((passage) => passage.n === n))
  if (unknown !== undefined) {
    return `Nothing was read under [${unknown}], which a sentence cites: "${excerpt(text)}"`
  }
  const cited = evidence.filter(({ n }) => citations.includes(n)).map((passage) => passage.text)
  const figure = findMissingFigure(plain, cited)
  if (figure !== undefined) {
    return `The number ${figure} is not in the cited passages: "${excerpt(text)}"`
  }
  const quote = findMissingQuote(plain, cited)
  return quote && `The quoted words are not in the cited passages: "${excerpt(quote)}"`
}

function findMissingFigure(sentence: string, cited: readonly string[]): string | undefined {
  const known = new Set(cited.flatMap((text) => findFigures(text)).map(({ plain }) => plain))
  return findFigures(sentence).find(({ plain }) => !known.has(plain))?.text
}

function findFigures(text: string) {
  return readWords(text).filter(({ isNumber }) => isNumber)
}

/** A quotation of three words or more that is in none of the cited passages. */
function findMissingQuote(sentence: string, cited: readonly string[]): string | undefined {
  const known = cited.map(toLetters)
  const quotes = [...sentence.matchAll(/["“]([^"”]{8,300})["”]/g)].map(
    (match) => match[1] as string,
  )
  return quotes.find((quote) => {
    const letters = toLetters(quote)
    return letters.split(' ').length >= 3 && !known.some((text) => text.includes(letters))
  })
}

function listSources(evidence: readonly ReadPassage[]): readonly CitedSource[] {
  const csl = { id: 'source', type: 'document' }
  const numbers = [...new Set(evidence.map(({ n }) => n))]
  return numbers.map((n) => {
    const sourceId = (evidence.find((passage) => passage.n === n) as ReadPassage).sourceId
    return { n, sourceId, title: '', csl }
  })
}

function excerpt(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`
}
