import type { Word } from '../language/words.ts'
import type { Sentence } from './evidence.ts'

/** How well a sentence defines `topic`: 0 not at all, 1 like a dictionary. */
export function scoreDefinition(sentence: Sentence, topic: readonly Word[]): number {
  let best = 0
  for (const { start, end } of findMentions(sentence, topic)) {
    if (sentence.isNote && start === 0 && sentence.text[end] === ':') return 0.9
    const before = sentence.text.slice(0, start)
    const after = sentence.text.slice(end)
    best = Math.max(
      best,
      isOpening(before) ? scoreSubject(after) : scoreHead(before, after),
      scoreNaming(before, after),
      scorePresentation(before, after),
      scoreApposition(before, after),
    )
  }
  return best
}

/** Where the topic's words follow one another, as offsets in the sentence. */
export function findMentions(
  sentence: Sentence,
  topic: readonly Word[],
): readonly { start: number; end: number }[] {
  const { words } = sentence
  const found: { start: number; end: number }[] = []
  for (let index = 0; index + topic.length <= words.length && topic.length > 0; index++) {
    if (!topic.every((word, offset) => words[index + offset]?.stem === word.stem)) continue
    const last = words[index + topic.length - 1] as Word
    found.push({ start: (words[index] as Word).start, end: last.start + last.text.length })
  }
  return found
}

/**
 * "Nod-like receptor (NLR) proteins are a family": the topic ends a longer subject, but does not depend on one
 * ("the age of X").
 */
function scoreHead(before: string, after: string): number {
  if (/\b(?:of|in|for|with|to|by|on|from|and|or|between)\s+(?:the\s+|an?\s+)?$/i.test(before))
    return 0
  return 0.6 * scoreSubject(after)
}

