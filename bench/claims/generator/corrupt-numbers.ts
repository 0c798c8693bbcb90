import { pick, type Random, shuffled } from './random.ts'
import { anyOf, byPatterns, type Rewrite, replaceOne } from './rewriting.ts'

/** A number that stands for itself: no part of a name, a range, a bound, an enumeration or the level of an interval. */
const free =
  /(?<![A-Za-z0-9.,·_/+^×~±≈-]|\d\s|\+\/- |± |[–−-]|[<>≤≥] ?|\b[Pp] ?= ?|\b(?:than|least|most|to|over|under|nearly|almost|exceeding|above|below|[Ff]igure|[Tt]able|[Cc]hapter|[Gg]rant|[Nn]o\.) )(?:\d{1,3}(?:,\d{3})+|\d+)(?:[.·]\d+)?(?!\w|\s\d|[-–−/·.,:^×]\d|-[A-Za-z]|\)|,\d| ?[×^±]|%? (?:CI|confidence|uncertainty|credible)\b|\. )/
const percentAfter = /^\s?(?:%|percent\b|per cent\b)/

function isYear(written: string): boolean {
  return /^(?:1[5-9]\d\d|20[0-2]\d)$/.test(written)
}

function numberIn(written: string): number {
  return Number(written.replaceAll(',', '').replace('·', '.'))
}

/** The number as the original is written: the same decimals, the same thousands separator and point. */
function writtenLike(original: string, value: number): string {
  const decimals = /[.·](\d+)$/.exec(original)?.[1]?.length ?? 0
  const fixed = value.toFixed(decimals)
  const [whole = '', rest] = fixed.split('.')
  const grouped =
    original.includes(',') && whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole
  return rest === undefined ? grouped : `${grouped}${original.includes('·') ? '·' : '.'}${rest}`
}

/** Another number, a fifth to nine tenths away; of a share in percent one up to 100. */
export function otherNumber(original: string, isShare: boolean, random: Random): string {
  const value = numberIn(original)
  for (const factor of shuffled([0.3, 0.5, 0.6, 0.75, 1.25, 1.4, 1.7, 1.9], random)) {
    const step = value === 0 ? 3 : value * factor
    const other = writtenLike(original, value < 6 && !/[.·]/.test(original) ? value + 1 : step)
    if (other !== original && (!isShare || numberIn(other) <= 100)) return other
  }
  return writtenLike(original, value + 1)
}

const changed: Rewrite = (sentence, { random }) =>
  replaceOne(sentence, free, random, (match) =>
    isYear(match[0])
      ? undefined
      : otherNumber(
          match[0],
          percentAfter.test(sentence.slice(match.index + match[0].length)),
          random,
        ),
  )

const shifted: Rewrite = (sentence, { random }) =>
  replaceOne(sentence, free, random, (match) => {
    const [written] = match
    if (isYear(written) || !/[.·]/.test(written)) return undefined
    const value = numberIn(written)
    return String(Number((random() < 0.5 || value > 10 ? value / 10 : value * 10).toFixed(6)))
  })

const magnitudes = byPatterns([
  [/\bmillion\b/, 'billion'],
  [/\bbillion\b/, 'million'],
  [/\bthousands\b/, 'millions'],
  [/\bhundreds\b/, 'thousands'],
  [/(?<=[1-9]) thousand\b/, ' million'],
])

const tenfold: Rewrite = (sentence, { random }) =>
  replaceOne(sentence, free, random, (match) => {
    const [written] = match
    const value = numberIn(written)
    const after = sentence.slice(match.index + written.length)
    if (
      isYear(written) ||
      value < 10 ||
      /[.·]/.test(written) ||
      percentAfter.test(after) ||
      /^ (?:years?|days?|weeks|months|January|February|March|April|May|June|July|August|September|October|November|December)\b/.test(
        after,
      ) ||
      /\b(?:[Aa]ged?|[Dd]ays?|January|February|March|April|May|June|July|August|September|October|November|December|and|to) $/.test(
        sentence.slice(0, match.index),
      )
    )
      return undefined
    return writtenLike(written, value * 10)
  })

