/** A source of random numbers from 0 up to 1. */
export type Random = () => number

/** One way to rewrite a sentence; `undefined` where it does not apply. */
export type Rewrite = (
  sentence: string,
  random: Random,
  names: readonly string[],
) => string | undefined

/** Rewrites by the name of their kind. */
export type Rewrites = Readonly<Record<string, Rewrite>>

/** Numbers from a seed, always the same. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (mulberry32) */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One of `list`. */
export function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)]
}

const opposites =
  'increased/decreased increase/decrease increases/decreases higher/lower high/low more/fewer greater/smaller longer/shorter ' +
  'before/after earlier/later above/below upregulated/downregulated positive/negative promotes/inhibits activates/inhibits ' +
  'enhanced/impaired improved/worsened larger/smaller gain/loss elevated/reduced early/late best/worst activation/inhibition ' +
  'stronger/weaker faster/slower presence/absence acute/chronic maximum/minimum most/least enhances/reduces'
const opposite = new Map(opposites.split(' ').flatMap((pair) => pairBothWays(pair)))
const units = [
  'mg',
  'µg',
  'ng',
  'kg',
  'g',
  'ml',
  'years',
  'months',
  'weeks',
  'days',
  'hours',
  'minutes',
  '%',
  'mm',
  'cm',
  'nm',
]
const unitAfterNumber =
  /(?<=\d\s?)(?:mg|µg|ng|kg|g|ml|years|months|weeks|days|hours|h|min|minutes|%|mm|cm|nm|kb|mM|microM)\b/g

/** Rewrites that make a sentence say something that its source does not. */
export const corruptions: Rewrites = {
  number: (sentence, random) =>
    replaceOne(sentence, /(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])/g, random, (found) =>
      changedNumber(found, random),
    ),
  unit: (sentence, random) =>
    replaceOne(
      sentence,
      unitAfterNumber,
      random,
      (found) =>
        pick(
          units.filter((unit) => !sameUnit(unit, found)),
          random,
        ) ?? 'kg',
    ),
  name: (sentence, random, names) =>
    replaceOne(
      sentence,
      /(?<=\s)(?:[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]*|[A-Z][a-z]{3,})\b/g,
      random,
      (found) =>
        pick(
          names.filter(
            (name) => !sentence.includes(name.replace(/s$/, '')) && !found.startsWith(name),
          ),
          random,
        ) ?? 'Zhang',
    ),
  negation: (sentence, random) =>
    /\b(?:not|no)\b/.test(sentence) && random() < 0.5
      ? replaceOne(sentence, /\b(?:did |does |do )?not |\bno /g, random, () => '')
      : replaceOne(
          sentence,
          /\b(?:is|are|was|were|can|has|have|may|could|will)\b(?! not)/g,
          random,
          (found) => `${found} not`,
        ),
  direction: (sentence, random) =>
    replaceOne(
      sentence,
      /\b[a-z]+\b/g,
      random,
      (found) => opposite.get(found) ?? '',
      (found) => opposite.has(found),
    ),
  swap: (sentence, random) => swapped(sentence, random),
}

/** A corruption under a light paraphrase that does not leave it out again. */
export const hiddenCorruption: Rewrite = (sentence, random, names) => {
  const { bracket: _, ...others } = paraphrases
  return twice(sentence, random, names, corruptions, others)
}

/** Two light paraphrases, one over the other. */
export const doubleParaphrase: Rewrite = (sentence, random, names) =>
  twice(sentence, random, names, paraphrases, paraphrases)

function twice(
  sentence: string,
  random: Random,
  names: readonly string[],
  first: Rewrites,
  second: Rewrites,
): string | undefined {
  const once = pick(Object.values(first), random)?.(sentence, random, names)
  return once === undefined ? undefined : pick(Object.values(second), random)?.(once, random, names)
}

function pairBothWays(pair: string): [string, string][] {
  const [one = '', other = ''] = pair.split('/')
  return [
    [one, other],
    [other, one],
  ]
}

function sameUnit(one: string, other: string): boolean {
  return one === other || one.startsWith(other) || other.startsWith(one)
}

function changedNumber(found: string, random: Random): string {
  const digits = [...found.matchAll(/\d/g)]
  const { index = 0 } = pick(digits, random) ?? {}
  const digit = Number(found[index])
  const other = (digit + 1 + Math.floor(random() * 8)) % 10
  const changed =
    found.slice(0, index) +
    (index === 0 && other === 0 ? 1 + (digit % 9) : other) +
    found.slice(index + 1)
  return Number(changed.replace(/,/g, '')) === Number(found.replace(/,/g, ''))
    ? `1${found}`
    : changed
}

/** Two names or two numbers of the sentence in each other's place, when more than a list lies between them. */
function swapped(sentence: string, random: Random): string | undefined {
  const found = [
    ...sentence.matchAll(
      /(?<![\w-])(?:[A-Z][A-Za-z]*[A-Z0-9][A-Za-z0-9]*|[a-z]{5,}(?=\s(?:inhibit|activat|induc|increas|reduc|caus|regulat|predict|prevent)\w*\s)|(?<=\b(?:inhibit|activat|induc|increas|reduc|caus|regulat|predict|prevent)\w*\s)[a-z]{5,}|\d+(?:\.\d+)?%?)(?![\w-])/g,
    ),
  ]
  const pairs = found.flatMap((one, index) =>
    found.slice(index + 1).map((other) => [one, other] as const),
  )
  const telling = pairs.filter(([one, other]) => {
    const between = sentence.slice(one.index + one[0].length, other.index)
    return (
      !one[0].startsWith(other[0]) &&
      !other[0].startsWith(one[0]) &&
      /^\d/.test(one[0]) === /^\d/.test(other[0]) &&
      /[a-z]{4,}/.test(between.replace(/\b(?:and|or|with|both)\b/g, ''))
    )
  })
  const [one, other] = pick(telling, random) ?? []
  if (one === undefined || other === undefined) return undefined
  return (
    sentence.slice(0, one.index) +
    other[0] +
    sentence.slice(one.index + one[0].length, other.index) +
    one[0] +
    sentence.slice(other.index + other[0].length)
  )
}

