import { isEmptyWord } from '../language/word-families.ts'
import type { Question } from '../question/question.ts'
import type { AnswerKind } from '../question/question-form.ts'
import { explainsName } from './definition-fit.ts'
import { type Evidence, refersBack, type Sentence } from './evidence.ts'
import { type RankedSentence, rankSentences } from './rank-sentences.ts'

const maxSentences = 4

/** Chooses the sentences that answer a question, at most 4, in reading order; empty if none does. */
export function chooseSentences(question: Question, evidence: Evidence): readonly Sentence[] {
  if (question.terms.every(({ isWeak }) => isWeak)) return []
  const [best, ...others] = rankSentences(question, evidence)
  if (best === undefined) return chooseDescription(question, evidence)
  const chosen = [best]
  for (const candidate of others) {
    if (countSentences(chosen) >= maxSentences) break
    if (addsAnswer(question, candidate, chosen)) chosen.push(candidate)
  }
  return arrangeSentences(question, chosen, evidence, maxSentences)
}

const minOwnShareForDescription = 0.7

/** A topic of at least this many words is described rather than defined ("the strongest earthquake ever recorded"). */
const minDescribedTopicWords = 3

/**
 * A description of a topic that no sentence defines: for a name, sentences that begin with it; for a topic of
 * several words, the sentence that covers most of it with nothing missing.
 */
function chooseDescription(question: Question, evidence: Evidence): readonly Sentence[] {
  if (question.kind !== 'definition') return []
  const general: Question = { ...question, kind: 'general' }
  const isName = question.topic.some(({ plain }) => evidence.nameWords.has(plain))
  const told = rankSentences(general, evidence).filter(
    ({ sentence }) => isName && startsWithTopic(question, sentence),
  )
  if (told.length > 0)
    return arrangeSentences(general, told.slice(0, maxDescribingSentences), evidence, maxSentences)
  if (question.topic.length < minDescribedTopicWords) return []
  const best = rankSentences(general, evidence).find(
    ({ coverage }) =>
      coverage.missing.length === 0 && coverage.ownShare >= minOwnShareForDescription,
  )
  return best === undefined ? [] : arrangeSentences(general, [best], evidence, maxSentences)
}

const maxDescribingSentences = 2

/** "X does …", "The X algorithm does …": whether the sentence begins with the topic, alone or before one more noun. */
function startsWithTopic({ topic }: Question, { words, text }: Sentence): boolean {
  const from = /^(?:the|an?)$/.test(words[0]?.plain ?? '') ? 1 : 0
  if (!topic.every(({ stem }, offset) => words[from + offset]?.stem === stem)) return false
  const last = words[from + topic.length - 1]
  const rest = last === undefined ? '' : text.slice(last.start + last.text.length)
  return /^ (?:\p{Ll}+ )?(?:(?!is |was |has )\p{Ll}+[^s\W]?s|can|will)\b/u.test(rest)
}

function countSentences(chosen: readonly RankedSentence[]): number {
  return chosen.reduce((count, { lead }) => count + (lead === undefined ? 1 : 2), 0)
}

const maxOverlap = 0.6

/** Whether a candidate adds to the chosen ones and scores nearly as well as the best. */
function addsAnswer(
  question: Question,
  candidate: RankedSentence,
  chosen: readonly RankedSentence[],
): boolean {
  const [best] = chosen as readonly [RankedSentence]
  const { sentence, candidates } = candidate
  if (candidate.coverage.isCorrection !== best.coverage.isCorrection) return false
  if (chosen.some((other) => other.sentence === sentence || other.lead === sentence)) return false
  if (candidate.score < best.score * minRelativeScore(question, candidate, best)) return false
  if (!namesSameAction(question, candidate, best)) return false
  if (chosen.some((other) => measureOverlap(question, other.sentence, sentence) > maxOverlap))
    return false
  if (candidates.length === 0) return best.candidates.length === 0
  const known = new Set(chosen.flatMap((other) => other.candidates))
  return candidates.some((sign) => !known.has(sign))
}

/** How close to the best score another sentence must come, by kind of answer. */
const minRelativeScores: Readonly<Record<AnswerKind, number>> = {
  definition: 0.75,
  meaning: 0.98,
  person: 0.8,
  time: 0.985,
  place: 0.985,
  amount: 0.88,
  reason: 0.92,
  'yes-no': 0.98,
  manner: 0.92,
  general: 0.92,
}

