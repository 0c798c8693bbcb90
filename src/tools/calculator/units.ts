import type { BigNumber, MathJsInstance, Unit, UnitDefinition } from 'mathjs'
import { refuse } from './calculator-arithmetic.ts'
import { formatValue } from './calculator-format.ts'

/** A converted quantity, or why there is none: a phrase without full stop. */
export type Conversion =
  | {
      readonly ok: true
      readonly value: number | string
      /** The number, the unit as requested, and in parentheses the convention assumed. */
      readonly text: string
    }
  | { readonly ok: false; readonly reason: string }

/**
 * Converts a quantity to a unit.
 * @throws {@link ScholiumError} `invalid_input` for an unknown number or unit, or different dimensions
 */
export type UnitConverter = (quantity: string, toUnit: string) => Conversion

const maxLength = 200
const maxNumberExponent = 1_000
const temperatures = /^(?:deg[CFR]|K|kelvin|celsius|fahrenheit|rankine)$/

/** Creates a converter with the units of `math`, a mathjs instance with decimals; adds and corrects some units. */
export function createUnitConverter(math: MathJsInstance): UnitConverter {
  for (const units of [extraUnits, correctedUnits])
    math.createUnit({ ...units }, { override: true })
  const unitOf = (value: BigNumber, name: string): Unit => {
    try {
      return math.unit(value, name)
    } catch (error) {
      const unknown = /Unit "(.+)" not found/.exec(error instanceof Error ? error.message : '')?.[1]
      return refuse(
        unknown === undefined ? `"${name}" is not a unit` : `the unit "${unknown}" is unknown`,
      )
    }
  }
  const isUnit = (name: string): boolean => {
    try {
      math.unit(name)
      return true
    } catch {
      return false
    }
  }
  return (quantity, toUnit) => {
    if (quantity.length > maxLength || toUnit.length > maxLength)
      refuse(`it is longer than ${maxLength} characters`)
    const { number, unit } = splitQuantity(quantity)
    const [fromName, toName] = parseTemperatures(unitName(unit, isUnit), unitName(toUnit, isUnit))
    const value = math.bignumber(number)
    if (Math.abs(value.e) > maxNumberExponent) refuse('the number is too large or too small')
    const from = unitOf(value, fromName)
    if (!from.equalBase(unitOf(math.bignumber(1), toName))) {
      refuse(`"${unit}" and "${toUnit.trim()}" measure different things`)
    }
    if (temperatures.test(fromName) && (from.toNumeric('K') as BigNumber).isNeg()) {
      refuse('that is below absolute zero')
    }
    const converted = from.toNumeric(toName) as BigNumber
    if (!converted.isFinite()) refuse('the result is too large')
    const shown = formatValue(converted, { toReal: () => converted })
    return {
      ok: true,
      value: shown.value,
      text: `${shown.text} ${toUnit.trim()}${convention(fromName, toName)}`,
    }
  }
}

/** The number at the start of a quantity, without thousands separators, and its unit. */
function splitQuantity(quantity: string): { readonly number: string; readonly unit: string } {
  const plain = normalizePowers(quantity.trim()).replace(/^[−–]/, '-')
  const found =
    /^([-+]?)([\d.,\u00a0\u2009\u202f_]+)(?:[eE]([-+]?\d+)| ?[×x*·] ?10\^?\(?([-−]?\d+)\)?)? ?(.*)$/.exec(
      plain,
    )
  const [, sign = '', digits = '', exponent, powerOfTen, unit = ''] = found ?? []
  const isGrouped = /^[1-9]\d{0,2}(?:[,\u00a0\u2009\u202f_]\d{3})+(?:\.\d+)?$/.test(digits)
  if (!isGrouped && !/^(?:\d+\.?\d*|\.\d+)$/.test(digits)) refuse('it does not start with a number')
  if (unit.trim() === '') refuse('it has no unit')
  if (/^[\d.,]|(?<![A-Za-z^)-])\d/.test(unit)) refuse('it contains more than one number')
  const power = (exponent ?? powerOfTen ?? '0').replace('−', '-')
  return { number: `${sign}${digits.replace(/[^\d.]/g, '')}e${power}`, unit: unit.trim() }
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function normalizePowers(text: string): string {
  return text.replace(/[⁻⁰¹²³⁴-⁹]+/g, (run) => {
    return `^${Array.from(run, (sign) => (sign === '⁻' ? '-' : superscripts.indexOf(sign))).join('')}`
  })
}

