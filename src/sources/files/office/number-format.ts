/** How a workbook displays numbers: its date origin and the format code of each cell style. */
export interface NumberFormats {
  readonly is1904: boolean
  /** The format code of a cell style; `General` if it has none. */
  codeOf(style: string | undefined): string
}

/**
 * Predefined formats without a code in the file.
 * @see ECMA-376 part 1, 18.8.30
 */
const builtIn: Readonly<Record<string, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
}

/** The code of a number format, by its id and the workbook's own formats. */
export function formatCode(id: string, defined: ReadonlyMap<string, string>): string {
  const code = defined.get(id) ?? builtIn[id] ?? 'General'
  return code.length > maxCodeUnits ? 'General' : code
}

/** Maximum length of a code, as in spreadsheet programs. */
const maxCodeUnits = 255
/** Maximum number of decimals displayed. */
const maxDecimals = 20
/** Maximum significant digits of a number. */
const maxZeros = 15

/**
 * Formats a number as its cell displays it: dates and times in ISO format, percentages, currencies, thousands
 * separators. If the code is not fully understood, the number is unformatted, so that it is never wrong.
 */
export function formatNumber(value: number, code: string, is1904: boolean): string {
  return formatShown(value, code, is1904) ?? formatPlain(value)
}

function formatShown(value: number, code: string, is1904: boolean): string | undefined {
  const section = sectionFor(value, code)
  if (section === undefined) return undefined
  const { use } = section
  const marks = section.marks.filter(({ kind }) => kind !== 'condition')
  const has = (...kinds: readonly FormatMark['kind'][]) =>
    marks.some(({ kind }) => kinds.includes(kind))
  if (has('general')) return undefined
  if (has('date', 'elapsed')) return formatDate(value, marks, is1904)
  if (has('slash')) return undefined
  if (value < 0 && use === 'condition') return undefined
  // A colour alone may mark negative numbers, and is not read.
  if (use === 'negative' && !/[-(\u2212]/.test(joinText(marks, 'literal'))) return undefined
  const shown = use === 'negative' ? -value : value
  return has('exponent') ? formatExponent(shown, marks) : formatDecimal(shown, marks)
}

/** A number without a format, as spreadsheets show it: 15 digits, so that decimal sums come out even. */
function formatPlain(value: number): string {
  return String(Number(value.toPrecision(15)))
}

function joinText(marks: readonly FormatMark[], ...kinds: readonly FormatMark['kind'][]): string {
  return marks.map(({ kind, text }) => (kinds.includes(kind) ? text : '')).join('')
}

function formatExponent(value: number, marks: readonly FormatMark[]): string | undefined {
  const places = /^0(?:\.(0+))?e[+-]0+$/i.exec(marks.map(({ text }) => text).join(''))
  return places === null
    ? undefined
    : value.toExponential(Math.min(places[1]?.length ?? 0, maxDecimals))
}

/** Integer places with thousands commas, scaling commas, decimals, scaling commas. */
const placeMarks = /^((?:[0#?][0#?,]*)?[0#?])?(,*)(?:\.([0#?]*)(,*))?$/

function formatDecimal(value: number, marks: readonly FormatMark[]): string | undefined {
  const from = marks.findIndex(({ kind }) => kind === 'digit')
  const to = marks.findLastIndex(({ kind }) => kind === 'digit') + 1
  const inside = marks.slice(from, to)
  const places = placeMarks.exec(joinText(inside, 'digit'))
  const percents = joinText(marks, 'percent').length
  if (from < 0 || places === null || percents > 1) return undefined
  const [, whole = '', commas = '', decimals = '', moreCommas = ''] = places
  const percent = percents === 1 ? 100 : 1
  const scaled = (value * percent) / 1_000 ** (commas.length + moreCommas.length)
  const least = decimals.replace(/[^0]/g, '').length
  const zeros = whole.replace(/[^0]/g, '').length
  if (`${whole}${decimals}` === '' || zeros > maxZeros || decimals.length > maxDecimals)
    return undefined
  const number = new Intl.NumberFormat('en-US', {
    minimumIntegerDigits: Math.max(zeros, 1),
    minimumFractionDigits: least,
    maximumFractionDigits: decimals.length,
    useGrouping: whole.includes(','),
  }).format(Number(scaled.toPrecision(15)))
  // Without a place for zeros, the cell shows no digit, like the "-" in accounting.
  if (zeros + least === 0 && !/[1-9]/.test(number)) return undefined
  const sign = number.startsWith('-') ? '-' : ''
  const placed = withLiterals(number.slice(sign.length), inside, sign)
  if (placed === undefined) return undefined
  const around = (some: readonly FormatMark[]) => joinText(some, 'literal', 'percent')
  return `${sign}${around(marks.slice(0, from))}${placed}${around(marks.slice(to))}`.trim()
}

/** A number's digits with literals between the integer places, as in `000-0000`. */
function withLiterals(
  number: string,
  inside: readonly FormatMark[],
  sign: string,
): string | undefined {
  if (inside.every(({ kind }) => kind === 'digit')) return number
  const [whole = '', decimals] = number.split('.')
  const point = inside.findIndex(({ text, kind }) => kind === 'digit' && text === '.')
  const places = point < 0 ? inside : inside.slice(0, point)
  const after = point < 0 ? [] : inside.slice(point)
  const isSure =
    after.every(({ kind }) => kind === 'digit') && !joinText(places, 'digit').includes(',')
  if (!isSure || sign !== '' || places.some(({ kind }) => kind === 'percent')) return undefined
  let left = whole.length
  let placed = ''
  for (const { kind, text } of places.toReversed()) {
    if (left > 0) placed = (kind === 'digit' ? whole[--left] : text) + placed
    // A place without a digit is left out, but a text before the first digit might read like a sign.
    else if (kind !== 'digit' || text === '0') return undefined
  }
  const written = whole.slice(0, left) + placed
  return decimals === undefined ? written : `${written}.${decimals}`
}

const msPerDay = 86_400_000
/** Day 0 of the 1900 calendar, which has a nonexistent 29 February 1900. */
const dayZero1900 = Date.UTC(1899, 11, 30)
const dayZero1904 = Date.UTC(1904, 0, 1)
/** The last day spreadsheets know: 31 December 9999. */
const maxDays = 2_958_466

function formatDate(
  value: number,
  marks: readonly FormatMark[],
  is1904: boolean,
): string | undefined {
  const letters = joinText(marks, 'date', 'elapsed', 'digit', 'percent', 'exponent').replace(
    /,/g,
    '',
  )
  const isFine = /s\.0{1,3}/.test(letters)
  // In dates, digit places are only valid for fractions of a second.
  if (/[^ymdhsg.]/.test(letters.replace(/s\.0{1,3}/, 's'))) return undefined
  if (value < 0 || value >= maxDays) return undefined
  const rounded = isFine ? Math.round(value * msPerDay) : Math.round(value * 86_400) * 1_000
  if (marks.some(({ kind }) => kind === 'elapsed')) return formatElapsed(rounded, isFine)
  const isEarly = !is1904 && value < 61
  const shift = isEarly ? msPerDay : 0
  const iso = new Date((is1904 ? dayZero1904 : dayZero1900) + rounded + shift).toISOString()
  const hasTime = /[hs]/.test(letters)
  const hasDate = /[yd]/.test(letters) || (!hasTime && letters.includes('m'))
  const isMonth = !letters.includes('d') && letters.includes('y')
  const isYear = isMonth && !letters.includes('m')
  const date = isYear ? iso.slice(0, 4) : isMonth ? iso.slice(0, 7) : iso.slice(0, 10)
  const time = iso.slice(11, isFine ? 23 : letters.includes('s') ? 19 : 16)
  return [...(hasDate ? [date] : []), ...(hasTime ? [time] : [])].join(' ')
}

function formatElapsed(ms: number, isFine: boolean): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  const seconds = ms / 1_000
  const rest = isFine ? `.${String(ms % 1_000).padStart(3, '0')}` : ''
  return `${Math.floor(seconds / 3_600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}${rest}`
}

/** A mark of a format code. `date` letters are lower case, with era years as `y`. */
interface FormatMark {
  readonly kind:
    | 'literal'
    | 'digit'
    | 'percent'
    | 'exponent'
    | 'slash'
    | 'date'
    | 'elapsed'
    | 'condition'
    | 'general'
  readonly text: string
}

/** A section of a format code, and whether it has a condition of its own. */
interface FormatSection {
  readonly marks: readonly FormatMark[]
  readonly use: 'sign' | 'condition' | 'negative'
}

const markPattern =
  /"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[([^\]]*)\]|(general|@)|(am\/pm|a\/p)|(e[+-])|([ymdhsgeb])|([0#?.,])|(%)|(\/)|([^a-z"\\[\]_*])/giy
const condition = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i
/** Colours and digit scripts, which do not change the number. */
const looks = /^(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+|(?:db|nat)num\d+)$/i

/**
 * The section of a format code that applies to a number: by its conditions, else by the number's sign. `undefined` if
 * the code is not fully understood or no section applies.
 * @see ECMA-376 part 1, 18.8.31
 */
function sectionFor(value: number, code: string): FormatSection | undefined {
  const all = splitSections(code)
  if (all === undefined) return undefined
  // A fourth section is for texts.
  const sections = all.slice(0, 3)
  const conditions = sections.map(readCondition)
  if (conditions.every((holds) => holds === undefined)) return sectionBySign(value, sections)
  const [first, second, third] = conditions
  if (first === undefined || third !== undefined) return undefined
  const chosen = first(value) ? 0 : chooseOtherwise(value, second, sections.length)
  const marks = chosen === undefined ? undefined : sections[chosen]
  return marks === undefined ? undefined : { marks, use: 'condition' }
}

/** Programs disagree on three sections of which only the first has a condition. */
function chooseOtherwise(
  value: number,
  second: Condition | undefined,
  count: number,
): number | undefined {
  if (second === undefined) return count === 2 ? 1 : undefined
  return second(value) ? 1 : 2
}

function sectionBySign(
  value: number,
  sections: readonly (readonly FormatMark[])[],
): FormatSection | undefined {
  const isNegative = value < 0 && sections.length > 1
  const marks = sections[isNegative ? 1 : value === 0 && sections.length > 2 ? 2 : 0]
  return marks && { marks, use: isNegative ? 'negative' : 'sign' }
}

function splitSections(code: string): readonly (readonly FormatMark[])[] | undefined {
  const sections: FormatMark[][] = [[]]
  let end = 0
  for (const found of code.matchAll(markPattern)) {
    if (found.index !== end) return undefined
    end += found[0].length
    if (found[0] === ';') sections.push([])
    else {
      const mark = toMark(found)
      if (mark === undefined) return undefined
      sections.at(-1)?.push(mark)
    }
  }
  return end === code.length ? sections : undefined
}

function toMark(found: RegExpMatchArray): FormatMark | undefined {
  const [, quoted, escaped, currency, bracket, general, noon, exponent, letter, ...rest] = found
  const [digit, percent, slash, bare] = rest
  if (bracket !== undefined) return bracketMark(bracket)
  if (general !== undefined) return { kind: 'general', text: general }
  if (noon !== undefined) return { kind: 'date', text: '' }
  if (exponent !== undefined) return { kind: 'exponent', text: exponent }
  if (letter !== undefined) return { kind: 'date', text: letter.toLowerCase().replace(/[eb]/, 'y') }
  if (digit !== undefined) return { kind: 'digit', text: digit }
  if (percent !== undefined) return { kind: 'percent', text: percent }
  if (slash !== undefined) return { kind: 'slash', text: slash }
  return { kind: 'literal', text: quoted ?? escaped ?? currency ?? bare ?? '' }
}

function bracketMark(inside: string): FormatMark | undefined {
  if (/^(?:h+|m+|s+)$/i.test(inside)) return { kind: 'elapsed', text: inside.toLowerCase() }
  if (condition.test(inside)) return { kind: 'condition', text: inside }
  return looks.test(inside) ? { kind: 'literal', text: '' } : undefined
}

type Condition = (value: number) => boolean

function readCondition(marks: readonly FormatMark[]): Condition | undefined {
  const written = marks.find(({ kind }) => kind === 'condition')?.text
  const parts = condition.exec(written ?? '')
  if (parts === null) return undefined
  const bound = Number(parts[2])
  const compare: Readonly<Record<string, Condition>> = {
    '<': (value) => value < bound,
    '<=': (value) => value <= bound,
    '>': (value) => value > bound,
    '>=': (value) => value >= bound,
    '=': (value) => value === bound,
    '<>': (value) => value !== bound,
  }
  return compare[parts[1] as string]
}
