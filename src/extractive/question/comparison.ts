import { isDemonym } from '../language/names.ts'
import { endMarks } from './end-marks.ts'
import { baseVerb, formOfBe, phraseEventDate } from './phrase-question.ts'

/** A question that compares things. */
export interface Comparison {
  /** The things as the question names them. */
  readonly things: readonly string[]
  /** One research step for each thing. */
  readonly steps: readonly string[]
  /** `earlier` or `later` if times are compared, `span` if the years between are asked for. */
  readonly order: 'earlier' | 'later' | 'span' | null
  /** `which`: one of the two is the answer; `both`, `same`, `shared`: something about both; `sides`: each separately. */
  readonly asks: 'which' | 'sides' | PairQuestion['asks']
  /** What is asked about the things: "band was formed first", "American"; may be empty. */
  readonly predicate: string
}

/** What a question compares; `undefined` if it compares nothing. */
export function readComparison(question: string): Comparison | undefined {
  const text = question.replace(endMarks, '')
  return (
    readYearSpan(text) ??
    readChoiceComparison(text) ??
    readDifference(text) ??
    readComparedList(text) ??
    readPairComparison(text)
  )
}

const spanPattern =
  /^how (?:many years|long)\b.{0,40}?\b(?:between|from)\s+(.{1,120}?)\s+(?:and|to)\s+(.{1,120})$/i

/** "How many years between A and B". Not a distance or a duration ("how long does it take from A to B"). */
function readYearSpan(text: string): Comparison | undefined {
  const match = spanPattern.exec(text)
  if (match === null || /\b(?:take|need|travel|drive|walk|flight)\b/i.test(text)) return undefined
  const things = [match[1] as string, match[2] as string]
  return { things, steps: things.map(phraseEventDate), order: 'span', asks: 'sides', predicate: '' }
}

/** "Which is larger, A or B?", "Who won first, A or B?", "Whose X was closer, A's or B's?" */
function readChoiceComparison(text: string): Comparison | undefined {
  const read = readChoice(text)
  if (read === undefined) return undefined
  const { word, predicate, things } = read
  const order = readOrder(predicate)
  const step = stepBuilder(word, predicate, order !== null)
  return { things, steps: things.map(step), order, asks: 'which', predicate }
}

function stepBuilder(
  word: string,
  predicate: string,
  isOfTime: boolean,
): (thing: string) => string {
  if (agePattern.test(predicate)) {
    const isPerson = word === 'who' || /\S\s+(?:is|was|are|were)\s/i.test(predicate)
    return isPerson ? phraseBirthStep : phraseWhatStep
  }
  const step = word === 'whose' ? phraseOwnerStep : isOfTime ? phraseDatedStep : phraseComparedStep
  return (thing) => step(predicate, thing)
}

/** "Are A and B both American?": whether each is; "Which job do A and B share?": what each is. */
function readPairComparison(text: string): Comparison | undefined {
  const read = readPairQuestion(text)
  if (read === undefined) return undefined
  const { things, asks, predicate, verb } = read
  const isOfTime = asks === 'same' && /\bsame (?:year|day|month|decade|century)\b/i.test(predicate)
  const event = predicate.replace(/\s*\b(?:in|on|during) the same \S+$/i, '')
  const step =
    asks === 'both'
      ? (thing: string) => `${toSingularVerb(verb, predicate)} ${thing} ${predicate}?`
      : isOfTime
        ? (thing: string) =>
            phraseDatedStep(/^(?:is|was|are|were)$/.test(verb) ? `was ${event}` : event, thing)
        : phraseWhatStep
  return { things, steps: things.map(step), order: null, asks, predicate }
}

