import { pick, type Random, type Rewrites, replaceOne } from './rewrite.ts'

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
