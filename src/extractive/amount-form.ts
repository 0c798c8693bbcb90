import type { QuestionForm } from './question-form.ts'
import { stemOf, fold } from './words.ts'
import { type Dimension, unitNamed } from './units.ts'
import { isEmptyWord } from './word-families.ts'

interface Measure {
  readonly dimensions: readonly Dimension[]
  /** Words that show what is measured, where the unit alone does not. */
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

/** What a noun like "weight" or "price" measures; empty where it names no measure. */
export function dimensionsOf(noun: string): readonly Dimension[] {
  return Object.hasOwn(measures, noun) ? (measures[noun] as Measure).dimensions : []
}

const noStems: ReadonlySet<string> = new Set()
const shareNouns = 'percentage|percent|per cent|proportion|share|fraction'
const sharePattern = new RegExp(`\\bwhat (?:${shareNouns})\\b`, 'i')

/** The form of a question that wants a figure, or `undefined`. */
export function amountForm(text: string): QuestionForm | undefined {
  const whole = /\bhow many of (.{1,80}?) (?:is|are|was|were|has|have|had|do|did|can)\b/i.exec(
    text,
  )?.[1]
  if (whole !== undefined) return partForm(whole)
  const count = /\bhow many ([\p{L}-]+(?: [\p{L}-]+)?)/iu.exec(text)?.[1]
  if (count !== undefined) return countForm(count)
  if (/\bhow much\b/i.test(text)) return muchForm(text)
  if (/\bhow (?:often|frequently)\b/i.test(text)) {
    return { kind: 'general', taken: stemsOf('often frequently') }
  }
  if (sharePattern.test(text)) return measured('percentage', stemsOf(shareNouns))
  const adjective = /\bhow (\p{L}+)\b/iu.exec(text)?.[1]?.toLowerCase()
  if (adjective !== undefined && Object.hasOwn(measures, adjective)) {
    return measured(adjective, stemsOf(adjective), needsCue(text, adjective))
  }
  const change = changePoint.exec(text)?.[1]
  if (change !== undefined) return measured('temperature', stemsOf('point temperature'))
  const chosen = chosenNoun.exec(text)?.[1]?.toLowerCase()
  if (chosen !== undefined && Object.hasOwn(measures, chosen)) {
    return measured(chosen, stemsOf(chosen), false)
  }
  const noun = measuredNoun.exec(text)?.[1]?.toLowerCase()
  return noun !== undefined && Object.hasOwn(measures, noun) ? measured(noun, noStems) : undefined
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

function measured(measure: string, taken: ReadonlySet<string>, withCues = true): QuestionForm {
  const { dimensions, cues } = measures[measure] as Measure
  const amount = { dimensions, cues: withCues ? stemsOf(cues) : noStems, counted: noStems }
  return { kind: 'amount', taken, amount }
}

/** "How many of the studies were small": "only five were", so what is counted may be left out. */
function partForm(whole: string): QuestionForm {
  const taken = stemsOf(whole.split(' ').at(-1) as string)
  return { kind: 'amount', taken, amount: { dimensions: [], cues: noStems, counted: noStems } }
}

/** "How many gears", "how many kilometres", "how many people". */
function countForm(nouns: string): QuestionForm {
  const [first = '', second = ''] = nouns.split(' ')
  const unit = unitNamed(first)
  if (unit !== undefined && unit.dimension !== 'angle') {
    const amount = { dimensions: [unit.dimension], cues: noStems, counted: noStems }
    return { kind: 'amount', taken: stemsOf(first), amount }
  }
  const isGeneric = /^(?:people|persons?|individuals|humans|times)$/i.test(first)
  const counted = stemsOf(second === '' || isEmptyWord(second.toLowerCase()) ? first : nouns)
  const amount = { dimensions: [], cues: noStems, counted }
  return { kind: 'amount', taken: isGeneric ? stemsOf(first) : noStems, amount }
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

function muchForm(text: string): QuestionForm {
  const isMoney = moneyPattern.test(text)
  const amount = {
    dimensions: isMoney ? (['money'] as const) : substances,
    cues: noStems,
    counted: noStems,
  }
  return { kind: 'amount', taken: isMoney ? stemsOf('worth money') : noStems, amount }
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(
    text
      .split(/[ |]/)
      .filter((word) => word !== '')
      .map((word) => stemOf(fold(word))),
  )
}
