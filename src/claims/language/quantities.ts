/** What a unit measures and its factor to the dimension's first unit. */
export interface Unit {
  readonly dimension: string
  readonly factor: number
}

/**
 * The value of a number as printed in running text: "1,000", "1 000" (with a no-break or thin space), "0.5", ".5", "1,5"
 * and "−3"; `undefined` for anything else ("1.2.3", "1,3,7").
 */
export function parseNumber(text: string): number | undefined {
  // No readable number is longer.
  if (text.length > 400) return undefined
  const plain = text.replace(/^[-−]/, '').replace('·', '.')
  const digits = /^\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$/.test(plain)
    ? plain.replace(/[,\u00a0\u2009\u202f]/g, '')
    : /^\d+,\d{1,2}$/.test(plain)
      ? plain.replace(',', '.')
      : plain
  if (!/^\d*\.?\d+$/.test(digits)) return undefined
  return /^[-−]/.test(text) ? -Number(digits) : Number(digits)
}

const digits = String.raw`(?:\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+|(?:(?<!\d)\.)?\d(?:[\d.,·]*\d)?)`
const times = String.raw`[\s\u00a0\u2009\u202f]?[×x·⋅*][\s\u00a0\u2009\u202f]?`
const raised = '[⁰¹²³⁴-⁹]{1,3}'
const caret = String.raw`\s?\^\s?[-−–+]?\d{1,3}(?!\d)`

/**
 * A pattern for numbers with an exponent: "3 × 10⁻⁶", "10^-6", "2³²" and "3e-6". A raised number without a sign
 * behind another base than 10 and 2 may be a footnote.
 */
export const powerPattern = String.raw`(?:${digits}${times})?(?<![\d.,])(?:10|2)(?:[⁺⁻−]?${raised}|${caret})|(?:${digits}${times})?${digits}(?:${caret}|[⁻−]${raised})|${digits}[eE][-−+]?\d{1,3}(?![\p{L}\d])`

/** A number with an exponent as "3*10^-6", "2^32" or "3e-6"; `undefined` for anything else. */
export function normalizePower(text: string): string | undefined {
  if (!/[\^⁰¹²³⁴-⁹eE]/.test(text) || !wholePower.test(text)) return undefined
  return text
    .replace(/\s/g, '')
    .replace(/[⁺⁻−]?[⁰¹²³⁴-⁹]+$/, '^$&')
    .normalize('NFKC')
    .replace(/[−–]/g, '-')
    .replace(/[×x⋅]|·(?=\d+\^)/, '*')
    .replace(/(?<=[\^e])\+/i, '')
    .toLowerCase()
}

const wholePower = new RegExp(`^[-−]?(?:${powerPattern})$`, 'u')

/** The value of what {@link normalizePower} gives; `undefined` if it is too large or too small for a number. */
export function parsePower(text: string): number | undefined {
  const [, sign = '', factor = '1', base = '', exponent = ''] =
    /^(-?)(?:(.+)\*)?([^*]+?)[\^e](-?\d+)$/.exec(text) ?? []
  const [first, second] = [parseNumber(factor), parseNumber(base)]
  if (first === undefined || second === undefined) return undefined
  const isTen = text.includes('e') || second === 10
  const value = isTen
    ? Number(`${text.includes('e') ? second : first}e${exponent}`)
    : first * second ** Number(exponent)
  if (!Number.isFinite(value) || (value === 0 && first * second !== 0)) return undefined
  return sign === '-' ? -value : value
}

/** The unit that a word or symbol after a number means; symbols are case-sensitive. */
export function findUnit(text: string): Unit | undefined {
  const symbol = text.normalize('NFKC').replace('μ', 'u')
  const name = symbol.toLowerCase()
  return (
    symbols.get(symbol) ??
    (name.length < 3 ? undefined : (names.get(name) ?? names.get(name.replace(/s$/, ''))))
  )
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const ordinalNames =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
  'sixteenth seventeenth eighteenth nineteenth'

/** Number words: "seven", "seventy". */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...small.split(' ').map((word, index) => [word, index] as const),
  ...tens.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
])

/** Ordinal words: "third" → 3. */
export const ordinalWords: ReadonlyMap<string, number> = new Map([
  ...ordinalNames.split(' ').map((word, index) => [word, index + 1] as const),
  ...tens.split(' ').map((word, index) => [word.replace(/y$/, 'ieth'), (index + 2) * 10] as const),
])

/** Words that multiply the number before them. */
export const scales: ReadonlyMap<string, number> = new Map([
  ['dozen', 12],
  ['hundred', 1e2],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
  ['mln', 1e6],
  ['bn', 1e9],
  ['bln', 1e9],
  ['tn', 1e12],
  ['tausend', 1e3],
  ['millionen', 1e6],
  ['mio', 1e6],
  ['milliarde', 1e9],
  ['milliarden', 1e9],
  ['mrd', 1e9],
  ['الف', 1e3],
  ['الاف', 1e3],
  ['مليون', 1e6],
  ['ملايين', 1e6],
  ['مليار', 1e9],
  ['مليارات', 1e9],
])

