import { type Dimension, findUnit } from '../language/units.ts'
import { isEmptyWord } from '../language/word-families.ts'
import { readWords } from '../language/words.ts'
import { endMarks } from './end-marks.ts'

const nothing: ReadonlySet<string> = new Set()
const be = '(?:is|are|was|were)'

/** The form of a question by the first pattern that fits, otherwise `general`. */
export function readQuestionForm(text: string): QuestionForm {
  const bare = text
    .replace(endMarks, '')
    .replace(/^what['’]?s\b/i, 'what is')
    .replace(definedPattern, 'define $1')
    .replace(workingPattern, 'explain $1')
  return (
    readMeaningForm(bare) ??
    readAmountForm(bare) ??
    readQuestionWordForm(bare) ??
    readDefinitionForm(bare) ?? { kind: 'general', taken: nothing }
  )
}

/** "How is X defined today". */
const definedPattern = new RegExp(
  `^how ${be} (.{1,80}?) (?:now |usually )?defined(?: today| now| currently)?$`,
  'i',
)

/** "How does X work": wants a description of X. */
const workingPattern =
  /^[Hh]ow (?:do|does|did) ((?:the )?\p{Lu}\S*(?: \p{Lu}\S*)*) (?:work|function|operate)$/u

/** The stems of a text's words. */
function readStems(text: string): ReadonlySet<string> {
  return new Set(readWords(text).map((word) => word.stem))
}

const meaningPatterns = [
  /^what (?:does|do|did) (?:the (?:letters|name|word|term|acronym|abbreviation) )?(.{1,80}?) (?:stand for|mean)$/i,
  /^what (?:is|are) (?:the )?(?:meaning|full form|full name|long form) of (.{1,80})$/i,
  /^what (?:is|are) meant by (.{1,80})$/i,
] as const

function readMeaningForm(text: string): QuestionForm | undefined {
  for (const pattern of meaningPatterns) {
    const topic = pattern.exec(text)?.[1]
    if (topic === undefined) continue
    const taken = readStems('letters name word term acronym abbreviation meaning full long form')
    return { kind: 'meaning', topic: withoutArticle(topic), taken }
  }
  return undefined
}

const askedPattern = new RegExp(`^(?:what|who) ${be} (.{1,120})$`, 'i')
const toldPattern =
  /^(?:define|explain|describe|summari[sz]e|tell me (?:more )?about|what about|(?:the )?definition of|an? (?:overview|summary|description) of|overview of|summary of)\s+(?:what (?:is|are) )?(.{1,120}?)(?: (?:is|are))?$/i
/** Words that show that what follows "what is" is more than the name of a thing. */
const notOnlyName =
  /\b(?:of|that|which|who|for|to|by|from|with|in|on|at|about|between|used|made|done|called|named|located|known|found|like|home)\b/i

function readDefinitionForm(text: string): QuestionForm | undefined {
  const taken = readStems(
    'explain describe summarise overview summary definition work function operate whats',
  )
  const told = toldPattern.exec(text)?.[1]
  if (told !== undefined) return { kind: 'definition', topic: withoutArticle(told), taken }
  const asked = askedPattern.exec(text)?.[1]
  const topic = withoutArticle(asked ?? text)
  const count = readWords(topic).length
  const isKeyword = asked === undefined && count > 0 && count <= 3 && !questionWord.test(text)
  const isName = asked !== undefined && count <= 5 && !notOnlyName.test(topic)
  return isKeyword || isName ? { kind: 'definition', topic, taken } : undefined
}

const questionWord = /^(?:what|who|how|why|when|where|which|compare|list)\b/i

function withoutArticle(text: string): string {
  return text.replace(/^(?:the|an?)\s+/i, '').replace(/^["'“‘](.*)["'”’]$/, '$1')
}

const personNouns =
  'person|people|man|men|woman|women|scientists?|researchers?|authors?|inventors?|discoverers?|chemists?|physicists?|doctors?|artists?|writers?|leaders?|company|companies|organi[sz]ations?|groups?|teams?|universit(?:y|ies)|institutions?|actors?|actress(?:es)?|players?|presidents?|directors?'
const timeNouns = 'year|years|date|day|month|decade|century|time'
const placeNouns =
  'city|country|countries|place|town|village|state|continent|island|location|hospital|museum|region|street|nation|county'
const choicePattern = new RegExp(
  `\\b(?:which|what) (?:[\\p{L}-]+ )?(${personNouns}|${timeNouns}|${placeNouns})\\b`,
  'iu',
)
const yesNoPattern =
  /^(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would|should|may|might)\b/i

/** The form of a question that its question word tells: who, when, where, why, whether, how. */
function readQuestionWordForm(text: string): QuestionForm | undefined {
  if (yesNoPattern.test(text)) return { kind: 'yes-no', taken: nothing }
  const choice = choicePattern.exec(text)
  if (choice !== null && choice.index < 24) return readChoiceForm(choice[1] as string)
  const word = /\b(?:who|whom|whose|when|where|why|how|what|which)\b/i.exec(text)?.[0].toLowerCase()
  if (word === 'who' || word === 'whom' || word === 'whose') return readPersonForm(text)
  if (word === 'when') return { kind: 'time', taken: nothing }
  if (word === 'where') return { kind: 'place', taken: nothing }
  if (word === 'how') return { kind: 'manner', taken: nothing }
  const isReason = /^(?:what|which) (?:is|was|were|are) the (?:reasons?|causes?) (?:for|of|why)/i
  if (word === 'why' || isReason.test(text)) {
    return { kind: 'reason', taken: readStems('reason cause') }
  }
  return undefined
}

function readChoiceForm(noun: string): QuestionForm {
  const taken = readStems(noun)
  if (new RegExp(`^(?:${timeNouns})$`, 'i').test(noun)) return { kind: 'time', taken }
  if (new RegExp(`^(?:${placeNouns})$`, 'i').test(noun)) {
    return { kind: 'place', taken, isChoice: true }
  }
  return { kind: 'person', isChoice: true, taken: isGendered(noun) ? nothing : taken }
}

/** "Women" and "men" must appear in the answer; "people" or "scientists" need not. */
function isGendered(noun: string): boolean {
  return /^(?:wom[ae]n|m[ae]n|actress(?:es)?)$/i.test(noun)
}

const officePattern = new RegExp(
  `^who ${be} (?:the )?((?:[\\p{L}-]+ ){0,3}[\\p{L}-]+?)(?: of| behind| in)\\b`,
  'iu',
)
const roleNames =
  'chair(?:man|woman|person)?|boss|founder|lead|owner|manager|director|president|head|leader|author|inventor|captain|mayor|king|queen|editor|treasurer|secretary|minister|chancellor'
/** "Who is the CEO?", "who is the project manager?": an office whose owner the text implies. */
const barePattern = new RegExp(
  `^[Ww]ho ${be} (?:the|your|our) (?:(?:[\\p{L}-]+ ){0,2}(?:${roleNames})|\\p{Lu}{2,5})$`,
  'u',
)
const namedPattern = new RegExp(`^who ${be} (?:the )?((?:\\p{Lu}[\\p{L}.'’-]*\\s*){1,4})$`, 'u')

function readPersonForm(text: string): QuestionForm {
  const office = officePattern.exec(text)?.[1]?.split(' ').at(-1)
  if (office !== undefined) return { kind: 'person', office, taken: nothing }
  if (barePattern.test(text) && !/\s\p{Lu}\p{Ll}/u.test(text)) {
    return { kind: 'person', office: text.split(' ').at(-1) as string, taken: nothing }
  }
  const named = namedPattern.exec(text.replace(/^W/, 'w'))?.[1]
  if (named === undefined) return { kind: 'person', taken: nothing }
  return { kind: 'definition', topic: named, taken: nothing }
}

/** The kind of answer that a question wants. */
export type AnswerKind =
  | 'definition'
  | 'meaning'
  | 'person'
  | 'time'
  | 'place'
  | 'amount'
  | 'reason'
  | 'yes-no'
  | 'manner'
  | 'general'

/** What an amount must count or measure. */
export interface WantedAmount {
  /** What the figure may measure; empty for any figure. */
  readonly dimensions: readonly Dimension[]
  /** Stems of which one must show that this is measured ("long", "length"); empty if the unit alone shows it. */
  readonly cues: ReadonlySet<string>
  /** Stems of what is counted; empty if nothing is. */
  readonly counted: ReadonlySet<string>
}

/** The form of a question: its kind and what the kind needs. */
export interface QuestionForm {
  readonly kind: AnswerKind
  /** The subject of a definition or a meaning. */
  readonly topic?: string
  readonly amount?: WantedAmount
  /** The office whose holder is wanted: "Who was the captain of the ship". */
  readonly office?: string
  /** Whether the answer must be named, not only described: "Which country", "which women". */
  readonly isChoice?: boolean
  /** Stems that the kind of answer already covers. */
  readonly taken: ReadonlySet<string>
}

interface Measure {
  readonly dimensions: readonly Dimension[]
  /** Words that show what is measured if the unit alone does not. */
  readonly cues: string
}

/** Adjectives after "how" and nouns after "what is the", with what they measure. */
const measures: Readonly<Record<string, Measure>> = {
  long: {
    dimensions: ['length', 'time'],
    cues: 'long length stretch extend span last take need require duration during',
  },
  tall: { dimensions: ['length'], cues: 'tall high height rise' },
  high: { dimensions: ['length'], cues: 'high height tall elevation altitude rise' },
  wide: { dimensions: ['length'], cues: 'wide width broad across' },
  deep: { dimensions: ['length'], cues: 'deep depth below' },
  thick: { dimensions: ['length'], cues: 'thick thickness' },
  far: { dimensions: ['length'], cues: '' },
  big: { dimensions: ['length', 'area', 'volume', 'mass', 'data'], cues: '' },
  large: { dimensions: ['length', 'area', 'volume', 'mass', 'data'], cues: '' },
  heavy: { dimensions: ['mass'], cues: '' },
  old: { dimensions: ['time'], cues: 'old age years birth' },
  fast: { dimensions: ['speed'], cues: '' },
  hot: { dimensions: ['temperature'], cues: '' },
  cold: { dimensions: ['temperature'], cues: '' },
  warm: { dimensions: ['temperature'], cues: '' },
  expensive: { dimensions: ['money'], cues: '' },
  speed: { dimensions: ['speed'], cues: '' },
  velocity: { dimensions: ['speed'], cues: '' },
  length: { dimensions: ['length', 'time'], cues: 'long length stretch extend span' },
  height: { dimensions: ['length'], cues: 'tall high height' },
  width: { dimensions: ['length'], cues: 'wide width broad' },
  depth: { dimensions: ['length'], cues: 'deep depth' },
  distance: { dimensions: ['length'], cues: '' },
  weight: { dimensions: ['mass'], cues: 'weigh weight heavy mass' },
  mass: { dimensions: ['mass'], cues: 'mass weigh weight' },
  temperature: { dimensions: ['temperature'], cues: '' },
  price: { dimensions: ['money'], cues: '' },
  cost: { dimensions: ['money'], cues: '' },
  area: { dimensions: ['area'], cues: '' },
  percentage: { dimensions: ['share'], cues: '' },
  age: { dimensions: ['time'], cues: 'age old aged' },
}

/** What a noun like "weight" or "price" measures; empty if nothing. */
export function measuredDimensions(noun: string): readonly Dimension[] {
  return Object.hasOwn(measures, noun) ? (measures[noun] as Measure).dimensions : []
}

const shareNouns = 'percentage|percent|per cent|proportion|share|fraction'
const sharePattern = new RegExp(`\\bwhat (?:${shareNouns})\\b`, 'i')

/** The form of a question that wants a figure, or `undefined`. */
function readAmountForm(text: string): QuestionForm | undefined {
  const whole = /\bhow many of (.{1,80}?) (?:is|are|was|were|has|have|had|do|did|can)\b/i.exec(
    text,
  )?.[1]
  if (whole !== undefined) return toPartForm(whole)
  const count = /\bhow many ([\p{L}-]+(?: [\p{L}-]+)?)/iu.exec(text)?.[1]
  if (count !== undefined) return toCountForm(count)
  if (/\bhow much\b/i.test(text)) return toHowMuchForm(text)
  if (/\bhow (?:often|frequently)\b/i.test(text)) {
    return { kind: 'general', taken: readStems('often frequently') }
  }
  if (sharePattern.test(text)) return toMeasureForm('percentage', readStems(shareNouns))
  const adjective = /\bhow (\p{L}+)\b/iu.exec(text)?.[1]?.toLowerCase()
  if (adjective !== undefined && Object.hasOwn(measures, adjective)) {
    return toMeasureForm(adjective, readStems(adjective), needsCue(text, adjective))
  }
  const change = changePoint.exec(text)?.[1]
  if (change !== undefined) return toMeasureForm('temperature', readStems('point temperature'))
  const chosen = chosenNoun.exec(text)?.[1]?.toLowerCase()
  if (chosen !== undefined && Object.hasOwn(measures, chosen)) {
    return toMeasureForm(chosen, readStems(chosen), false)
  }
  const noun = measuredNoun.exec(text)?.[1]?.toLowerCase()
  return noun !== undefined && Object.hasOwn(measures, noun)
    ? toMeasureForm(noun, nothing)
    : undefined
}

/** "At what temperature does tin melt", "what speed did it reach". */
const chosenNoun =
  /\b(?:what|which) (?:[\p{L}-]+ )?(temperature|speed|velocity|length|height|width|depth|distance|weight|mass|price|cost|age)\b(?! (?:of|between|for|from)\b)/iu
const changePoint = /\b(melting|boiling|freezing)[ -](?:point|temperature)\b/i

const measuredNoun =
  /^what (?:is|are|was|were) the (?:[\p{L}-]+ )?(\p{L}+) (?:of|between|for|from)\b/iu

/** "How long is X" must show a length; in "how long did X last" the verb already does. */
function needsCue(text: string, adjective: string): boolean {
  return adjective !== 'long' || /how long (?:is|are|was|were)\b/i.test(text)
}

function toMeasureForm(measure: string, taken: ReadonlySet<string>, withCues = true): QuestionForm {
  const { dimensions, cues } = measures[measure] as Measure
  const amount = { dimensions, cues: withCues ? readStems(cues) : nothing, counted: nothing }
  return { kind: 'amount', taken, amount }
}

/** "How many of the studies were small": "only five were", so the answer need not name what is counted. */
function toPartForm(whole: string): QuestionForm {
  const taken = readStems(whole.split(' ').at(-1) as string)
  return { kind: 'amount', taken, amount: { dimensions: [], cues: nothing, counted: nothing } }
}

/** "How many gears", "how many kilometres", "how many people". */
function toCountForm(nouns: string): QuestionForm {
  const [first = '', second = ''] = nouns.split(' ')
  const unit = findUnit(first)
  if (unit !== undefined && unit.dimension !== 'angle') {
    const amount = { dimensions: [unit.dimension], cues: nothing, counted: nothing }
    return { kind: 'amount', taken: readStems(first), amount }
  }
  const isGeneric = /^(?:people|persons?|individuals|humans|times)$/i.test(first)
  const counted = readStems(second === '' || isEmptyWord(second.toLowerCase()) ? first : nouns)
  const amount = { dimensions: [], cues: nothing, counted }
  return { kind: 'amount', taken: isGeneric ? readStems(first) : nothing, amount }
}

const moneyPattern =
  /\bhow much (?:money|does|do|did|is|was|were|are)\b.*\b(?:cost|costs|worth|charged?|paid?|spen[dt]|price)\b|\bhow much money\b/i
const substances: readonly Dimension[] = [
  'mass',
  'volume',
  'share',
  'length',
  'money',
  'data',
  'energy',
  'power',
  'area',
  'time',
  'temperature',
]

function toHowMuchForm(text: string): QuestionForm {
  const isMoney = moneyPattern.test(text)
  const amount = {
    dimensions: isMoney ? (['money'] as const) : substances,
    cues: nothing,
    counted: nothing,
  }
  return { kind: 'amount', taken: isMoney ? readStems('worth money') : nothing, amount }
}
