import { isWordEnd, readWord, type ShellText } from './read-word.ts'
import { type ShellCommand, type ShellRedirect, Unparsable } from './shell-command.ts'

/** A command under construction, and whether it was in brackets. */
interface Growing {
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
 * The commands of a line in the order in which they are written, those of `$(…)` and of brackets with the others: all that the
 * shell may call. `undefined` for what is not known here: loops, conditions, functions, here-documents, back-quotes, arithmetic.
 */
export function parseShell(line: string): readonly ShellCommand[] | undefined {
  if (line.includes('\0') || line.length > maxLineCharacters) return undefined
  const found: Growing[] = []
  try {
    readList({ line, at: 0 }, found, 0)
  } catch (error) {
    if (error instanceof Unparsable) return undefined
    throw error
  }
  return found
}

/** Reads commands up to the end of the line or, within brackets, up to the closing one. */
function readList(source: ShellText, found: Growing[], depth: number): void {
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

/** What stands between two commands. */
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

/** Passes over blanks, comments and escaped line ends, and over line ends where they mean nothing. */
function skipBlank(source: ShellText, withLineEnds: boolean): void {
  const blank = withLineEnds ? /(?:[ \t\n](?:\\\n)*|#[^\n]*)*/y : /(?:[ \t](?:\\\n)*|#[^\n]*)*/y
  blank.lastIndex = source.at
  source.at += blank.exec(source.line)?.[0].length ?? 0
}

function readCommand(source: ShellText, found: Growing[], depth: number): void {
  const command: Growing = {
    words: [],
    assignments: [],
    redirects: [],
    isGroup: false,
    isConcurrent: false,
  }
  const inner: Growing[] = []
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

function readGroup(source: ShellText, command: Growing, inner: Growing[], depth: number): void {
  if (source.line[source.at + 1] === '(') throw new Unparsable('arithmetic')
  const before = inner.length
  source.at += 1
  readList(source, inner, depth + 1)
  if (inner.length === before) throw new Unparsable('empty brackets')
  command.isGroup = true
}

function readPart(
  source: ShellText,
  command: Growing,
  substitution: (from: ShellText) => void,
): void {
  if (command.isGroup) throw new Unparsable('a word after brackets')
  const from = source.at
  const word = readWord(source, substitution)
  const written = source.line.slice(from, source.at)
  // Some of these Bash takes for the number of the redirect, some for a word.
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
  command: Growing,
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
  // The number of another redirect, to Bash.
  if (/^\d+$/.test(target.text) && /[<>]/.test(source.line[source.at] ?? ''))
    throw new Unparsable('a number before a redirect')
  command.redirects.push({ operator, target })
  return true
}