const wordOrder = 'two three four five six seven eight nine ten eleven twelve'.split(' ')
const numberWords: Rewrite = (sentence, { random }) =>
  replaceOne(
    sentence,
    /(?<!-)\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Tt]welve)\b(?!-| (?:of|or|to|and|hundred|thousand|million)\b)/,
    random,
    (match) => {
      const before = sentence.slice(0, match.index).trimEnd()
      if (/\b(?:than|least|over|to|or|and|between|these|those)$/i.test(before)) return undefined
      const at = wordOrder.indexOf(match[0].toLowerCase())
      const word = wordOrder[at + (at === 0 || random() < 0.5 ? 1 : -1)] ?? 'three'
      return /^[A-Z]/.test(match[0]) ? word.charAt(0).toUpperCase() + word.slice(1) : word
    },
  )
const multiples = byPatterns([
  [/\btwice\b/, 'three times'],
  [/\bdoubled\b/, 'tripled'],
  [/\b(?:two-fold|twofold|2-fold)\b/, 'fivefold'],
  [/\b(?:three-fold|threefold|3-fold)\b/, 'twofold'],
  [/\b(?:one|a) third of\b/, 'two thirds of'],
  [/\btwo[- ]thirds of\b/, 'a third of'],
  [/(?<!one )\bhalf of (?=the|all|these)/, 'a quarter of '],
  [/(?<=\d)-fold (?=higher|lower|greater|increase|decrease|reduction)/, '% '],
])

const points = byPatterns([
  [
    /\b((?:increas|decreas|reduc|declin|improv|rose|risen|fell|fallen|dropp|lower)\w*(?: [a-z]+){0,4} by(?: about| approximately)? [\d.]+) ?(?:%|percent\b)/,
    '$1 percentage points',
  ],
  [/\b([\d.]+) ?% (increase|decrease|reduction|decline|rise|drop) in/, '$1-percentage-point $2 in'],
  [/\b([\d.]+)[ -](?:percentage[ -])points?\b/, '$1%'],
])

const range: Rewrite = (sentence, { random }) =>
  replaceOne(
    sentence,
    /(?<![\w.,·–−-])(\d+(?:[.·]\d+)?)( ?[–-] ?| to | and )(\d+(?:[.·]\d+)?)(?![\w.·–−-]*\d|-[a-z]|, and)/,
    random,
    (match) => {
      const [all, low = '', between = '', high = ''] = match
      const before = sentence.slice(0, match.index)
      if (between === ' and ' && !/\bbetween $/i.test(before)) return undefined
      if (numberIn(low) >= numberIn(high) || all.includes(' 10') || /[<>=/] ?$/.test(before))
        return undefined
      if (isYear(low)) return `${low}${between}${Number(high) + 1 + Math.floor(random() * 3)}`
      const step = (numberIn(high) - numberIn(low)) * 0.6
      return random() < 0.5
        ? `${writtenLike(low, Math.max(numberIn(low) + step, 0.1))}${between}${high}`
        : `${low}${between}${writtenLike(high, numberIn(high) + Math.max(step, 1))}`
    },
  )

/** Exchanges two numbers of the same form that say different things: not two ends of a range, not items of a list. */
export const swappedNumbers: Rewrite = (sentence, { random }) => {
  const numbers = [...sentence.matchAll(new RegExp(`(?:${free.source})(?: ?%)?`, 'gu'))].filter(
    ([written]) => !isYear(written),
  )
  const pairs = numbers.flatMap((one, index) =>
    numbers
      .slice(index + 1)
      .filter(
        (other) =>
          one[0] !== other[0] &&
          one[0].endsWith('%') === other[0].endsWith('%') &&
          isApart(sentence, one, other),
      )
      .map((other) => [one, other] as const),
  )
  const pair = pick(pairs, random)
  if (pair === undefined) return undefined
  const [one, other] = pair
  const between = sentence.slice(one.index + one[0].length, other.index)
  return (
    sentence.slice(0, one.index) +
    other[0] +
    between +
    one[0] +
    sentence.slice(other.index + other[0].length)
  )
}

