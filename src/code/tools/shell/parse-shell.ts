import {
  type ShellCommand,
  type ShellRedirect,
  type ShellWord,
  Unparsable,
} from './shell-command.ts'

/** A command under construction, and whether it was in parentheses. */
interface GrowingCommand {
  readonly words: ShellCommand['words'][number][]
  readonly assignments: string[]
  readonly redirects: ShellRedirect[]
  isGroup: boolean
  isConcurrent: boolean
}

const reserved = new Set(
  '! [[ ]] { } case coproc do done elif else esac fi for function if in select then time until while'.split(
    ' ',
  ),
)
const maxLineCharacters = 20_000
const maxDepth = 20

/**
 * Parses a line into its commands in the order written, including those in `$(…)` and in parentheses: everything the
 * shell may run. `undefined` for unsupported syntax: loops, conditions, functions, here-documents, backquotes,
 * arithmetic.
 */
export function parseShell(line: string): readonly ShellCommand[] | undefined {
  if (line.includes('\0') || line.length > maxLineCharacters) return undefined
  const found: GrowingCommand[] = []
  try {
    readList({ line, at: 0 }, found, 0)
  } catch (error) {
    if (error instanceof Unparsable) return undefined
    throw error
  }
  return found
}

/** Reads commands up to the end of the line or, in parentheses, up to the closing one. */
function readList(source: ShellText, found: GrowingCommand[], depth: number): void {
  if (depth > maxDepth) throw new Unparsable('too many brackets')
  const begin = found.length
  let [separator, isBeside] = ['', false]
  for (;;) {
    skipBlank(source, true)
    const character = source.line[source.at]
    if (character === undefined || character === ')') {
      const needsCommand = isPipe(separator) || /^(?:&&|\|\|)$/.test(separator)
      if (needsCommand || depth > 0 !== (character === ')')) throw new Unparsable('an end')
      source.at += 1
      return
    }
    const [last, before] = [found.length, separator]
    readCommand(source, found, depth)
    separator = readSeparator(source)
    isBeside ||= separator === '&'
    if (isBeside || isPipe(before) || isPipe(separator))
      for (const one of found.slice(separator === '&' ? begin : last)) one.isConcurrent = true
  }
}

function isPipe(separator: string): boolean {
  return separator === '|' || separator === '|&'
}

/** Reads what separates two commands. */
function readSeparator(source: ShellText): string {
  skipBlank(source, false)
  const operator = /(?:&&|\|\||\|&|[|;&\n])?/y
  operator.lastIndex = source.at
  const [written = ''] = operator.exec(source.line) ?? []
  source.at += written.length
  if (written === '' && ![undefined, ')'].includes(source.line[source.at]))
    throw new Unparsable('something between commands')
  return written
}

