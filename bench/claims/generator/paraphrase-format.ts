import { anyOf, byPatterns, type Rewrite, replaceOne } from './rewriting.ts'

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const digits: Rewrite = (sentence, { random }) =>
  replaceOne(
    sentence,
    /(?<=[a-z(] )(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= [a-z]+s\b)(?! hundreds?| thousands?| millions?)/,
    random,
    ({ 0: word }) => String(words.indexOf(word)),
  )
const spelled: Rewrite = (sentence, { random }) =>
  replaceOne(
    sentence,
    /(?<=[a-z] )(?<!\b(?:type|grade|stage|phase|day|week|month|year|group|level|figure|table|chapter|chromosome|to|and|than|or) )(?:[2-9]|10|11|12)(?= [a-z]{4,}s\b)/i,
    random,
    ({ 0: number }) => words[Number(number)],
  )
const thousands: Rewrite = (sentence, { random }) =>
  replaceOne(sentence, /(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,]\d)/, random, ({ 0: number }) =>
    number.replaceAll(',', ''),
  ) ??
  replaceOne(
    sentence,
    /(?<![\w.,·/–-]|[12]\d{3} ?[-–] ?|"[^"]{0,20})(?:[3-9]\d{3}|1[0-4]\d\d|\d{5,6})(?![\w/–-]|[.,·]\d)/,
    random,
    ({ 0: number }) => number.replace(/\B(?=(\d{3})+$)/g, ','),
  )

const format = byPatterns([
  [/(?<=\d) ?%(?=[ ,.;)])/, ' percent'],
  [/(?<=\d) ?%(?=[ ,.;)])/, ' per cent'],
  [/(?<=\d) ?(?:percent|per cent)\b/, '%'],
  [/(?<=\d)·(?=\d)/, '.'],
  [/(?<=\d)-fold\b/, ' times'],
  [/\bvs\.?(?= )/, 'versus'],
  [/\bversus\b/, 'vs.'],
  [/(?<=\d) ?mg\/kg\b/, ' mg per kg'],
  [/(?<=\d) ?μm\b/, ' micrometres'],
  [
    /\b(January|February|March|April|May|June|July|August|September|October|November|December) (\d{1,2}), (?=[12]\d{3})/,
    '$2 $1 ',
  ],
  [
    /\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December) (?=[12]\d{3})/,
    '$2 $1, ',
  ],
  [/\b5 million\b/, 'five million'],
  [/(?<= )(\d{2,3}) to (\d{2,3})(?= years\b)/, '$1–$2'],
  [/(?<= )(\d{1,2})[-–](\d{1,2})(?= (?:years|months|weeks|days)\b)/, '$1 to $2'],
])

/** Short forms and what they stand for, as a text defines them: "myeloid-derived suppressor cells (MDSC)". */
export function definedForms(text: string): [short: string, long: string][] {
  return [...text.matchAll(/\(([A-Z][A-Za-z]*[A-Z]s?)\)/g)].flatMap((match): [string, string][] => {
    const short = match[1] ?? ''
    const letters = short.replace(/s$/, '').toLowerCase()
    const before = text.slice(Math.max(0, match.index - 120), match.index).trimEnd()
    const parts = [...before.matchAll(/[A-Za-z0-9]+/g)].slice(-letters.length)
    const long = before.slice(parts[0]?.index ?? before.length)
    const initials = parts.map(({ 0: part }) => part.charAt(0).toLowerCase()).join('')
    return initials === letters && letters.length >= 2 && !/[.,;()]/.test(long)
      ? [[short, long]]
      : []
  })
}

const abbreviation: Rewrite = (sentence, { source, random, pools }) => {
  const forms = definedForms(source.text)
  const pieces = forms.flatMap(([short, long]): [RegExp, string][] => {
    const inside =
      !/ [A-Z]|^[A-Z][- ]/.test(long) &&
      pools.smallWords.has(long.split(/[ -]/)[0]?.toLowerCase() ?? '')
        ? long.charAt(0).toLowerCase() + long.slice(1)
        : long
    return [
      [new RegExp(`(?<![\\w(/+-])${short}(?![\\w)/+-]| \\()`), inside],
      [new RegExp(`(?<![\\w-])${inside}(?![\\w-]| \\()`), short],
    ]
  })
  for (const [pattern, form] of pieces) {
    const written = replaceOne(sentence, pattern, random, ({ index }) =>
      /\b[Aa]n? $/.test(sentence.slice(0, index)) && /s$/.test(form)
        ? undefined
        : index === 0
          ? form.charAt(0).toUpperCase() + form.slice(1)
          : form,
    )
    if (written !== undefined) return written
  }
  return undefined
}

const parentheses: Rewrite = (sentence, { random }) =>
  replaceOne(
    sentence,
    / \((?!s\)|\d\)|[+-])(?:[^()]|\([^()]*\)){2,}\)(?=[ ,.;])/,
    random,
    ({ 0: all, index }) =>
      index < 3 || /\b(?:except|not|excluding|without|only|or)\b/.test(all) ? undefined : '',
  )

const typography = anyOf(
  byPatterns([
    [/'s\b/, '’s'],
    [/"([^"]+)"/, '“$1”'],
    [/(?<=\d)[–−](?=\d)/, '-'],
    [/(?<=\d)-(?=\d+(?:\.\d+)?\b(?!-))/, '–'],
    [/(?<=[a-z]) - (?=[a-z])/, ' – '],
    [/β(?=-?\w)/, 'beta'],
    [/α(?=-?\w)/, 'alpha'],
    [/-α\b/, '-alpha'],
    [/-β\b/, '-beta'],
    [/\balpha\b/, 'α'],
    [/\bbeta\b/, 'β'],
    [/μ(?=[gmlM]\b)/, 'µ'],
    [/\b([a-z]+), ([a-z]+), and (?=[a-z])/, '$1, $2 and '],
    [/\b([a-z]+), ([a-z]+) and (?=[a-z]+[.,])/, '$1, $2, and '],
    [/\bnon-(?=[a-z]{4})/, 'non'],
    [/(?<=[a-z])-(?=based\b|related\b|associated\b|dependent\b|induced\b|mediated\b)/, ' '],
  ]),
)

/** Rewrites that leave what a sentence says as it is and write numbers, names and signs otherwise. */
export const formatParaphrases: Readonly<Record<string, Rewrite>> = {
  'number format': anyOf(digits, spelled, thousands, format),
  abbreviation,
  'dropped parentheses': parentheses,
  typography,
}