function isApart(sentence: string, one: RegExpExecArray, other: RegExpExecArray): boolean {
  const between = sentence.slice(one.index + one[0].length, other.index)
  if (/\brespectively\b/.test(sentence.slice(other.index)) && /^,? and $/.test(between)) return true
  if (/^,? ?(?:vs\.?|versus|compared (?:with|to)) $/.test(between.replace(/^%/, ''))) return true
  const words = between.match(/[A-Za-z]{3,}/g) ?? []
  return words.length >= 2 && !/^ ?(?:to|and|or|-|–)/.test(between)
}

const units: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d) ?mg\b/, ' g'],
  [/(?<=\d) ?(?:μg|µg|microg)\b/, ' mg'],
  [/(?<=\d) ?nM\b/, ' mM'],
  [/(?<=\d) ?nmol\b/, ' mmol'],
  [/(?<=\d) ?(?:μM|µM)\b/, ' nM'],
  [/(?<=\d) ?kg\b/, ' lb'],
  [/(?<=\d) ?mm\b(?! ?Hg)/, ' cm'],
  [/(?<=\d) ?cm\b/, ' mm'],
  [/(?<=\d) ?km\b/, ' miles'],
  [/(?<=\d) miles\b/, ' km'],
  [/(?<=\d) ?(?:ml|mL)\b/, ' L'],
  [/(?<=\d) ?kb\b/, ' Mb'],
  [/(?<=\d)[ -](?:ft|feet)\b/, ' metres'],
  [/(?<=\d) ?°C\b/, ' °F'],
  [/\$(?=\d)/, '£'],
  ...(
    [
      ['minutes', 'hours'],
      ['hours', 'days'],
      ['days', 'weeks'],
      ['weeks', 'months'],
      ['months', 'years'],
      ['years', 'months'],
    ] as const
  ).flatMap(([from, to]): [RegExp, string][] => [
    [
      new RegExp(
        `(?<=\\b(?:\\d+|two|three|four|five|six|seven|eight|nine|ten) )${from}\\b(?! ago)`,
      ),
      to,
    ],
    [
      new RegExp(`(?<=\\b(?:\\d+|two|three|four|five|six|ten)-)${from.slice(0, -1)}\\b(?!-old)`),
      to.slice(0, -1),
    ],
  ]),
]

const months =
  'January February March April May June July August September October November December'.split(' ')
const date = anyOf(
  (sentence, { random }) =>
    replaceOne(
      sentence,
      /(?<![\w.,/–-])(?:1[5-9]\d\d|20[0-2]\d)(?![\w,/–-]|\.\d)/,
      random,
      (match) => {
        const step = 1 + Math.floor(random() * 8)
        const other = String(Number(match[0]) + (random() < 0.5 ? -step : step))
        return sentence.includes(other) ? undefined : other
      },
    ),
  (sentence, { random }) =>
    replaceOne(
      sentence,
      new RegExp(`\\b(?:${months.join('|')})(?= \\d| of\\b|,? (?:1|2)\\d{3})`),
      random,
      (match) => months[(months.indexOf(match[0]) + 1 + Math.floor(random() * 9)) % 12],
    ),
  byPatterns([
    [/\b19(\d)0s\b/, '18$10s'],
    [/\b1970s\b/, '1950s'],
    [/\b19th(?=[- ]century)/, '18th'],
    [/\b20th(?=[- ]century)/, '19th'],
    [/\b18th(?=[- ]century)/, '17th'],
  ]),
)

/** Rewrites that make a sentence false by a number, a unit or a date. */
export const numberCorruptions: Readonly<Record<string, Rewrite>> = {
  number: changed,
  'number word': anyOf(numberWords, multiples),
  'decimal shift': shifted,
  magnitude: anyOf(magnitudes, tenfold),
  'percent points': points,
  range,
  'swapped numbers': swappedNumbers,
  unit: byPatterns(units),
  date,
}