const synonyms =
  'showed/demonstrated show/demonstrate shows/demonstrates revealed/showed found/observed used/employed use/utilize about/approximately ' +
  'approximately/roughly largest/biggest patients/individuals method/technique methods/techniques begin/start disease/illness ' +
  'examined/investigated investigated/examined assessed/evaluated performed/conducted primarily/mainly mainly/chiefly whereas/while ' +
  'although/though several/multiple many/numerous through/via important/significant required/needed requires/needs enhances/increases ' +
  'participants/subjects rapidly/quickly obtained/acquired reduced/decreased decreased/reduced increased/raised elevated/increased ' +
  'because/since suggest/indicate crucial/essential essential/vital often/frequently identified/discovered children/kids ' +
  'nearly/almost including/such'
const synonymOf = new Map(synonyms.split(' ').map((pair) => pair.split('/') as [string, string]))
const numberNames = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

/** Rewrites that leave what a sentence says as it is. */
export const paraphrases: Rewrites = {
  opener: (sentence, random) =>
    pick(
      [
        'The authors found that ',
        'However, ',
        'The study reports that ',
        'In addition, ',
        'Results showed that ',
      ],
      random,
    ) + lowerFirst(sentence),
  synonym: (sentence, random) =>
    replaceOne(
      sentence,
      /\b[a-z]+\b/g,
      random,
      (found) => synonymOf.get(found) ?? '',
      (found) => synonymOf.has(found),
    ),
  tense: (sentence, random) =>
    replaceOne(
      sentence,
      /\b(?:is|are|was|were|has|shows|increases|reduces|requires|induces|suggests)\b/g,
      random,
      (found) => otherTense[found] ?? found,
    ),
  bracket: (sentence, random) => replaceOne(sentence, /\s\([^()]*\)/g, random, () => ''),
  fronted: (sentence) => {
    const [, body, phrase] =
      /^([A-Z][^,;()]+?) ((?:in|during|after|before|at) (?:the )?[\w-]+(?: [\w-]+){0,2})\.$/.exec(
        sentence,
      ) ?? []
    return body === undefined || phrase === undefined
      ? undefined
      : `${phrase[0]?.toUpperCase()}${phrase.slice(1)}, ${lowerFirst(body)}.`
  },
  numeral: (sentence, random) =>
    replaceOne(
      sentence,
      /(?<=\d)\s?%|(?<=[a-z] )(?:[2-9]|two|three|four|five|six|seven|eight|nine|ten)(?= [a-z])|(?<=\d),(?=\d{3}\b)/g,
      random,
      otherNumeral,
    ),
  spelling: (sentence, random) =>
    replaceOne(
      sentence,
      /\b[a-z]*(?:tumor|color|behavior|characteriz|organiz|analyz|hydrolyz|anemia|edema|estrogen|fiber|center|recogniz|localiz)[a-z]*\b/g,
      random,
      british,
    ),
  article: (sentence, random) =>
    replaceOne(sentence, /\b(?:the|these|this) (?=[a-z]{4,})/g, random, (found) =>
      found === 'the ' ? '' : 'the ',
    ),
  filler: (sentence, random) =>
    replaceOne(
      sentence,
      /\b(?:is|are|was|were|can|did|does)\b(?! also)/g,
      random,
      (found) => `${found} also`,
    ),
}

const otherTense: Readonly<Record<string, string>> = {
  is: 'was',
  are: 'were',
  was: 'is',
  were: 'are',
  has: 'had',
  shows: 'showed',
  increases: 'increased',
  reduces: 'reduced',
  requires: 'required',
  induces: 'induced',
  suggests: 'suggested',
}

function otherNumeral(found: string): string {
  if (found.trim() === '%') return ' percent'
  if (found === ',') return ''
  const index = numberNames.indexOf(found)
  return index === -1 ? (numberNames[Number(found)] ?? found) : String(index)
}

function british(found: string): string {
  return found
    .replace(/tumor|color|behavior/, (word) => word.replace(/or$/, 'our'))
    .replace(/z(?=[aei])/, 's')
    .replace(/^(?=nemia|estrogen)|^(?=edema)/, '')
    .replace('anemia', 'anaemia')
    .replace(/^edema/, 'oedema')
    .replace(/^estrogen/, 'oestrogen')
    .replace('fiber', 'fibre')
    .replace('center', 'centre')
}

function lowerFirst(sentence: string): string {
  return /^(?:[A-Z][a-z]|A )/.test(sentence)
    ? `${sentence[0]?.toLowerCase()}${sentence.slice(1)}`
    : sentence
}

function replaceOne(
  sentence: string,
  pattern: RegExp,
  random: Random,
  change: (found: string) => string,
  fits: (found: string) => boolean = () => true,
): string | undefined {
  const found = [...sentence.matchAll(pattern)].filter(([text]) => fits(text))
  const one = pick(found, random)
  if (one === undefined) return undefined
  const changed =
    sentence.slice(0, one.index) + change(one[0]) + sentence.slice(one.index + one[0].length)
  return changed === sentence ? undefined : changed.replace(/\s{2,}/g, ' ')
}
