import { extname } from 'node:path'
import { doBounded } from '../../../tools/bounded/bounded-work.ts'
import { failCall } from '../files/code-workspace.ts'

/** What lines are searched for. */
export interface Pattern {
  readonly text: string
  readonly isLiteral: boolean
  readonly ignoresCase: boolean
}

/** Indexes of the matching lines of a file. */
export type FittingLines = readonly number[]

/** Maximum time for the lines of one file, and for those of a batch. */
const timeoutMs = 500

/**
 * The matching lines of each file; `undefined` for a file that took too long, since some expressions backtrack
 * forever.
 * @throws `tool_failed` for an invalid expression, or the signal's reason
 */
export async function findLines(
  pattern: Pattern,
  files: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<readonly (FittingLines | undefined)[]> {
  const expression = compilePattern(pattern)
  if (pattern.isLiteral || !/[*+{]/.test(pattern.text))
    return files.map((lines) => findIndexes(expression, lines))
  const bounded = (some: typeof files) =>
    doBounded(lineWork, [expression.source, expression.flags, some], { timeoutMs, signal })
  const together = await bounded(files)
  if (together.ok) return together.value
  const found: (FittingLines | undefined)[] = []
  for (const lines of files) {
    const one = await bounded([lines])
    found.push(one.ok ? one.value[0] : undefined)
  }
  return found
}

const lineWork = {
  run: findFittingLines,
  script: new URL(`./line-thread${extname(import.meta.url)}`, import.meta.url),
  name: 'findFittingLines',
}

/** Like {@link findLines}, without a time limit. */
export function findFittingLines(
  source: string,
  flags: string,
  files: readonly (readonly string[])[],
): readonly FittingLines[] {
  const expression = new RegExp(source, flags)
  return files.map((lines) => findIndexes(expression, lines))
}

function findIndexes(expression: RegExp, lines: readonly string[]): FittingLines {
  return lines.flatMap((line, index) => (expression.test(line) ? [index] : []))
}

/** Accepts syntax of other engines: `(?i)` at the start, and a backslash before any punctuation. */
export function normalizePattern(pattern: Pattern): Pattern {
  if (pattern.isLiteral) return pattern
  const [flag = ''] = /^\(\?i\)/.exec(pattern.text) ?? []
  const text = pattern.text
    .slice(flag.length)
    .replaceAll(/\\([\s\S])/g, (whole, sign: string) =>
      /[!"#%&',:;<=>@_`~ ]/.test(sign) ? sign : whole,
    )
  return { ...pattern, text, ignoresCase: pattern.ignoresCase || flag !== '' }
}

function compilePattern({ text, isLiteral, ignoresCase }: Pattern): RegExp {
  const source = isLiteral ? escapeText(text) : text
  const flags = ignoresCase ? 'i' : ''
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    try {
      return new RegExp(source, flags)
    } catch (error) {
      return failCall(
        `The pattern is not a regular expression: ${(error as Error).message}`,
        'Say literal: true to search for the text as it is.',
      )
    }
  }
}

const sets: Readonly<Record<string, string>> = { d: '0-9', w: '0-9A-Za-z_', s: '\\t\\x0B\\x0C\\r ' }
const escaped = '\\\\[.*+?()[\\]{}|\\\\^$/-]'
const setPart = `(?:\\\\[dws]|${escaped}|[A-Za-z0-9]-[A-Za-z0-9]|[^\\\\[\\]&~^\\n-])`
const portableParts = new RegExp(
  `\\[\\^?${setPart}+\\]|\\\\[dwsb]|${escaped}|\\(\\?:|[.^|()]|[$]$|[*+?]\\??|\\{\\d{1,3}(?:,\\d{0,3})?\\}\\??|[^\\\\^$.*+?()[\\]{}|\\n]`,
  'uy',
)

/**
 * An expression with which ripgrep finds at least every file with a matching line; `undefined` if the engines may
 * disagree. They may differ beyond ASCII, so files with other characters are always included.
 * @see https://docs.rs/regex/latest/regex/#syntax
 */
export function toRipgrepPattern(pattern: Pattern): string | undefined {
  const translated = pattern.isLiteral
    ? escapeForRipgrep(pattern.text)
    : translateToRipgrep(pattern.text)
  return translated === undefined ? undefined : `(?:${translated})|(?-u:[\\x80-\\xFF])`
}

function escapeForRipgrep(text: string): string | undefined {
  return text.includes('\n') ? undefined : escapeText(text)
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function translateToRipgrep(text: string): string | undefined {
  try {
    new RegExp(text, 'u')
  } catch {
    return undefined
  }
  let translated = ''
  for (let at = 0; at < text.length; ) {
    portableParts.lastIndex = at
    const [part] = portableParts.exec(text) ?? []
    if (part === undefined) return undefined
    translated += translatePart(part)
    at += part.length
  }
  return translated
}

function translatePart(part: string): string {
  if (part === '\\b') return '(?-u:\\b)'
  // In ripgrep only `\n` of `\r\n` ends a line.
  if (part === '$') return '\\r?$'
  if (part.startsWith('['))
    return part.replaceAll(/\\([dws])/g, (_, name: string) => sets[name] ?? '')
  const set = /^\\([dws])$/.exec(part)?.[1]
  return set === undefined ? part : `[${sets[set]}]`
}
