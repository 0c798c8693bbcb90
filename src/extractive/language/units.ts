/** What a number may measure. */
export type Dimension =
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'time'
  | 'speed'
  | 'temperature'
  | 'money'
  | 'share'
  | 'data'
  | 'energy'
  | 'power'
  | 'pressure'
  | 'angle'

interface Unit {
  readonly dimension: Dimension
  /** The name that calculators know. */
  readonly symbol: string
}

/** `symbol: names` by dimension; the symbol itself is always a name. */
const table: Readonly<Record<Exclude<Dimension, 'money' | 'share'>, string>> = {
  length:
    'mm: millimetre millimetres millimeter millimeters|cm: centimetre centimetres centimeter centimeters|m: metre metres meter meters|' +
    'km: kilometre kilometres kilometer kilometers kms|mi: mile miles|yd: yard yards|ft: foot feet|in: inch inches|' +
    'um: micrometre micrometres micrometer micrometers micron microns μm µm|nm: nanometre nanometres nanometer nanometers|' +
    'lightyear: light-year light-years|fathom: fathoms',
  area: 'm2: |km2: |hectare: hectares ha|acre: acres',
  volume:
    'mL: ml millilitre millilitres milliliter milliliters|cL: cl centilitre centilitres centiliter centiliters|L: l litre litres liter liters|' +
    'gallon: gallons|pint: pints|quart: quarts|cup: cups|tablespoon: tablespoons tbsp|teaspoon: teaspoons tsp|floz: |m3: ',
  mass:
    'ug: microgram micrograms μg µg|mg: milligram milligrams milligramme milligrammes|g: gram grams gramme grammes|' +
    'kg: kilogram kilograms kilo kilos kilogramme kilogrammes|tonne: tonnes|ton: tons|lb: lbs pound pounds|oz: ounce ounces|stone: stones|dalton: daltons kDa',
  time:
    'ns: nanosecond nanoseconds|us: microsecond microseconds μs µs|ms: millisecond milliseconds|s: second seconds sec secs|' +
    'minute: minutes min mins|hour: hours hr hrs h|day: days|week: weeks|month: months|year: years yr yrs|decade: decades|century: centuries',
  speed: 'mph: |km/h: kmh kph|m/s: |knot: knots|ft/s: fps',
  temperature: 'degC: celsius centigrade °c|degF: fahrenheit °f|K: kelvin kelvins',
  data: 'bit: bits|byte: bytes|kB: KB kilobyte kilobytes|MB: mb megabyte megabytes|GB: gb gigabyte gigabytes|TB: tb terabyte terabytes',
  energy:
    'J: joule joules|kJ: kilojoule kilojoules|kcal: calorie calories kilocalorie kilocalories|kWh: kwh|eV: ',
  power: 'W: watt watts|kW: kw kilowatt kilowatts|MW: megawatt megawatts|hp: horsepower',
  pressure:
    'Pa: pascal pascals|kPa: kilopascal kilopascals|bar: bars|psi: |atm: atmosphere atmospheres',
  angle: 'deg: degree degrees °|rad: radian radians',
}

const units: ReadonlyMap<string, Unit> = readTable()

function readTable(): ReadonlyMap<string, Unit> {
  const found = new Map<string, Unit>()
  for (const [dimension, lines] of Object.entries(table) as [
    Exclude<Dimension, 'money' | 'share'>,
    string,
  ][]) {
    for (const line of lines.split('|')) {
      const [symbol, names] = line.split(':') as [string, string]
      for (const name of [symbol, ...names.trim().split(' ')])
        if (name !== '') found.set(name, { dimension, symbol })
    }
  }
  return found
}

/** Finds the unit of a name ("kilometres per hour", "km/h", "degrees Celsius", "square miles"). */
export function findUnit(name: string): Unit | undefined {
  const trimmed = name.trim().replace(/\.$/, '')
  return (
    lookUpUnit(trimmed) ??
    lookUpUnit(trimmed.toLowerCase()) ??
    findComposedUnit(trimmed.toLowerCase())
  )
}

function lookUpUnit(name: string): Unit | undefined {
  return units.get(name)
}

function findComposedUnit(name: string): Unit | undefined {
  const degrees = /^(?:degrees?|deg|°)?\s*(celsius|centigrade|fahrenheit|kelvin|c|f)$/.exec(name)
  if (degrees !== null) return lookUpUnit(degreeNames[(degrees[1] as string)[0] as string] ?? '')
  const power = /^(square|sq\.?|cubic)\s+(.+)$/.exec(name)
  if (power !== null) {
    const base = lookUpUnit(power[2] as string)
    const exponent = power[1] === 'cubic' ? 3 : 2
    if (base?.dimension !== 'length') return undefined
    return { dimension: exponent === 3 ? 'volume' : 'area', symbol: `${base.symbol}^${exponent}` }
  }
  const rate = /^(.+?)\s*(?:\/|\bper\b|\ban?\b)\s*(.+)$/.exec(name)
  if (rate === null) return undefined
  const top = lookUpUnit(rate[1] as string)
  const bottom = lookUpUnit(rate[2] as string)
  if (top?.dimension !== 'length' || bottom?.dimension !== 'time') return undefined
  return {
    dimension: 'speed',
    symbol: `${top.symbol}/${bottom.symbol === 'hour' ? 'h' : bottom.symbol}`,
  }
}

const degreeNames: Readonly<Record<string, string>> = { c: 'celsius', f: 'fahrenheit', k: 'kelvin' }

/** What the words right after a number measure ("kilometres a year": speed), or `undefined`. */
export function findDimensionAfter(words: readonly string[]): Dimension | undefined {
  const [first = '', second = '', third = ''] = words
  const next = first.toLowerCase()
  if (/^(?:percent|percentage|per)$/.test(next) && (next !== 'per' || /^cent/i.test(second)))
    return 'share'
  if (
    /^(?:dollars?|euros?|cents|yen|yuan|francs?|crowns?|krona|kron(?:er|or)|rupees?|rou?bles?|pesos?|lire|shillings?|guilders?|guineas?|usd|eur|gbp)$/.test(
      next,
    )
  )
    return 'money'
  if (/^(?:million|billion|trillion|thousand|hundred)$/.test(next))
    return findDimensionAfter(words.slice(1))
  if (/^(?:square|cubic|degrees?|nautical)$/.test(next))
    return findUnit(`${next} ${second}`)?.dimension ?? lookUpUnit(second)?.dimension
  const unit = notAfterNumbers.has(next) ? undefined : findUnit(first)
  if (unit?.dimension === 'length' && isRate(second) && findUnit(third)?.dimension === 'time')
    return 'speed'
  return unit?.dimension
}

/** Symbols that are words in running text ("in 1926 in Paris", "the 1990s"). */
const notAfterNumbers: ReadonlySet<string> = new Set(['in', 's', 'us', 'a'])

function isRate(word: string): boolean {
  return word === 'per' || word === 'a' || word === 'an' || word === 'each' || word === 'every'
}
