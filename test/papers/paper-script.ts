import {
  findRole,
  type ModelRequestSeen,
  plainReply,
  type Script,
  type ScriptedReply,
} from '../../src/testing/index.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

/** The roles of a run of papers, as a model server tells them apart. */
export type PapersRole = 'analyzer' | 'synthesizer' | 'verifier' | 'embedding'

/** Which role a request is of. */
export function papersRoleOf(seen: ModelRequestSeen): PapersRole {
  if (seen.texts.length > 0) return 'embedding'
  if (seen.system.startsWith('You analyse one paper')) return 'analyzer'
  if (seen.system.startsWith('You compare what several papers say')) return 'synthesizer'
  if (findRole(seen) === 'verifier') return 'verifier'
  throw new Error(`No role of papers: ${seen.system.slice(0, 60)}`)
}

/**
 * A model that says what the papers on sparse attention say, sentence by sentence. What it says depends on what it is asked alone, so
 * that a call that is made again gets the same answer. `change` says other things for single requests.
 */
export function scriptPapers(
  change: (seen: ModelRequestSeen, role: PapersRole) => ScriptedReply | undefined = () => undefined,
): Script {
  return (seen) => {
    const role = papersRoleOf(seen)
    return change(seen, role) ?? plain(role, seen)
  }
}

function plain(role: PapersRole, seen: ModelRequestSeen): ScriptedReply {
  if (role === 'analyzer') return { json: analysisOf(seen) }
  if (role === 'synthesizer') return { json: synthesisOf(seen) }
  if (role === 'embedding') return { vectors: seen.texts.map(vectorOf) }
  return plainReply('verifier', seen)
}

function analysisOf({ lastText }: ModelRequestSeen) {
  const paper = paperTitled(/"title": ?"([^"]+)"/.exec(lastText)?.[1] ?? '')
  return {
    methodology: [],
    key_findings: sentences(section(paper, 'Results')),
    conclusions: [section(paper, 'Conclusion')],
    limitations: sentences(section(paper, 'Limitations')).slice(0, 1),
    contributions: [],
  }
}

function synthesisOf({ lastText }: ModelRequestSeen) {
  const papers = [...lastText.matchAll(/"n": ?(\d+)[^\n]*?"title": ?"([^"]+)"/g)].map(
    ([, n, title = '']) => ({ n: Number(n), paper: paperTitled(title) }),
  )
  const saving = papers.filter(({ paper }) =>
    section(paper, 'Conclusion').includes('reduces memory use'),
  )
  const side = (words: string) => {
    const found = papers.filter(({ paper }) => section(paper, 'Conclusion').includes(words))
    return supportOf(found)
  }
  const [a, b] = [side('does not reduce accuracy'), side('it reduces accuracy')]
  const hasSides = a.papers.length > 0 && b.papers.length > 0
  return {
    consensus: [{ point: 'Sparse attention reduces memory use.', ...supportOf(saving) }],
    contradictions: hasSides
      ? [
          {
            description: 'Whether sparse attention reduces accuracy on long inputs.',
            context: '',
            a: { says: a.quotes[0]?.quote ?? '', ...a },
            b: { says: b.quotes[0]?.quote ?? '', ...b },
          },
        ]
      : [],
    gaps: [],
    summary: papers
      .map(({ n, paper }) => `${section(paper, 'Conclusion').replace(/\.$/, '')} [${n}].`)
      .join(' '),
  }
}

function supportOf(papers: readonly { readonly n: number; readonly paper: ServedPaper }[]) {
  return {
    papers: papers.map(({ n }) => n),
    quotes: papers.map(({ n, paper }) => ({ paper: n, quote: section(paper, 'Conclusion') })),
  }
}

function paperTitled(title: string): ServedPaper {
  const found = sparseAttentionPapers.find((paper) => paper.title === title)
  if (found === undefined) throw new Error(`There is no paper "${title}".`)
  return found
}

/** The first paragraph of a section, which is what the paper has of its own. */
function section({ sections }: ServedPaper, heading: string): string {
  return sections.find((one) => one.heading === heading)?.paragraphs[0] ?? ''
}

function sentences(text: string): readonly string[] {
  return text.split(/(?<=\.)\s+/)
}

/** Words as a vector: texts of the same words in another order are alike. */
function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: 64 }, () => 0)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const sum = [...word].reduce((all, sign) => all * 31 + (sign.codePointAt(0) ?? 0), 7)
    const at = sum % 64
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}