/** Characters that multiply the digits before them: "180万" is 1,800,000. */
export const digitScales: ReadonlyMap<string, number> = new Map([
  ['百', 1e2],
  ['千', 1e3],
  ['万', 1e4],
  ['萬', 1e4],
  ['亿', 1e8],
  ['億', 1e8],
])

/** The months in lower case, January first. */
export const monthNames: readonly string[] =
  'january february march april may june july august september october november december'.split(' ')

/** The units of each dimension: symbols with their factors, then names with theirs. */
const unitTable: Readonly<Record<string, readonly [symbols: string, names: string]>> = {
  mass: [
    'g=1 kg=1e3 mg=1e-3 ug=1e-6 mcg=1e-6 ng=1e-9 pg=1e-12 t=1e6 lb=453.59237 oz=28.349523125',
    'gram=1 gramme=1 kilogram=1e3 kilo=1e3 milligram=1e-3 microgram=1e-6 nanogram=1e-9 ton=1e6 tonne=1e6 pound=453.59237 ounce=28.349523125',
  ],
  length: [
    'm=1 km=1e3 dm=0.1 cm=1e-2 mm=1e-3 um=1e-6 microm=1e-6 nm=1e-9 pm=1e-12 ft=0.3048',
    'metre=1 meter=1 kilometre=1e3 kilometer=1e3 centimetre=1e-2 centimeter=1e-2 millimetre=1e-3 millimeter=1e-3 micrometre=1e-6 ' +
      'micrometer=1e-6 micron=1e-6 nanometre=1e-9 nanometer=1e-9 mile=1609.344 yard=0.9144 foot=0.3048 feet=0.3048 inch=0.0254 inches=0.0254',
  ],
  time: [
    's=1 ms=1e-3 us=1e-6 ns=1e-9 h=3600 d=86400',
    'sec=1 second=1 millisecond=1e-3 microsecond=1e-6 nanosecond=1e-9 min=60 minute=60 hr=3600 hour=3600 day=86400 wk=604800 week=604800',
  ],
  age: ['y=12', 'month=1 yr=12 year=12 decade=120 century=1200 centuries=1200'],
  volume: [
    'l=1 L=1 dl=0.1 dL=0.1 ml=1e-3 mL=1e-3 ul=1e-6 uL=1e-6',
    'litre=1 liter=1 decilitre=0.1 deciliter=0.1 millilitre=1e-3 milliliter=1e-3 microlitre=1e-6 microliter=1e-6',
  ],
  share: ['%=1', 'percent=1 prozent=1'],
  points: ['pp=1', 'percentage-point=1'],
  multiple: ['x=1', 'fold=1 time=1'],
  celsius: ['°C=1', 'celsius=1'],
  fahrenheit: ['°F=1', 'fahrenheit=1'],
  kelvin: ['K=1', 'kelvin=1'],
  angle: ['°=1', 'degree=1'],
  energy: [
    'J=1 kJ=1e3 MJ=1e6 cal=4.184 kcal=4184 eV=1.602176634e-19',
    'joule=1 kilojoule=1e3 calorie=4.184 kilocalorie=4184',
  ],
  power: ['W=1 kW=1e3 MW=1e6 GW=1e9', 'watt=1 kilowatt=1e3 megawatt=1e6 gigawatt=1e9'],
  frequency: ['Hz=1 kHz=1e3 MHz=1e6 GHz=1e9', 'hertz=1 kilohertz=1e3 megahertz=1e6 gigahertz=1e9'],
  pressure: ['Pa=1 kPa=1e3 mmHg=133.322 bar=1e5', 'pascal=1 kilopascal=1e3'],
  voltage: ['V=1 mV=1e-3 kV=1e3', 'volt=1 millivolt=1e-3 kilovolt=1e3'],
  amount: [
    'mol=1 mmol=1e-3 umol=1e-6 nmol=1e-9',
    'mole=1 millimole=1e-3 micromole=1e-6 nanomole=1e-9',
  ],
  concentration: [
    'M=1 mM=1e-3 uM=1e-6 nM=1e-9 pM=1e-12',
    'molar=1 millimolar=1e-3 micromolar=1e-6 nanomolar=1e-9',
  ],
  data: [
    'kB=1e3 MB=1e6 GB=1e9 TB=1e12',
    'byte=1 kilobyte=1e3 megabyte=1e6 gigabyte=1e9 terabyte=1e12',
  ],
  bases: ['bp=1 kb=1e3 Mb=1e6', 'kilobase=1e3 megabase=1e6'],
  dollar: ['$=1 USD=1', 'dollar=1'],
  euro: ['€=1 EUR=1', 'euro=1'],
  sterling: ['£=1 GBP=1', ''],
}

const symbols = indexUnits(0)
const names = indexUnits(1)

function indexUnits(column: 0 | 1): ReadonlyMap<string, Unit> {
  const found = new Map<string, Unit>()
  for (const [dimension, columns] of Object.entries(unitTable)) {
    for (const entry of columns[column].split(' ')) {
      const [name = '', factor] = entry.split('=')
      if (name !== '') found.set(name, { dimension, factor: Number(factor) })
    }
  }
  return found
}
