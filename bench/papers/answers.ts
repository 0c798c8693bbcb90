import type { ChatRequest, Reply } from '../ask/team-answers.ts'

/** Sentences that an analysis says of a paper, and of them those in words of its own, which the verifier has to judge. */
const findings = 5
const reworded = 2

/** What a model says of papers: sentences of their pages, some in other words, and what papers have in common. */
export function answerTo({ messages }: ChatRequest): Reply {
  const [system = '', user = ''] = ['system', 'user'].map((role) =>
    String(messages.findLast((message) => message.role === role)?.content ?? ''),
  )
  if (system.startsWith('You analyse one paper')) return json(analysisOf(user))
  if (system.startsWith('You compare what several papers say')) return json(synthesisOf(user))
  if (system.startsWith('You check claims')) return json(verdictsOn(user))
  throw new Error(`No role of papers: ${system.slice(0, 60)}`)
}

function json(value: object): Reply {
  return { text: JSON.stringify(value) }
}

/** The objects of JSON, one a line, after a heading. */
function linesAfter<Line>(text: string, heading: string): readonly Line[] {
  const lines = text.slice(text.indexOf(heading)).split('\n')
  return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []))
}

function analysisOf(user: string): object {
  const passages = linesAfter<{ readonly text: string }>(user, 'Passages of the paper:')
  const sentences = passages.flatMap(({ text }) => sentenceIn(text)).slice(0, findings)
  const [, ...others] = sentences
  return {
    methodology: sentences.slice(0, 1),
    key_findings: others.map((text, index) => (index < reworded ? `In short: ${text}` : text)),
    conclusions: [],
    limitations: [],
    contributions: [],
  }
}

/** The first sentence of some length that stands in a text. */
function sentenceIn(text: string): readonly string[] {
  const found = /(?<=[.!?]\s+)[A-Z][^.!?]{40,250}\./.exec(text)?.[0]
  return found === undefined ? [] : [found.replaceAll(/\s+/g, ' ')]
}

type ShownPaper = {
  readonly n: number
  readonly key_findings: readonly { readonly text: string; readonly quote?: string }[]
}

/** Each pair of neighbours has something in common, and the summary says one thing of each paper. */
function synthesisOf(user: string): object {
  const papers = linesAfter<ShownPaper>(user, 'The papers:')
  const said = papers.flatMap(({ n, key_findings: found }) => {
    const one = found.at(-1)
    return one === undefined ? [] : [{ n, text: one.text, quote: one.quote ?? one.text }]
  })
  const pairs = said.slice(1).flatMap((one, index) => (index % 4 === 0 ? [[said[index], one]] : []))
  return {
    consensus: pairs.map((pair) => ({
      point: pair[0]?.text ?? '',
      papers: pair.map((one) => one?.n),
      quotes: pair.map((one) => ({ paper: one?.n, quote: one?.quote })),
    })),
    contradictions: [],
    gaps: [],
    summary: said.map(({ n, text }) => `${text.replace(/\.$/, '')} [${n}].`).join(' '),
  }
}

function verdictsOn(user: string): object {
  const claims = [...user.matchAll(/^\{"claim":(\d+)/gm)].map(([, claim]) => Number(claim))
  const verdict = { verdict: 'supported', quote: '', reason: 'It says so.' }
  return { verdicts: claims.map((claim) => ({ claim, ...verdict })) }
}
