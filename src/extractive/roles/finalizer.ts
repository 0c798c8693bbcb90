import {
  type FinalizerInput,
  type FinalizerOutput,
  noEvidenceText,
} from '../../citations/role-requests.ts'
import { findCitations } from '../language/cited-text.ts'

/** Writes the final answer and the numbered steps that led to it. Citations are unchanged. */
export function finalize(input: FinalizerInput): FinalizerOutput {
  const paragraphs = input.expert_answer.split(/\n\s*\n/).map((paragraph) => paragraph.trim())
  const answer = paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')
  const short = input.answer_format === 'short' ? toShortAnswer(answer) : undefined
  return {
    final_answer: short ?? (answer === '' ? noEvidenceText : answer),
    final_reasoning_trace: formatTrace(input),
  }
}

/** The words that an answer quotes first, or the number it calculates; `undefined` if it has neither and stays in sentences. */
function toShortAnswer(answer: string): string | undefined {
  const quoted = /^"([^"\n]+)" \[\d+\]\./.exec(answer)?.[1]
  if (quoted !== undefined) return quoted.replace(/^(?:the|an?) /i, '')
  return /^[^\n]*= ([-−]?\d[\d,]*(?:\.\d+)?)/.exec(answer)?.[1]?.replaceAll(',', '')
}

function formatTrace({
  research_steps,
  expert_steps,
  research,
  expert_reasoning,
}: FinalizerInput): string {
  const count = research_steps.length
  const planned =
    count === 0 ? 'no research step' : count === 1 ? 'one research step' : `${count} research steps`
  research_steps.length === 0 ? 'no research' : `${research_steps.length} × research`
  const lines = [
    `Planned ${planned}; then: ${expert_steps.join(' ')}`,
    ...research.map(({ request, result }) => `Searched for "${request}": ${formatFinding(result)}`),
    ...expert_reasoning.split('\n').filter((line) => line.trim() !== ''),
  ]
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n')
}

function formatFinding(result: string): string {
  if (result.trim() === noEvidenceText) return 'the sources do not say.'
  const cited = findCitations(result).map((n) => `[${n}]`)
  return `found in ${cited.join(', ')}.`
}
