import type {
  AnalysedFinding,
  AnalysedPaper,
  DraftSupport,
  SynthesizerInput,
  SynthesizerOutput,
} from '../../citations/papers-role-input.ts'
import { noEvidenceText } from '../../citations/role-input.ts'
import { type ComparedSentence, likenessOf, overlapOf, readSentence } from './compare-sentences.ts'
import { isEmptyWord } from '../language/word-families.ts'
import { readWords } from '../language/words.ts'

/** A sentence of an analysis with its paper. */
interface Said {
  readonly n: number
  readonly text: string
  readonly quote: string
  readonly compared: ComparedSentence
  /** Whether it is of what was found, and not of how: that two papers work in other ways contradicts nothing. */
  readonly isFinding: boolean
  /** How many words of the question it has. */
  readonly asked: number
  /** Its place among all. */
  readonly order: number
}

const mostConsensus = 8
const mostContradictions = 6
const mostGapsOfPaper = 2
const mostInSummary = 8

/**
 * What papers say together, by the words of their sentences alone: those of different papers that differ in nothing which changes
 * what is said are consensus, those that differ in a direction, a negation or a number of the same matter alone are contradictions,
 * and what papers call their limits is open. The summary is the sentences that have most words of the question. What is said in other words is not seen.
 */
export function synthesize({ question, papers }: SynthesizerInput): SynthesizerOutput {
  const asked = new Set(stemsOf(question))
  const said = readSaid(
    papers,
    ({ key_findings, conclusions, contributions, methodology }) => ({
      found: [...key_findings, ...conclusions],
      others: [...contributions, ...methodology],
    }),
    asked,
  )
  const { consensus, contradictions } = comparePapers(said)
  const limits = readSaid(papers, ({ limitations }) => ({ found: [], others: limitations }), asked)
  return { consensus, contradictions, gaps: gapsOf(limits), summary: summaryOf(papers, said) }
}

function readSaid(
  papers: readonly AnalysedPaper[],
  findings: (paper: AnalysedPaper) => Record<'found' | 'others', readonly AnalysedFinding[]>,
  asked: ReadonlySet<string>,
): readonly Said[] {
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
      compared: readSentence(text),
      asked: new Set(stemsOf(text).filter((stem) => asked.has(stem))).size,
      order,
    }))
}

function stemsOf(text: string): readonly string[] {
  return readWords(text).flatMap(({ plain, stem, isNumber }) =>
    isNumber || isEmptyWord(plain) || plain.length < 3 ? [] : [stem],
  )
}

/** Each sentence beside those of the papers behind its own: the likest of each, and each sentence in one point. */
function comparePapers(
  said: readonly Said[],
): Pick<SynthesizerOutput, 'consensus' | 'contradictions'> {
  const consensus: SynthesizerOutput['consensus'][number][] = []
  const contradictions: SynthesizerOutput['contradictions'][number][] = []
  const used = new Set<Said>()
  for (const one of said) {
    if (used.has(one)) continue
    const others = said.filter((other) => other.n > one.n && !used.has(other))
    const alike = likest(one, others, 'alike')
    if (alike.length > 0 && consensus.length < mostConsensus) {
      for (const each of [one, ...alike]) used.add(each)
      consensus.push({ point: one.text, ...supportOf([one, ...alike]) })
      continue
    }
    if (!one.isFinding) continue
    const [against] = likest(
      one,
      others.filter(({ isFinding }) => isFinding),
      'against',
    )
    if (against === undefined || contradictions.length >= mostContradictions) continue
    used.add(one).add(against)
    contradictions.push({
      description: 'Two papers differ in what they say of the same.',
      context: '',
      a: { says: one.text, ...supportOf([one]) },
      b: { says: against.text, ...supportOf([against]) },
    })
  }
  return { consensus, contradictions }
}

/** Of each paper the sentence that is likest to one, where it stands so to it. */
function likest(
  one: Said,
  others: readonly Said[],
  likeness: 'alike' | 'against',
): readonly Said[] {
  const best = new Map<number, Said>()
  for (const other of others) {
    if (likenessOf(one.compared, other.compared) !== likeness) continue
    const known = best.get(other.n)
    const isLiker =
      known === undefined ||
      overlapOf(one.compared, other.compared) > overlapOf(one.compared, known.compared)
    if (isLiker) best.set(other.n, other)
  }
  return [...best.values()]
}

function supportOf(said: readonly Said[]): DraftSupport {
  return {
    papers: said.map(({ n }) => String(n)),
    quotes: said.map(({ n, quote }) => ({ paper: String(n), quote })),
  }
}

/** The first limits of each paper. */
function gapsOf(limits: readonly Said[]): SynthesizerOutput['gaps'] {
  const counts = new Map<number, number>()
  return limits.flatMap((one) => {
    const count = (counts.get(one.n) ?? 0) + 1
    counts.set(one.n, count)
    return count > mostGapsOfPaper ? [] : [{ text: one.text, ...supportOf([one]) }]
  })
}

/** The sentences that have most words of the question, of each paper that has some one and then more; a paragraph a paper. */
function summaryOf(papers: readonly AnalysedPaper[], said: readonly Said[]): string {
  const ranked = [...said].sort((one, other) => other.asked - one.asked || one.order - other.order)
  const most = ranked[0]?.asked ?? 0
  const fitting = most > 0 ? ranked.filter(({ asked }) => asked > 0) : ranked
  const firsts = papers.flatMap(({ n }) => fitting.find((one) => one.n === n) ?? [])
  // Beside the best of each paper only what comes near the best of all.
  const more = most > 0 ? fitting.filter(({ asked }) => asked * 2 > most) : []
  const chosen = new Set([...new Set([...firsts, ...more])].slice(0, room(papers)))
  const paragraphs = papers.flatMap(({ n }) => {
    const own = said.filter((one) => one.n === n && chosen.has(one))
    return own.length === 0 ? [] : [own.map(cited).join(' ')]
  })
  return paragraphs.length === 0 ? noEvidenceText : paragraphs.join('\n\n')
}

function room({ length }: readonly AnalysedPaper[]): number {
  return Math.max(mostInSummary, length)
}

function cited({ text, n }: Said): string {
  const [, bare = text, stop = '.'] = /^(.*?)([.!?]*)$/s.exec(text) ?? []
  return `${bare} [${n}]${stop === '' ? '.' : stop}`
}