/** mathjs's name for a unit as typed. */
function unitName(typed: string, isUnit: (name: string) => boolean): string {
  const plain = normalizePowers(typed.trim()).replace(/\s+/g, ' ')
  if (plain === '') refuse('there is no unit to convert to')
  const spelled = spellings.reduce((text, [from, to]) => text.replace(from, to), plain)
  const name = spelled.replace(/[A-Za-z][A-Za-z0-9]*/g, (word) => wordName(word, isUnit))
  if (/\/[^/*()]*\w +[A-Za-z(]/.test(name))
    refuse(`"${typed.trim()}" can be read in two ways: write parentheses`)
  return name.replace(/^1 ?\/ ?(\w+)$/, '$1^-1')
}

function wordName(word: string, isUnit: (name: string) => boolean): string {
  const lower = word.toLowerCase()
  const instead = ambiguousUnits.get(word) ?? (isUnit(word) ? undefined : ambiguousUnits.get(lower))
  if (instead !== undefined) refuse(`"${word}" has several meanings: write ${instead}`)
  const isSafe = word.length > 3 || shortNames.has(lower)
  return !isUnit(word) && isSafe && isUnit(lower) ? lower : word
}

/** "C" and "F" are coulomb and farad, unless the other side shows that they are degrees. */
function parseTemperatures(from: string, to: string): readonly [string, string] {
  const isDegree = (name: string) => temperatures.test(name) || /^[CF]$/.test(name)
  if (!isDegree(from) || !isDegree(to) || from === to) return [from, to]
  return [from.replace(/^([CF])$/, 'deg$1'), to.replace(/^([CF])$/, 'deg$1')]
}

/** The conventions assumed, in parentheses, or nothing. */
function convention(...names: readonly string[]): string {
  const words = names.flatMap((name) => name.match(/[A-Za-z]+/g) ?? [])
  const found = new Set(
    words.flatMap((word) => conventions.get(word) ?? conventions.get(word.replace(/^k/, '')) ?? []),
  )
  return found.size === 0 ? '' : ` (${[...found].join(', ')})`
}

/** Units missing from mathjs. Values are exact by definition (SI, international yard and pound, IAU, UK law). */
const extraUnits: Readonly<Record<string, UnitDefinition>> = {
  metre: { definition: '1 m', prefixes: 'long', aliases: ['metres'] },
  pascal: { definition: '1 Pa', prefixes: 'long', aliases: ['pascals'] },
  newtons: { definition: '1 N', prefixes: 'long' },
  watthour: { definition: '3600 J', prefixes: 'long', aliases: ['watthours'] },
  cal: { definition: '4.184 J', prefixes: 'short' },
  calorie: { definition: '4.184 J', prefixes: 'long', aliases: ['calories'] },
  gauss: { definition: '1e-4 T', prefixes: 'long' },
  pound: { definition: '0.45359237 kg', aliases: ['pounds'] },
  shortton: { definition: '907.18474 kg', aliases: ['shorttons'] },
  longton: { definition: '1016.0469088 kg', aliases: ['longtons'] },
  troyounce: { definition: '31.1034768 g', aliases: ['troyounces'] },
  micron: { definition: '1e-6 m', aliases: ['microns'] },
  nauticalmile: { definition: '1852 m', aliases: ['nauticalmiles', 'nmi'] },
  knot: { definition: '1852 m/h', aliases: ['knots', 'kn'] },
  astronomicalunit: { definition: '149597870700 m', aliases: ['astronomicalunits', 'au', 'AU'] },
  lightyear: { definition: '9460730472580800 m', aliases: ['lightyears', 'ly'] },
  // 648000 astronomical units divided by pi
  pc: { definition: '3.08567758149136727891e16 m', prefixes: 'short' },
  parsec: { definition: '3.08567758149136727891e16 m', prefixes: 'long', aliases: ['parsecs'] },
  ha: { definition: '10000 m^2' },
  imperialgallon: { definition: '4.54609 L', aliases: ['imperialgallons'] },
  imperialquart: { definition: '1.1365225 L', aliases: ['imperialquarts'] },
  imperialpint: { definition: '0.56826125 L', aliases: ['imperialpints'] },
  imperialfluidounce: { definition: '28.4130625 mL', aliases: ['imperialfluidounces'] },
  inHg: { definition: '3386.388640341 Pa' },
}

/** Units whose value in mathjs 15 is rounded or outdated, with the exact one. */
const correctedUnits: Readonly<Record<string, UnitDefinition>> = {
  acre: { definition: '4046.8564224 m^2', aliases: ['acres'] },
  // exact since the SI of 2019
  eV: { definition: '1.602176634e-19 J', prefixes: 'short' },
  electronvolt: { definition: '1.602176634e-19 J', prefixes: 'long', aliases: ['electronvolts'] },
  hp: { definition: '745.69987158227022 W' },
  psi: { definition: '4.4482216152605 N/in^2' },
  // 101325 / 760 Pa
  torr: { definition: '133.322368421052631578947368421053 Pa' },
  sqrd: { definition: '25.29285264 m^2' },
  sqch: { definition: '404.68564224 m^2' },
  kip: { definition: '4448.2216152605 N', aliases: ['kips'] },
  mmHg: { definition: '133.322387415 Pa', aliases: ['mmhg'] },
}

/** Common spellings of mathjs's names, in the order of replacement. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[µμ]/g, 'u'],
  [/[·⋅×∙]/g, ' * '],
  [/[−–]/g, '-'],
  [/℃/g, '°C'],
  [/℉/g, '°F'],
  [/(?:°|\bdeg(?:rees?)?\b\.?) ?(?:c|celsius|centigrade)\b/gi, 'degC'],
  [/(?:°|\bdeg(?:rees?)?\b\.?) ?(?:f|fahrenheit)\b/gi, 'degF'],
  [/(?:°|\bdeg(?:rees?)?\b\.?) ?(?:k|kelvins?)\b/gi, 'K'],
  [/°/g, 'deg'],
  [/\bkelvins\b/gi, 'K'],
  [/(?<=[A-Za-z])-(?=[A-Za-z])/g, ' '],
  [/\bper\b/gi, '/'],
  [/\b(?:square|sq\.?) (?=[A-Za-z])(\w+)/gi, '$1^2'],
  [/\b(?:cubic|cu\.?) (?=[A-Za-z])(\w+)/gi, '$1^3'],
  [/\b(\w+) squared\b/gi, '$1^2'],
  [/\b(\w+) cubed\b/gi, '$1^3'],
  [/\b(?:pounds?|lbf?) ?\/ ?inch(?:es)?\^2/gi, 'psi'],
  [/\bmm hg\b/gi, 'mmHg'],
  [/\b(?:in|inches) (?:of )?(?:hg|mercury)\b/gi, 'inHg'],
  [/\b(?:fluid|fl\.?) (?:ounces?|oz\.?)/gi, 'fluidounce'],
  [/\bmetric tons?\b/gi, 'tonne'],
  [/\bUS (?=gallon|quart|pint|cup|fluidounce)/gi, ''],
  [/\bUK (?=gallon|quart|pint|fluidounce)/gi, 'imperial '],
  [/\b(imperial|short|long|troy|nautical|light|astronomical|electron) (\w+)/gi, '$1$2'],
  [/watt hour/gi, 'watthour'],
  [/\b(k|M|G|T)?bps\b/g, '$1b/s'],
  [/\bmph\b/gi, 'mi/h'],
  [/\bk(?:ph|mh|mph)\b/gi, 'km/h'],
  [/\bkilos?\b/gi, 'kg'],
  [/\bmcg\b/g, 'ug'],
  [/\b(k|M|m)?Nm\b/g, '$1N * m'],
  [/\bK(?=B\b|b\b)/g, 'k'],
  [/\bhorsepower\b/gi, 'hp'],
  [/\batmospheres?\b/gi, 'atm'],
  [/\bbars\b/gi, 'bar'],
  [/\byrs?\b/gi, 'year'],
  [/\b(?:bbl|barrels?)\b/gi, 'oilbarrel'],
  // "m2" and "s-1"
  [/(?<=\b[A-Za-z]+)(-?\d)(?![\d.\w])/g, '^$1'],
]

/** Short names that are unambiguous in another case; not "NM" (nanometre, nautical mile?) and the like. */
const shortNames: ReadonlySet<string> = new Set([
  'km',
  'kg',
  'cm',
  'mm',
  'lb',
  'lbs',
  'oz',
  'ft',
  'in',
  'yd',
  'mi',
  'psi',
  'hp',
  'hr',
  'hrs',
  'min',
  'sec',
])

/** Names with several common meanings, and what to write instead. */
const ambiguousUnits: ReadonlyMap<string, string> = new Map([
  ['ton', 'tonne (1000 kg), short ton (2000 lb) or long ton (2240 lb)'],
  ['tons', 'tonne (1000 kg), short ton (2000 lb) or long ton (2240 lb)'],
  ['hundredweight', 'pounds (100 lb in the US, 112 lb in the UK)'],
  ['hundredweights', 'pounds (100 lb in the US, 112 lb in the UK)'],
  ['cwt', 'pounds (100 lb in the US, 112 lb in the UK)'],
  ['gr', 'grain or gram'],
  ['dr', 'dram or fluiddram'],
  ['rd', 'rod or rad'],
  ['stick', 'a unit of mass'],
  ['sticks', 'a unit of mass'],
  ['lt', 'litre'],
  ['cp', 'cup'],
])

/** Notes on units whose size depends on the country or a convention. */
const conventions: ReadonlyMap<string, string> = new Map([
  ...['gallon', 'quart', 'pint', 'cup', 'gill'].flatMap((name) => plural(name, `US ${name}`)),
  ...['gal', 'qt', 'pt'].map((name) => [name, 'US measure'] as const),
  ...plural('fluidounce', 'US fluid ounce'),
  ['floz', 'US fluid ounce'],
  ...plural('teaspoon', 'teaspoon of 5 mL'),
  ...plural('tablespoon', 'tablespoon of 15 mL'),
  ...plural('oilbarrel', 'oil barrel of 42 US gallons'),
  ...plural('calorie', 'calorie of 4.184 J'),
  ['cal', 'calorie of 4.184 J'],
  ['hp', 'horsepower of 550 ft lbf/s'],
  ['BTU', 'BTU of the International Table'],
  ['BTUs', 'BTU of the International Table'],
  ...plural('month', 'month of 30.4375 days'),
  ...plural('year', 'year of 365.25 days'),
  ...plural('decade', 'year of 365.25 days'),
  ['century', 'year of 365.25 days'],
  ['centuries', 'year of 365.25 days'],
])

function plural(name: string, convention: string): readonly (readonly [string, string])[] {
  return [
    [name, convention],
    [`${name}s`, convention],
  ]
}
