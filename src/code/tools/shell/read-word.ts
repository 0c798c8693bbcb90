import { type ShellWord, Unparsable } from './shell-command.ts'

/** A line with the place up to which it was read. */
export interface ShellText {
  readonly line: string
  at: number
}

/** A word under construction. */
interface Growing {
  text: string
  pattern: string
  isLiteral: boolean
}

/** Reads the commands of `$(…)` up to its closing bracket. */
export type ReadSubstitution = (source: ShellText) => void

const endsWord = /[\s;&|<>()]/
const blankOrEnd = /[ \t\n;&|<>()]/

/** Whether a character ends an unquoted word. Of white space only blanks, tabs and line ends do. */
export function isWordEnd(character: string | undefined): boolean {
  return character === undefined || (endsWord.test(character) && blankOrEnd.test(character))
}

/**
 * The word that begins here; the shell's rules of quoting, POSIX with Bash's braces and tildes.
 * @throws {@link Unparsable} for what it does not know: back-quotes, arithmetic, `$'…'`, expansions with operators
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
 */
export function readWord(source: ShellText, substitution: ReadSubstitution): ShellWord {
  const word: Growing = { text: '', pattern: '', isLiteral: true }
  while (!isWordEnd(source.line[source.at])) readUnquoted(source, word, substitution)
  return word
}

function readUnquoted(source: ShellText, word: Growing, substitution: ReadSubstitution): void {
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

/** `{}`, as `find` and `xargs` have it. With a comma or two dots behind it Bash may expand it: `a{},b}` is `a}` and `ab`. */
const emptyBraces = /^\{\}(?:(?!,|\.\.)[^\s;&|<>()'"\\$`]){0,200}(?:[\s;&|<>()]|$)/

/** Whether an unquoted character makes the shell put something else in the word's place. */
function isExpanded({ line, at }: ShellText, { text }: Growing): boolean {
  const character = line[at] as string
  if ('*?['.includes(character)) return true
  if (character === '{') return !emptyBraces.test(line.slice(at, at + 210))
  return character === '~' && (text === '' || /[:=]$/.test(text))
}

function readEscaped(source: ShellText, word: Growing): void {
  const next = source.line[source.at + 1]
  if (next === undefined) throw new Unparsable('a backslash at the end')
  // Taken out before the shell looks for words, so that what is around it may mean something together.
  if (next === '\n') throw new Unparsable('a line that goes on within a word')
  source.at += 2
  addQuoted(word, next)
}

function readSingleQuoted(source: ShellText, word: Growing): void {
  const end = source.line.indexOf("'", source.at + 1)
  if (end === -1) throw new Unparsable('a quote without its end')
  addQuoted(word, source.line.slice(source.at + 1, end))
  source.at = end + 1
}

function readDoubleQuoted(source: ShellText, word: Growing, substitution: ReadSubstitution): void {
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
  word: Growing,
  substitution: ReadSubstitution,
  isQuoted: boolean,
): void {
  const { line, at } = source
  const next = line[at + 1]
  const variable = variableAt(line, at + 1)
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

/** The name of the variable that begins here, with its braces. */
function variableAt(line: string, at: number): string | undefined {
  const variable = /(?:[A-Za-z_]\w*|[\d?$#@*!-]|\{(?:[A-Za-z_]\w*|\d+)\})/y
  variable.lastIndex = at
  return variable.exec(line)?.[0]
}

function addExpansion(word: Growing, written: string): void {
  word.isLiteral = false
  word.text += written
  word.pattern += written
}

function addQuoted(word: Growing, text: string): void {
  word.text += text
  word.pattern += text.replaceAll(/[\\*]/g, '\\$&')
}
