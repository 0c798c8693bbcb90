import type { Claim } from '../citations/claim.ts'
import { type AnalyzerOutput, analysisTopics } from '../citations/papers-role-input.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { isSupported } from '../claims/verify/opinions.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Gap } from '../team/gap.ts'
import {
  checkStatements,
  type Read,
  uncheckedClaims,
  withoutMarks,
  withVerifier,
} from './check-statements.ts'
import type { PapersParts } from './parts.ts'
import type { Analysis, Finding } from './result.ts'
import type { PapersClaimPolicy } from './state.ts'

/** Findings of one list at most: a model that writes more repeats itself. */
const maxFindings = 12

/** The lists of an analysis. */
type Findings = Pick<
  Analysis,
  'methodology' | 'keyFindings' | 'conclusions' | 'limitations' | 'contributions'
>

/** What is read of the paper of an analysis. */
export interface ReadPaper extends Read {
  readonly n: number
  readonly title: string
}

/**
 * What an analyzer wrote, held against the pages of its paper. Under `strict` what these do not bear out is left out, and a gap says
 * why.
 */
export async function checkFindings(
  parts: PapersParts,
  policy: PapersClaimPolicy,
  written: AnalyzerOutput,
  read: ReadPaper,
  context: RunContext,
): Promise<{ readonly findings: Findings; readonly gaps: readonly Gap[] }> {
  const { n, title } = read
  const lists = analysisTopics.map((topic) => findingsIn(written[topic]))
  const statements = lists.flat().map((text) => ({ text, n }))
  const byCode = checkStatements(statements, read)
  const checked =
    policy === 'off'
      ? { claims: uncheckedClaims(byCode), gaps: [] }
      : await withVerifier(parts, context, byCode, read)
  const findings = statements.map(({ text }, index) =>
    toFinding(text, checked.claims[index] as Claim),
  )
  const isHeld = (finding: Finding) => policy !== 'strict' || isSupported(finding)
  const starts = lists.map((_, index) => lists.slice(0, index).flat().length)
  const of = (index: number) => {
    const from = starts[index] ?? 0
    return findings.slice(from, from + (lists[index]?.length ?? 0)).filter(isHeld)
  }
  return {
    findings: {
      methodology: of(0),
      keyFindings: of(1),
      conclusions: of(2),
      limitations: of(3),
      contributions: of(4),
    },
    gaps: [
      ...checked.gaps,
      ...findings.filter((finding) => !isHeld(finding)).map((finding) => dropped(finding, title)),
    ],
  }
}

function findingsIn(texts: readonly string[]): readonly string[] {
  const bare = texts.map((text) => toInertMarkdown(withoutMarks(text)))
  return [...new Set(bare.filter((text) => text !== ''))].slice(0, maxFindings)
}

function toFinding(text: string, { verdict, evidence, judge, reason }: Claim): Finding {
  return { text, verdict, evidence, judge, reason }
}

function dropped({ text, reason }: Finding, source: string): Gap {
  return { kind: 'claim_dropped', detail: `Left out: “${text}” ${reason}`, source }
}