/** Skips blanks, comments and escaped line ends, and line ends where they mean nothing. */
function skipBlank(source: ShellText, withLineEnds: boolean): void {
  const blank = withLineEnds ? /(?:[ \t\n](?:\\\n)*|#[^\n]*)*/y : /(?:[ \t](?:\\\n)*|#[^\n]*)*/y
  blank.lastIndex = source.at
  source.at += blank.exec(source.line)?.[0].length ?? 0
}

function readCommand(source: ShellText, found: GrowingCommand[], depth: number): void {
  const command: GrowingCommand = {
    words: [],
    assignments: [],
    redirects: [],
    isGroup: false,
    isConcurrent: false,
  }
  const inner: GrowingCommand[] = []
  const substitution = (from: ShellText) => readList(from, inner, depth + 1)
  for (let isFirst = true; ; isFirst = false) {
    skipBlank(source, false)
    const character = source.line[source.at]
    if (readRedirect(source, command, substitution)) continue
    if (isFirst && character === '(') readGroup(source, command, inner, depth)
    else if (isWordEnd(character)) break
    else readPart(source, command, substitution)
  }
  if (command.words.length + command.assignments.length + command.redirects.length > 0)
    found.push(command)
  else if (!command.isGroup) throw new Unparsable('no command')
  found.push(...inner)
}

function readGroup(
  source: ShellText,
  command: GrowingCommand,
  inner: GrowingCommand[],
  depth: number,
): void {
  if (source.line[source.at + 1] === '(') throw new Unparsable('arithmetic')
  const before = inner.length
  source.at += 1
  readList(source, inner, depth + 1)
  if (inner.length === before) throw new Unparsable('empty brackets')
  command.isGroup = true
}

function readPart(
  source: ShellText,
  command: GrowingCommand,
  substitution: (from: ShellText) => void,
): void {
  if (command.isGroup) throw new Unparsable('a word after brackets')
  const from = source.at
  const word = readWord(source, substitution)
  const written = source.line.slice(from, source.at)
  // Bash takes some of these for a redirect's number, some for a word.
  if (/^\d+$/.test(written) && /[<>]/.test(source.line[source.at] ?? ''))
    throw new Unparsable('a long number before a redirect')
  if (command.words.length > 0) command.words.push(word)
  else if (/^[A-Za-z_]\w*\[/.test(written)) throw new Unparsable('a part of an array')
  else if (/^[A-Za-z_]\w*\+?=/.test(written)) command.assignments.push(written)
  else if (reserved.has(written)) throw new Unparsable(`the word ${written}`)
  else command.words.push(word)
}

const redirect = /(?:\d{0,2}(<<<|<<|>>|>\||>&|<&|<>|>|<)|(&>>|&>))/y

function readRedirect(
  source: ShellText,
  command: GrowingCommand,
  substitution: (from: ShellText) => void,
): boolean {
  redirect.lastIndex = source.at
  const [written, numbered, both] = redirect.exec(source.line) ?? []
  const operator = numbered ?? both
  if (written === undefined || operator === undefined) return false
  source.at += written.length
  if (operator === '<<' || (/^[<>]$/.test(operator) && source.line[source.at] === '('))
    throw new Unparsable(operator)
  skipBlank(source, false)
  if (isWordEnd(source.line[source.at])) throw new Unparsable('a redirect to nothing')
  const target = readWord(source, substitution)
  // To Bash this is the number of another redirect.
  if (/^\d+$/.test(target.text) && /[<>]/.test(source.line[source.at] ?? ''))
    throw new Unparsable('a number before a redirect')
  command.redirects.push({ operator, target })
  return true
}

/** A line and the position up to which it was read. */
interface ShellText {
  readonly line: string
  at: number
}

/** A word under construction. */
interface GrowingWord {
  text: string
  pattern: string
  isLiteral: boolean
}

/** Reads the commands of `$(…)` up to its closing parenthesis. */
type ReadSubstitution = (source: ShellText) => void

const endsWord = /[\s;&|<>()]/
const blankOrEnd = /[ \t\n;&|<>()]/

/** Whether a character ends an unquoted word. Of all white space, only spaces, tabs and line ends do. */
function isWordEnd(character: string | undefined): boolean {
  return character === undefined || (endsWord.test(character) && blankOrEnd.test(character))
}

/**
 * Reads a word by the shell's quoting rules: POSIX with Bash's braces and tildes.
 * @throws {@link Unparsable} for backquotes, arithmetic, `$'…'` and expansions with operators
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
 */
function readWord(source: ShellText, substitution: ReadSubstitution): ShellWord {
  const word: GrowingWord = { text: '', pattern: '', isLiteral: true }
  while (!isWordEnd(source.line[source.at])) readUnquoted(source, word, substitution)
  return word
}

function readUnquoted(source: ShellText, word: GrowingWord, substitution: ReadSubstitution): void {
  const { line, at } = source
  const character = line[at] as string
  if (character === '`') throw new Unparsable('back-quotes')
  if (character === '\\') readEscaped(source, word)
  else if (character === "'") readSingleQuoted(source, word)
  else if (character === '"') readDoubleQuoted(source, word, substitution)
  else if (character === '$') readDollar(source, word, substitution, false)
  else {
    if (isExpanded(source, word)) word.isLiteral = false
    source.at = at + 1
    word.text += character
    word.pattern += character
  }
}

/**
 * `{}`, as in `find` and `xargs`. Followed by a comma or two dots, Bash may expand it: `a{},b}` becomes `a}` and `ab`.
 */
const emptyBraces = /^\{\}(?:(?!,|\.\.)[^\s;&|<>()'"\\$`]){0,200}(?:[\s;&|<>()]|$)/

/** Whether an unquoted character makes the shell substitute something. */
function isExpanded({ line, at }: ShellText, { text }: GrowingWord): boolean {
  const character = line[at] as string
  if ('*?['.includes(character)) return true
  if (character === '{') return !emptyBraces.test(line.slice(at, at + 210))
  return character === '~' && (text === '' || /[:=]$/.test(text))
}

function readEscaped(source: ShellText, word: GrowingWord): void {
  const next = source.line[source.at + 1]
  if (next === undefined) throw new Unparsable('a backslash at the end')
  // The shell removes it before it splits words, so that its neighbours may combine to something else.
  if (next === '\n') throw new Unparsable('a line that goes on within a word')
  source.at += 2
  addQuoted(word, next)
}

function readSingleQuoted(source: ShellText, word: GrowingWord): void {
  const end = source.line.indexOf("'", source.at + 1)
  if (end === -1) throw new Unparsable('a quote without its end')
  addQuoted(word, source.line.slice(source.at + 1, end))
  source.at = end + 1
}

function readDoubleQuoted(
  source: ShellText,
  word: GrowingWord,
  substitution: ReadSubstitution,
): void {
  source.at += 1
  for (;;) {
    const character = source.line[source.at]
    const next = source.line[source.at + 1]
    if (character === undefined) throw new Unparsable('a quote without its end')
    if (character === '"') break
    if (character === '`') throw new Unparsable('back-quotes')
    if (character === '$') readDollar(source, word, substitution, true)
    else if (character === '\\' && next !== undefined && '$`"\\\n'.includes(next)) {
      readEscaped(source, word)
    } else {
      source.at += 1
      addQuoted(word, character)
    }
  }
  source.at += 1
}

function readDollar(
  source: ShellText,
  word: GrowingWord,
  substitution: ReadSubstitution,
  isQuoted: boolean,
): void {
  const { line, at } = source
  const next = line[at + 1]
  const variable = findVariable(line, at + 1)
  if (next === '(') {
    if (line[at + 2] === '(') throw new Unparsable('arithmetic')
    source.at = at + 2
    substitution(source)
    addExpansion(word, line.slice(at, source.at))
  } else if (variable !== undefined) {
    source.at = at + 1 + variable.length
    addExpansion(word, `$${variable}`)
  } else if (next !== undefined && (isQuoted ? '{[' : `{['"`).includes(next)) {
    throw new Unparsable('an expansion that is not a plain variable')
  } else {
    source.at = at + 1
    addQuoted(word, '$')
  }
}

/** The variable name that begins here, including braces. */
function findVariable(line: string, at: number): string | undefined {
  const variable = /(?:[A-Za-z_]\w*|[\d?$#@*!-]|\{(?:[A-Za-z_]\w*|\d+)\})/y
  variable.lastIndex = at
  return variable.exec(line)?.[0]
}

function addExpansion(word: GrowingWord, written: string): void {
  word.isLiteral = false
  word.text += written
  word.pattern += written
}

function addQuoted(word: GrowingWord, text: string): void {
  word.text += text
  word.pattern += text.replaceAll(/[\\*]/g, '\\$&')
}