/** "Are A and B orchids" stays "are"; "Are A and B American" becomes "is". */
function toSingularVerb(verb: string, predicate: string): string {
  const isPlural = /[^s]s$/.test(predicate)
  const single: Readonly<Record<string, string>> = {
    are: 'is',
    were: 'was',
    do: 'does',
    have: 'has',
  }
  const form = isPlural ? verb : (single[verb] ?? verb)
  return form.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

/** "is older": a person's birth answers it; for other things only a description does. */
const agePattern =
  /(?:^|\s)(?:is|was|are|were)\s+(?:the )?(?:older|oldest|younger|youngest|newer|newest)$/i

function phraseBirthStep(thing: string): string {
  return `When ${formOfBe(thing, 'was')} ${thing} born?`
}

function phraseWhatStep(thing: string): string {
  return `What ${formOfBe(thing, 'is')} ${thing}?`
}

function readOrder(predicate: string): 'earlier' | 'later' | null {
  if (/\b(?:first|earlier|older|oldest|before)\b/i.test(predicate)) return 'earlier'
  return /\b(?:later|last|newer|newest|younger|after)\b/i.test(predicate) ? 'later' : null
}

/** "result was closer to the true value", "A's": "How does A's result compare (closer to the true value)?" */
function phraseOwnerStep(predicate: string, owner: string): string {
  const [, thing = predicate, quality] =
    /^(.+?)\s+(?:is|was|are|were)\s+(.+)$/i.exec(predicate) ?? []
  return `How does ${owner} ${thing} compare${quality === undefined ? '' : ` (${quality})`}?`
}

/** "tennis player was born first": "When was A born?"; "won the prize first": "When did A win the prize?" */
function phraseDatedStep(predicate: string, thing: string): string {
  const event = predicate
    .replaceAll(/\s*\b(?:first|earlier|later|last|before|after)\b/gi, '')
    .trim()
  const passive = /(?:^|\s)(?:is|was|are|were)\s+(.+)$/i.exec(event)
  if (passive !== null) return `When ${formOfBe(thing, 'was')} ${thing} ${passive[1]}?`
  const [verb = '', ...rest] = event.split(' ')
  const base = baseVerb(verb)
  if (base === undefined) return `When was it that ${thing} ${event}?`
  return `When did ${[thing, base, ...rest].join(' ')}?`
}

const morePattern =
  /^(?:(?:\S+ ){0,3}?(?=has |have |had |contains? |won |sold |produces? ))?(\S+)\s+(?:the )?(?:more|most|less|least|fewer|fewest)\s+(\S+)(.*)$/i

const statePattern = /^(?:\p{L}[\p{L}-]* ){0,4}?(is|are|was|were) (.+)$/u

/** "contains more caffeine": "How much caffeine does A contain?"; "band is from England": "Is A from England?" */
function phraseComparedStep(predicate: string, thing: string): string {
  const [, verb = '', noun = '', rest = ''] = morePattern.exec(predicate) ?? []
  const base = baseVerb(verb)
  if (base !== undefined) {
    return `How ${/[^su]s$/.test(noun) ? 'many' : 'much'} ${noun} does ${thing} ${base}${rest}?`
  }
  const [, be = '', state = ''] = isGraded(predicate) ? [] : (statePattern.exec(predicate) ?? [])
  if (be !== '')
    return `${be.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())} ${thing} ${state}?`
  return `How does ${thing} compare (${predicate.replace(/^(?:is|are|was|were)\s+/i, '')})?`
}

const pairOf = '(.{1,80}?)\\s+(?:and|or|versus|vs\\.?)\\s+(.{1,80}?)'
const differencePatterns = [
  new RegExp(
    `^(?:what(?:'s| is| are)|explain|describe) the (?:main |key )?(?:differences?|similarit(?:y|ies)|relationship) between\\s+${pairOf}$`,
    'i',
  ),
  new RegExp(`^how (?:do|does|are|is)\\s+${pairOf}\\s+(?:differ|compare|different)$`, 'i'),
  /^how (?:does|do|is|are)\s+(.{1,80}?)\s+(?:differ from|different from|compare (?:to|with))\s+(.{1,80})$/i,
  /^(.{1,80}?)\s+(?:versus|vs\.?)\s+(.{1,80})$/i,
] as const

/** "What is the difference between A and B?", "How do A and B differ?", "A vs B". */
function readDifference(text: string): Comparison | undefined {
  for (const pattern of differencePatterns) {
    const match = pattern.exec(text)
    if (match !== null) return toWhatComparison([match[1] as string, match[2] as string])
  }
  return undefined
}

const listPattern = new RegExp(
  `^(?:please )?(?:compare|contrast)\\s+(?:(how \\S+|what|when|where|why)\\s+)?${pairOf}(?:\\s+(\\S+))?$`,
  'i',
)

/** "Compare A and B", "Compare how fast A and B open". */
function readComparedList(text: string): Comparison | undefined {
  const match = listPattern.exec(text.replace(/\b(?:with|to|against)\b/i, 'and'))
  if (match === null) return undefined
  const [, word, left = '', right = '', verb = ''] = match
  if (word === undefined) return toWhatComparison([left, `${right} ${verb}`.trim()])
  const things = [left, right]
  const asking = word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  const steps = things.map((thing) => `${asking} does ${thing} ${verb === '' ? 'compare' : verb}?`)
  return { things, steps, order: null, asks: 'sides', predicate: '' }
}

/** One "what is" step for each thing. "class 1 and class 2 systems" share their last word. */
function toWhatComparison([left, right]: readonly [string, string]): Comparison {
  const [first = '', ...others] = left.split(' ')
  const sharesHead = right.startsWith(`${first} `) && right.split(' ').length > others.length + 1
  const tail = sharesHead ? right.split(' ').slice(others.length + 1) : []
  const things = [[left, ...tail].join(' '), right]
  return {
    things,
    steps: things.map(phraseWhatStep),
    order: null,
    asks: 'sides',
    predicate: '',
  }
}

const graded =
  /\b(?:more|most|less|least|fewer|fewest|longer|longest|larg\w+|bigg\w+|small\w+|high\w+|tall\w+|clos\w+|fast\w+|better|best|\p{L}{3,}(?:er|est) than)\b|\b(?:is|are|was|were) (?:the )?\p{L}+(?:er|est)$/iu

/** Whether a predicate is a matter of degree ("larger", "most"). */
export function isGraded(predicate: string): boolean {
  return graded.test(predicate)
}

/** A question of which of two things something is true: "Which is larger, A or B?" */
interface ChoiceQuestion {
  /** "which", "who", "what" or "whose". */
  readonly word: string
  /** What is asked: "is larger", "band was formed first". */
  readonly predicate: string
  readonly things: readonly [string, string]
}

const thing = `["“'‘]?[\\p{Lu}\\p{N}][^,?]{0,80}?|the [^,?]{1,80}?`
const patterns: readonly RegExp[] = [
  new RegExp(
    `^(?<word>which|who|what)(?<noun>(?: \\p{Ll}+){0,3}),? (?<left>${thing}) or (?<right>${thing}), (?<predicate>.+)$`,
    'u',
  ),
  /^(?<word>which|who|what|whose)\s+(?<predicate>.+?)[,:–—]\s*(?<left>.{1,80}?),?\s+or\s+(?<right>.{1,80}?)$/i,
  new RegExp(
    `^(?:in ?between|between|out of|of|from) (?:the \\p{Ll}+ )?(?<left>${thing}),? (?:and|or) (?<right>${thing}),? (?<word>which|who|what)(?: one)?(?: of (?:these|the|them)\\b(?: two)?)? (?<predicate>.+)$`,
    'iu',
  ),
  /^(?<word>which|who|what) (?<predicate>.{2,80}?(?:first|last|earlier|later|older|oldest|younger|youngest|larger|largest|bigger|longer|taller|higher|smaller|\p{Ll}+er|(?:more|fewer|less|most) \p{Ll}+)) (?<left>\p{Lu}[^,?]{1,80}?) or (?<right>\p{Lu}[^,?]{1,80}?)$/u,
  /^(?<word>which|who) (?<predicate>[^,]{2,80}), (?<left>\p{Lu}[^,?]{1,80}?) and (?<right>\p{Lu}[^,?]{1,80}?)$/u,
]

/** Reads a question that offers a choice of two; otherwise `undefined`. */
function readChoice(text: string): ChoiceQuestion | undefined {
  for (const pattern of patterns) {
    const groups = pattern.exec(lowerQuestionWord(text))?.groups
    if (groups === undefined) continue
    const { word = '', noun = '', predicate = '', left = '', right = '' } = groups
    return {
      word: word.toLowerCase(),
      predicate: `${noun.trim()} ${predicate}`.trim(),
      things: [left, right],
    }
  }
  return undefined
}

/** Puts the question word in lower case, so that a capital shows a name. */
function lowerQuestionWord(text: string): string {
  return text.replace(/^(?:Which|Who|What|Whose)\b/, (word) => word.toLowerCase())
}

/** A question about what two things have in common: "Are both A and B American?", "Which job do A and B share?" */
interface PairQuestion {
  readonly things: readonly [string, string]
  /** `both`: whether the predicate holds for both; `same`: whether both have the same; `shared`: what both have. */
  readonly asks: 'both' | 'same' | 'shared'
  /** What is said about the things: "American", "of the same nationality"; for `shared`, what is asked for: "occupation". */
  readonly predicate: string
  /** The verb that the question begins with: "are", "did". */
  readonly verb: string
}

const whetherPattern = /^(is|are|was|were|do|does|did|have|has|can) (?:both )?(?:of )?(.+)$/i
const statedPattern = /^both (.+?) and (.+?) (is|are|was|were|have|has) (.+)$/i
const sharedPatterns = [
  /^(?:in )?(?:what|which) (.{1,60}?) (?:is|was|are|were) (?:both )?(?:shared|had|held) by (?:both )?(.{1,80}?) and (.{1,80}?)$/u,
  /^(?:in )?(?:what|which) (.{1,60}?) (?:do|does|did|is|are|was|were|has|have) (?:both )?(.{1,80}?) and (.{1,80}?)(?: both)?(?: (?:share|have|known for)\b.{0,40})?$/u,
  /^(?:in )?(?:what|which) (.{1,60}?) (?:that )?(?:do |does |did )?(.{1,80}?) and (.{1,80}?) (?:both )?(?:share|have)(?: in common)?$/u,
] as const
const statedShare =
  /^(?:both )?(.{1,80}?) and (.{1,80}?) (?:are|were|is|was|share|have|belong to|come from)(?: both)?(?: \p{Ll}+)? (?:what|which|the same|what kinds? of|which types? of)\b ?(.{0,60})$/u

/** Reads a question about two named things, otherwise `undefined`. */
function readPairQuestion(question: string): PairQuestion | undefined {
  const text = question.replace(endMarks, '')
  return readWhether(text) ?? readStated(text) ?? readShared(text)
}

function readWhether(text: string): PairQuestion | undefined {
  const [, verb, rest = ''] = whetherPattern.exec(text) ?? []
  const pair = verb === undefined ? undefined : splitPair(rest)
  if (verb === undefined || pair === undefined) return undefined
  const asks = /\bsame\b/i.test(pair.predicate) ? 'same' : 'both'
  return { ...pair, asks, verb: verb.toLowerCase() }
}

function readStated(text: string): PairQuestion | undefined {
  const [, left = '', right = '', verb = '', predicate = ''] = statedPattern.exec(text) ?? []
  if (left === '' || /\b(?:what|which|who)\b/i.test(predicate)) return undefined
  return { things: [left, right], asks: 'both', predicate, verb: verb.toLowerCase() }
}

function readShared(text: string): PairQuestion | undefined {
  const lower = text.replace(/^(?:In (?:what|which)|What|Which|Both)\b/, (word) =>
    word.toLowerCase(),
  )
  const found = [...sharedPatterns, statedShare].flatMap((pattern) => {
    const match = pattern.exec(lower)
    if (match === null) return []
    const [, one = '', two = '', three = ''] = match
    const [predicate, left, right] = pattern === statedShare ? [three, one, two] : [one, two, three]
    return isWholeName(left) && isWholeName(right)
      ? { predicate, things: [left, right] as const }
      : []
  })
  const [first] = found
  if (first === undefined) return undefined
  const { predicate, things } = first
  return { things, asks: 'shared', predicate, verb: 'is' }
}

const joiner = /^(?:of|the|de|di|da|du|la|le|von|van|der|den|for|on|at|in|to|a|&)$/
const nameStart = /^["“'‘(]?[\p{Lu}\p{N}]/u

/** "A and B both P", "A and B P": the two names and the predicate. A name ends before the first lower-case word. */
function splitPair(text: string): Pick<PairQuestion, 'things' | 'predicate'> | undefined {
  const open = /^(.{2,80}?),? and (.{2,80}?),? (?:both|each) (.+)$/i.exec(text)
  if (open !== null && isName(open[1] as string)) {
    return { things: [open[1] as string, open[2] as string], predicate: open[3] as string }
  }
  const [, left = '', rest = ''] = /^(.{2,80}?),? and (.+)$/.exec(text) ?? []
  if (!isName(left)) return undefined
  const words = rest.split(' ')
  let end = words[0] === 'the' ? 1 : 0
  while (isInName(words, end)) end++
  const last = words[end - 1] ?? ''
  if (end === words.length && end > 1 && isDemonym(last)) end--
  const [right, predicate] = [words.slice(0, end).join(' '), words.slice(end).join(' ')]
  return predicate === '' || !isName(right) ? undefined : { things: [left, right], predicate }
}

function isName(text: string): boolean {
  return nameStart.test(text.replace(/^(?:the|a|an) /i, ''))
}

/** Whether a text is a name from its first word to its last. */
function isWholeName(text: string): boolean {
  const words = text.split(' ')
  const from = /^(?:the|a|an)$/i.test(words[0] as string) ? 1 : 0
  return isName(text) && words.every((_word, at) => at < from || isInName(words, at))
}

function isInName(words: readonly string[], at: number): boolean {
  const word = words[at]
  if (word === undefined) return false
  if (nameStart.test(word)) return true
  const next = words.slice(at + 1).find((other) => !joiner.test(other))
  return at > 0 && joiner.test(word) && next !== undefined && nameStart.test(next)
}
