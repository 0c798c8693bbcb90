import type {
  AnalysedFinding,
  AnalysedPaper,
  DraftSupport,
  SynthesizerInput,
  SynthesizerOutput,
} from '../../citations/papers-role-requests.ts'
import { noEvidenceText } from '../../citations/role-requests.ts'
import { citeSentence } from '../language/cited-text.ts'
import { readContentStems } from '../language/word-families.ts'
import { readWords } from '../language/words.ts'
import {
  type ComparedSentence,
  compareSentences,
  measureOverlap,
  toComparedSentence,
} from './compare-sentences.ts'

/** A sentence of an analysis with its paper. */
interface Finding {
  readonly n: number
  readonly text: string
  readonly quote: string
  readonly compared: ComparedSentence
  /** Whether it is a result rather than a method: different methods do not contradict each other. */
  readonly isFinding: boolean
  /** How many words of the question it contains. */
  readonly asked: number
  /** Position among all sentences. */
  readonly order: number
}

const maxConsensus = 8
const maxContradictions = 6
const maxGapsPerPaper = 2
const minSummarySentences = 8

/**
 * Synthesizes papers by the words of their sentences alone. Sentences of different papers that agree are
 * consensus; those that differ only in a direction, a negation or a number of the same measure are
 * contradictions; the papers' limitations are the gaps. The summary consists of the sentences with most words
 * of the question. The same finding in other words is not recognized.
 */
export function synthesize({ question, papers }: SynthesizerInput): SynthesizerOutput {
  const asked = new Set(readContentStems(readWords(question)))
  const said = readFindings(
    papers,
    ({ key_findings, conclusions, contributions, methodology }) => ({
      found: [...key_findings, ...conclusions],
      others: [...contributions, ...methodology],
    }),
    asked,
  )
  const { consensus, contradictions } = comparePapers(said)
  const limits = readFindings(
    papers,
    ({ limitations }) => ({ found: [], others: limitations }),
    asked,
  )
  return { consensus, contradictions, gaps: listGaps(limits), summary: summarize(papers, said) }
}

function readFindings(
  papers: readonly AnalysedPaper[],
  findings: (paper: AnalysedPaper) => Record<'found' | 'others', readonly AnalysedFinding[]>,
  asked: ReadonlySet<string>,
): readonly Finding[] {
  return papers
    .flatMap((paper) => {
      const { found, others } = findings(paper)
      const of = (isFinding: boolean) => (finding: AnalysedFinding) => {
        return { n: paper.n, isFinding, ...finding }
      }
      return [...found.map(of(true)), ...others.map(of(false))]
    })
    .map(({ n, isFinding, text, quote = text }, order) => ({
      n,
      text,
      quote,
      isFinding,
      compared: toComparedSentence(text),
      asked: new Set(readContentStems(readWords(text)).filter((stem) => asked.has(stem))).size,
      order,
    }))
}

/** Compares each sentence with those of the later papers; each sentence is used in one point only. */
function comparePapers(
  said: readonly Finding[],
): Pick<SynthesizerOutput, 'consensus' | 'contradictions'> {
  const consensus: SynthesizerOutput['consensus'][number][] = []
  const contradictions: SynthesizerOutput['contradictions'][number][] = []
  const used = new Set<Finding>()
  for (const one of said) {
    if (used.has(one)) continue
    const others = said.filter((other) => other.n > one.n && !used.has(other))
    const alike = findMostAlike(one, others, 'agree')
    if (alike.length > 0 && consensus.length < maxConsensus) {
      for (const each of [one, ...alike]) used.add(each)
      consensus.push({ point: one.text, ...toSupport([one, ...alike]) })
      continue
    }
    if (!one.isFinding) continue
    const [against] = findMostAlike(
      one,
      others.filter(({ isFinding }) => isFinding),
      'contradict',
    )
    if (against === undefined || contradictions.length >= maxContradictions) continue
    used.add(one).add(against)
    contradictions.push({
      description: 'Two papers differ in what they say of the same.',
      context: '',
      a: { says: one.text, ...toSupport([one]) },
      b: { says: against.text, ...toSupport([against]) },
    })
  }
  return { consensus, contradictions }
}

/** For each paper, the sentence most like `one` that has the given relation to it. */
function findMostAlike(
  one: Finding,
  others: readonly Finding[],
  relation: 'agree' | 'contradict',
): readonly Finding[] {
  const best = new Map<number, Finding>()
  for (const other of others) {
    if (compareSentences(one.compared, other.compared) !== relation) continue
    const known = best.get(other.n)
    const isLiker =
      known === undefined ||
      measureOverlap(one.compared, other.compared) > measureOverlap(one.compared, known.compared)
    if (isLiker) best.set(other.n, other)
  }
  return [...best.values()]
}

function toSupport(said: readonly Finding[]): DraftSupport {
  return {
    papers: said.map(({ n }) => String(n)),
    quotes: said.map(({ n, quote }) => ({ paper: String(n), quote })),
  }
}

/** The first limitations of each paper. */
function listGaps(limits: readonly Finding[]): SynthesizerOutput['gaps'] {
  const counts = new Map<number, number>()
  return limits.flatMap((one) => {
    const count = (counts.get(one.n) ?? 0) + 1
    counts.set(one.n, count)
    return count > maxGapsPerPaper ? [] : [{ text: one.text, ...toSupport([one]) }]
  })
}

/** The sentences with most words of the question, at least one of each paper that has any; one paragraph per paper. */
function summarize(papers: readonly AnalysedPaper[], said: readonly Finding[]): string {
  const ranked = [...said].sort((one, other) => other.asked - one.asked || one.order - other.order)
  const most = ranked[0]?.asked ?? 0
  const fitting = most > 0 ? ranked.filter(({ asked }) => asked > 0) : ranked
  const firsts = papers.flatMap(({ n }) => fitting.find((one) => one.n === n) ?? [])
  // After the best of each paper, only sentences close to the best of all.
  const more = most > 0 ? fitting.filter(({ asked }) => asked * 2 > most) : []
  const chosen = new Set([...new Set([...firsts, ...more])].slice(0, maxSummarySentences(papers)))
  const paragraphs = papers.flatMap(({ n }) => {
    const own = said.filter((one) => one.n === n && chosen.has(one))
    return own.length === 0 ? [] : [own.map(({ text, n }) => citeSentence(text, n)).join(' ')]
  })
  return paragraphs.length === 0 ? noEvidenceText : paragraphs.join('\n\n')
}

function maxSummarySentences({ length }: readonly AnalysedPaper[]): number {
  return Math.max(minSummarySentences, length)
}