/** Whether only an article or a short introductory phrase comes before. */
function isOpening(before: string): boolean {
  return /^["'“(]*(?:(?:in|on|at|for|according to) [^,]{1,60}, |(?:since|in|from|until) (?:[\p{L}]+ ){0,2}\d{4},? )?["'“(]*(?:(?:the|an?)\s+)?["'“(]*$/iu.test(
    before,
  )
}

const adverb = '(?:(?:\\p{L}+ly|often|today|sometimes|now|still|perhaps)\\s+){0,2}'
const orAlso = `(?:also\\s+)?${adverb}`
const aside = '["”]?(?:\\s*\\([^)]{1,80}\\))?(?:,[^,]{1,80},)?'
/** What follows "is" without saying what a thing is: "not", a place, a participle, a quality. */
const state =
  '(?:not|no|also|in|on|at|from|to|of|by|for|with|as|under|like|\\p{L}+(?:ed|ing|ly|able|ible|ful|ous|less|ive|al|ic|er)|made|built|found|born|written|' +
  'won|held|sold|sent|led|taken|given|shown|grown|drawn|seen|kept|lost|more|less|most|very|too|so|such|much|many|often|now|then|there|due|' +
  'common|rare|large|small|high|low|long|short|old|new|important|different|similar|good|bad|hard|big|about|around|\\p{L}+ (?:to|with|from|by|at|for|than|when|if|because))\\b'
const subjects: readonly [RegExp, number][] = [
  [
    new RegExp(
      `^${aside}\\s+(?:is|are|was|were)\\s+${adverb}(?:an?|the|one|any|each|those|that|some)\\b(?! (?:same|best known|subject|result|reason)\\b)`,
      'iu',
    ),
    1,
  ],
  [
    new RegExp(`^${aside}\\s+(?:is|are|was|were|has been|have been)\\s+${adverb}defined\\b`, 'iu'),
    1,
  ],
  [
    new RegExp(
      `^${aside}\\s+${adverb}(?:means|mean|refers? to|denotes?|stands? for|describes?|consists? of)\\b`,
      'iu',
    ),
    0.95,
  ],
  [
    new RegExp(
      `^${aside}\\s+(?:is|are|was|were)\\s+${orAlso}(?:called|known as|named|termed|made of|formed)\\b`,
      'iu',
    ),
    0.8,
  ],
  [/^, (?:an?|the|which (?:is|are|was|were)|or|also called)\b/i, 0.8],
  [new RegExp(`^${aside}\\s+(?:is|are|was|were)\\s+(?!${state})\\S`, 'iu'), 0.5],
]

function scoreSubject(after: string): number {
  return subjects.find(([pattern]) => pattern.test(after))?.[1] ?? 0
}

/** "… is called X", "… known as X", "… is the X". */
function scoreNaming(before: string, after: string): number {
  if (
    /\b(?:called|known as|named|termed|dubbed|abbreviated(?: as)?)\s+(?:the\s+|an?\s+)?["“]?$/i.test(
      before,
    )
  )
    return 0.75
  const isEnd =
    /^["”]?(?:$|[.,;:)]|\s(?:of|in|that|which|who|for|on|at|to|and|or|from|by|with|because|since|when|is|was)\b)/i
  if (!isEnd.test(after)) return 0
  return /\S\s(?:is|are|was|were)\s+(?:the\s+|an?\s+)["“]?$/i.test(before) ? 0.85 : 0
}

const presenting =
  /\b(?:we|i|(?:this|the|our) (?:paper|work|article|study|thesis|report)|authors?)\b[^.;:]{0,60}?\b(?:present|introduce|propose|develop|describe|offer|release)(?:s|d|ed)?\b[^.;:]{0,60}$/i

/** "We present X, a …", "we introduce the X algorithm for …", "we propose a … (X)". */
function scorePresentation(before: string, after: string): number {
  if (/\(["“]?$/.test(before) && /^["”]?\)(?:,? (?:is|are)|,) (?:an?|the) /.test(after)) return 0.85
  if (!presenting.test(before) || /\b(?:of|for|in|with|on|by|to|from)\s+$/i.test(before)) return 0
  if (/^["”]?(?: \([^)]{1,80}\))?(?:,|:| [—–-]) (?:an?|the|our|which|one) /.test(after)) return 0.95
  if (/\(["“]?$/.test(before) && after.startsWith(')')) return 0.75
  return /^(?: \p{Ll}+){1,3} (?:for|that|to|which) /u.test(after) ? 0.6 : 0
}

/** "Besides the X, the …": the comma only ends an introductory phrase. */
const introduction =
  /^(?:besides|in|with|for|while|although|when|as|despite|after|before|since|if|to|by|from|on|at|unlike|given|beyond|during|through|under)\b[^,]*$/i

/** "…, X, a …", "… the X, which are …". */
function scoreApposition(before: string, after: string): number {
  if (introduction.test(before)) return 0
  if (/^,? which (?:is|are|was|were)\b/i.test(after)) return 0.65
  if (/^, (?:an?|the) \p{Ll}/u.test(after) && !/,\s*$/.test(before)) return 0.65
  return 0
}

const namingPattern =
  /\b(?:stands? for|short for|abbreviat\w+|acronym|in full)\b|\b(?:is|are|was|were) (?:\w+ )?called [^,]{1,60}, for\b/i

/** Whether a sentence says what a name means or is short for. */
export function explainsName(text: string): boolean {
  return namingPattern.test(text)
}

const certainFit = 1
const likelyFit = 0.95
const maxGapChars = 40

/** How well a sentence gives the long form or the meaning of the topic: 0 not at all, 1 explicitly. */
export function scoreMeaning(
  sentence: Sentence,
  topic: readonly Word[],
  isTopicNear: boolean,
): number {
  const { text } = sentence
  const found = findMentions(sentence, topic)
  const best = found.map(({ start, end }) =>
    scoreMeaningAt(text.slice(0, start), text.slice(end), topic),
  )
  if (Math.max(0, ...best) > 0) return Math.max(...best)
  const naming = namingPattern.exec(text)
  if (naming === null) return 0
  if (found.length === 0) return isTopicNear && refersToName.test(text) ? 0.9 : 0
  const isClose = found.some(({ end }) => end < naming.index && naming.index - end < maxGapChars)
  return isClose ? 0.8 : 0
}

const refersToName = /^(?:the|it|its|this|these)\b/i
const means =
  /^["”]?(?:,[^,]{1,60},)?\s+(?:means|stands? for|is short for|refers? to|is an? (?:abbreviation|acronym))/i

/** Scores one mention of the topic by the text before and after it. */
function scoreMeaningAt(before: string, after: string, topic: readonly Word[]): number {
  if (means.test(after)) return certainFit
  if (/^,? (?:short )?for ["“]?\p{L}/u.test(after)) return likelyFit
  const longForms = [
    /(?:,? or|\() ?["“]?$/.test(before) ? before : undefined,
    /^,? or ["“]([^"”]+)/.exec(after)?.[1],
    /^ \(([^)]+)\)/.exec(after)?.[1],
  ]
  return longForms.some((form) => form !== undefined && isLongForm(form, topic)) ? likelyFit : 0
}

/** Whether the last words before an abbreviation begin with its letters. */
function isLongForm(text: string, topic: readonly Word[]): boolean {
  const letters = topic.map(({ plain }) => plain).join('')
  if (letters.length < 2 || letters.length > 12) return false
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const last = words.filter((word) => word !== '' && word !== 'or').slice(-letters.length)
  const matched = last.filter((word, index) => word.startsWith(letters[index] as string)).length
  return matched >= Math.max(2, letters.length - 1)
}
