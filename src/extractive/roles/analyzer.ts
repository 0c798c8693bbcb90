import type { ReadPassage } from '../../citations/claim.ts'
import {
  type AnalyzerInput,
  type AnalyzerOutput,
  analysisTopics,
} from '../../citations/papers-role-requests.ts'
import { isCompleteSentence, isSentence, splitQuotable, toQuotable } from '../answer/quotable.ts'
import { readContentStems } from '../language/word-families.ts'
import { fold, readWords, type Word } from '../language/words.ts'

type Topic = (typeof analysisTopics)[number]

/** How to recognize a sentence about a topic: by the heading above it and by its words. */
interface Cues {
  readonly section: RegExp
  readonly words: readonly RegExp[]
  readonly maxSentences: number
}

const cues: Readonly<Record<Topic, Cues>> = {
  methodology: {
    section:
      /method|material|approach|model|design|set-?up|data|procedure|implementation|participants/i,
    words: [
      /\bwe (?:use|used|train|trained|evaluate|evaluated|collect|collected|measure|measured|apply|applied|sample|compare|conduct|conducted|employ)\b/i,
      /\b(?:was|were) (?:trained|measured|collected|recruited|randomi[sz]ed|evaluated|conducted|performed|sampled|estimated)\b/i,
      /\b(?:data ?sets?|participants|corpus|benchmark|survey|simulation|regression|architecture|baseline)\b/i,
    ],
    maxSentences: 4,
  },
  key_findings: {
    section: /result|finding|experiment|evaluation|analysis|performance|abstract|summary/i,
    words: [
      /\b(?:we (?:find|found|show|showed|observe|observed|demonstrate|demonstrated)|results? (?:show|showed|indicate|indicated|suggest|suggested|demonstrate)|(?:is|are|was|were) (?:found|observed|shown|associated))\b/i,
      /\b(?:outperform\w*|improv\w+|increas\w+|decreas\w+|reduc\w+|higher|lower|better|worse|significant\w*|correlat\w+|achiev\w+)\b/i,
      /\d\s?%|\bp\s?[<=]\s?0?\.\d|\b\d+\.\d+\b/,
    ],
    maxSentences: 6,
  },
  conclusions: {
    section: /conclusion|discussion|concluding|implication/i,
    words: [
      /\b(?:we conclude|in conclusion|in summary|overall|taken together|this (?:suggests|implies|shows|means)|these (?:results|findings) (?:suggest|imply|show|indicate|demonstrate))\b/i,
      /\b(?:therefore|thus|hence|suggests? that|implies that)\b/i,
    ],
    maxSentences: 3,
  },
  limitations: {
    section: /limitation|future|threat|outlook|open (?:problem|question)/i,
    words: [
      /\b(?:limitations?|limited (?:by|to)|drawbacks?|shortcomings?|caveats?|threats? to)\b/i,
      /\b(?:future (?:work|research|studies|directions?)|further (?:work|research|studies)|remains? (?:open|unclear|unknown|to be)|not (?:considered|addressed|covered|available)|beyond the scope|we (?:leave|plan|hope to))\b/i,
    ],
    maxSentences: 4,
  },
  contributions: {
    section: /introduction|abstract|contribution/i,
    words: [
      /\b(?:we (?:propose|proposed|present|presented|introduce|introduced|develop|developed|provide|contribute|release)|our contributions?|this (?:paper|work|study|article) (?:proposes|presents|introduces|provides|describes|investigates|examines|shows))\b/i,
      /\b(?:novel|for the first time|first to|new (?:method|approach|model|framework|data ?set))\b/i,
    ],
    maxSentences: 4,
  },
}

/** A sentence of a paper with its best topic. */
interface Scored {
  readonly text: string
  readonly order: number
  readonly topic: Topic
  readonly score: number
}

/**
 * Sorts sentences copied from a paper's passages by topic, using the heading above them and their own words.
 * Words of the question raise a finding's score. It does not understand the text: sentences without such words
 * are missed.
 */
export function analyze({ question, paper, passages }: AnalyzerInput): AnalyzerOutput {
  const asked = new Set(readContentStems(readWords(question)))
  const known = new Set<string>()
  const sentences = passages.flatMap((passage) => readSentences(passage, paper.title))
  const scored = sentences.flatMap(({ text, words, section }, order): readonly Scored[] => {
    const key = fold(text)
    if (known.has(key)) return []
    known.add(key)
    const best = findBestTopic(text, section, words, asked)
    return best === undefined ? [] : [{ text, order, ...best }]
  })
  const of = (topic: Topic) =>
    scored
      .filter((one) => one.topic === topic)
      .sort((one, other) => other.score - one.score || one.order - other.order)
      .slice(0, cues[topic].maxSentences)
      .map(({ text }) => text)
  const lists = analysisTopics.map((topic) => [topic, of(topic)])
  return Object.fromEntries(lists) as AnalyzerOutput
}

interface Sentence {
  readonly text: string
  readonly words: readonly Word[]
  readonly section: string
}

function readSentences(passage: ReadPassage, title: string): readonly Sentence[] {
  const { section = '' } = passage
  return splitQuotable(passage.text).flatMap(({ start, end }) => {
    const raw = passage.text.slice(start, end)
    const text = toQuotable(raw)
    const words = readWords(text)
    const isFit =
      words.length >= minWords &&
      words.length <= maxWords &&
      isCompleteSentence(text) &&
      opening.test(text) &&
      isSentence(raw, text, words, { ...passage, title }) &&
      !needsContext.test(text)
    return isFit ? [{ text, words, section }] : []
  })
}

const minWords = 6
/** How sentences begin; a footnote number or list mark before them does not count. */
const opening = /^["'“‘]*(?:\p{Lu}|\p{Nd}|\p{Lo})/u
const maxWords = 60
/** References to figures, tables, proofs or a sentence before, without which the sentence is unclear. */
const needsContext =
  /^(?:(?:it|they|he|she|this|these|those|such|here|there|then|however|moreover|furthermore|in addition|additionally|similarly|in contrast|by contrast|finally|next|second|third)\b(?! (?:paper|study|work|article|survey|review|results|findings)\b)|(?:fig(?:ure)?|table|algorithm|theorem|lemma|proof)\b)|\b(?:see|in|shown in) (?:fig(?:ure)?s?|table|section|appendix|eq)\b/i

/** The topic that best fits a sentence; `undefined` if none fits well enough. */
function findBestTopic(
  text: string,
  section: string,
  words: readonly Word[],
  asked: ReadonlySet<string>,
): Pick<Scored, 'topic' | 'score'> | undefined {
  const shared = new Set(readContentStems(words).filter((stem) => asked.has(stem))).size
  const all = analysisTopics.map((topic) => {
    const said = cues[topic].words.filter((cue) => cue.test(text)).length
    const isUnder = section !== '' && cues[topic].section.test(section)
    const isAnswer = topic === 'key_findings' || topic === 'conclusions'
    const bonus = isAnswer && said > 0 ? Math.min(shared, 3) * 0.5 : 0
    return { topic, score: said === 0 ? 0 : said * 2 + (isUnder ? 2 : 0) + bonus }
  })
  const [first, ...others] = all
  const best = others.reduce(
    (one, other) => (other.score > one.score ? other : one),
    first as never,
  )
  return best.score >= minScore ? best : undefined
}

const minScore = 2
