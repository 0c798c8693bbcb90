/** One mark of a format code. `date` letters are in lower case, with years of eras as `y`. */
export interface FormatMark {
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

/** A section of a format code, and whether the section says by itself which numbers it is for. */
export interface FormatSection {
  readonly marks: readonly FormatMark[]
  readonly use: 'sign' | 'condition' | 'negative'
}

const MARK =
  /"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[([^\]]*)\]|(general|@)|(am\/pm|a\/p)|(e[+-])|([ymdhsgeb])|([0#?.,])|(%)|(\/)|([^a-z"\\[\]_*])/giy
const CONDITION = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/i
/** Colours, and figures of other scripts: they leave the number as it is. */
const LOOKS = /^(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+|(?:db|nat)num\d+)$/i

/**
 * The section of a format code that a number is shown with: by its conditions, else by the number's sign. `undefined` where the code
 * is not wholly understood or no section is for this number.
 *
 * @see ECMA-376 part 1, 18.8.31
 */
export function sectionFor(value: number, code: string): FormatSection | undefined {
  const all = sectionsOf(code)
  if (all === undefined) return undefined
  // A fourth section is for texts.
  const sections = all.slice(0, 3)
  const conditions = sections.map(conditionOf)
  if (conditions.every((holds) => holds === undefined)) return sectionBySign(value, sections)
  const [first, second, third] = conditions
  if (first === undefined || third !== undefined) return undefined
  const chosen = first(value) ? 0 : otherwise(value, second, sections.length)
  const marks = chosen === undefined ? undefined : sections[chosen]
  return marks === undefined ? undefined : { marks, use: 'condition' }
}

/** Programs differ on three sections of which only the first has a condition. */
function otherwise(
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

function sectionsOf(code: string): readonly (readonly FormatMark[])[] | undefined {
  const sections: FormatMark[][] = [[]]
  let end = 0
  for (const found of code.matchAll(MARK)) {
    if (found.index !== end) return undefined
    end += found[0].length
    if (found[0] === ';') sections.push([])
    else {
      const mark = markOf(found)
      if (mark === undefined) return undefined
      sections.at(-1)?.push(mark)
    }
  }
  return end === code.length ? sections : undefined
}

function markOf(found: RegExpMatchArray): FormatMark | undefined {
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
  if (CONDITION.test(inside)) return { kind: 'condition', text: inside }
  return LOOKS.test(inside) ? { kind: 'literal', text: '' } : undefined
}

type Condition = (value: number) => boolean

function conditionOf(marks: readonly FormatMark[]): Condition | undefined {
  const written = marks.find(({ kind }) => kind === 'condition')?.text
  const parts = CONDITION.exec(written ?? '')
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