function minRelativeScore(
  { kind, wantsAll }: Question,
  candidate: RankedSentence,
  best: RankedSentence,
): number {
  if (wantsAll) return 0.7
  if (kind === 'amount' && candidate.sentence.before === best.sentence) return 0.8
  const isSameSource = candidate.sentence.passage.n === best.sentence.passage.n
  if ((kind === 'time' || kind === 'place') && isSameSource) return Number.POSITIVE_INFINITY
  return minRelativeScores[kind]
}

/**
 * Keeps people who did the same apart from people who did something similar: if the best sentence has the
 * question's own verb, others must have it too.
 */
function namesSameAction(
  question: Question,
  candidate: RankedSentence,
  best: RankedSentence,
): boolean {
  const action = question.kind === 'person' && !question.wantsAll ? question.action : undefined
  if (action === undefined || !best.sentence.stems.has(action.stem)) return true
  return candidate.sentence.stems.has(action.stem)
}

/** The share of the shorter sentence's own words (those not in the question) that the other has too. */
function measureOverlap(question: Question, left: Sentence, right: Sentence): number {
  const [one, other] = [collectOwnStems(question, left), collectOwnStems(question, right)]
  const shared = [...one].filter((stem) => other.has(stem)).length
  return shared / Math.max(1, Math.min(one.size, other.size))
}

function collectOwnStems({ terms }: Question, { words }: Sentence): ReadonlySet<string> {
  const own = words.filter(
    ({ plain, stem }) => !isEmptyWord(plain) && !terms.some(({ related }) => related.has(stem)),
  )
  return new Set(own.map(({ stem }) => stem))
}

/**
 * The sentences of the chosen candidates and what they need to be understood: best passage first, reading
 * order within a passage.
 */
function arrangeSentences(
  question: Question,
  chosen: readonly RankedSentence[],
  evidence: Evidence,
  maxSentences: number,
): readonly Sentence[] {
  const wanted = chosen.flatMap(({ sentence, lead }) => [
    isClearAlone(question, sentence, chosen)
      ? undefined
      : (lead ?? (needsLead(sentence) ? sentence.before : undefined)),
    sentence,
    question.kind === 'definition' ? findNamingAfter(sentence, evidence) : undefined,
  ])
  const known = new Set(evidence.sentences)
  const found = wanted.filter((sentence) => sentence !== undefined && known.has(sentence))
  const sentences = [...new Set(found as readonly Sentence[])].slice(0, maxSentences)
  const passages = [...new Set(sentences.map(({ passage }) => passage))]
  return sentences.toSorted(
    (left, right) =>
      passages.indexOf(left.passage) - passages.indexOf(right.passage) || left.index - right.index,
  )
}

/**
 * Whether a leading "it" can only be what the question names: the sentence before is about that thing and
 * nothing else that is asked.
 */
function isClearAlone(
  { kind, terms, action, isAlone }: Question,
  { words, before }: Sentence,
  chosen: readonly RankedSentence[],
): boolean {
  if (!isAlone || !/^(?:person|time|place|amount)$/.test(kind)) return false
  if (chosen.length > 1 || before === undefined || words[0]?.plain !== 'it') return false
  const things = terms.filter((term) => term !== action && !term.isWeak)
  const opening = before.words.slice(0, things.length + 1).filter(({ plain }) => plain !== 'the')
  return (
    things.length > 0 &&
    before.text.length < maxLeadChars &&
    things.every(({ stem }, index) => opening[index]?.stem === stem)
  )
}

const maxLeadChars = 200
const namingOpening = /^The \p{Ll}+ (?:is|are|was|were) (?:called|known|named)\b|^The letters\b/u

/** Whether a sentence cannot be understood without the one before. */
function needsLead(sentence: Sentence): boolean {
  return refersBack(sentence) || namingOpening.test(sentence.text)
}

/** The sentence after a definition, if it explains the name. */
function findNamingAfter(sentence: Sentence, evidence: Evidence): Sentence | undefined {
  const next = evidence.sentences.find(({ before }) => before === sentence)
  return next !== undefined && explainsName(next.text) ? next : undefined
}
