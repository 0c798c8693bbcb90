import { noEvidenceText } from '../citations/role-input.ts'
import { isSupported } from '../claims/verify/opinions.ts'
import type { Analysis, Finding } from './result.ts'
import type { KeptPaper } from './state.ts'

/** Findings of a paper that go into a summary at most. */
const mostOfPaper = 3

/**
 * A summary that code puts together where no model has: of each paper its first findings that its pages bear out, cited. Where
 * none holds, that the sources do not say.
 */
export function composeSummary(kept: readonly KeptPaper[]): string {
  const paragraphs = kept.flatMap(({ n, analysis }) => {
    const held = inOrder(analysis).filter(isSupported).slice(0, mostOfPaper)
    return held.length === 0 ? [] : [held.map(({ text }) => cited(text, n)).join(' ')]
  })
  return paragraphs.length === 0 ? noEvidenceText : paragraphs.join('\n\n')
}

/** What answers first. */
function inOrder({ keyFindings, conclusions, contributions, limitations, methodology }: Analysis) {
  return [
    ...new Map<string, Finding>(
      [...keyFindings, ...conclusions, ...contributions, ...limitations, ...methodology].map(
        (finding) => [finding.text, finding],
      ),
    ).values(),
  ]
}

/** A sentence with its number before its full stop. */
function cited(text: string, n: number): string {
  const [, bare = text, stop = '.'] = /^(.*?)([.!?]*)$/s.exec(text) ?? []
  return `${bare} [${n}]${stop === '' ? '.' : stop}`
}
