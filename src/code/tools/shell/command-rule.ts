import { basename } from 'node:path'
import { ScholiumError } from '../../../kernel/errors.ts'
import { hasParts } from '../../../kernel/text/wildcard.ts'
import type { CommandRule } from '../code-tool.ts'
import { parseShell } from './parse-shell.ts'
import type { ShellWord } from './shell-command.ts'

/** A rule that commands can be matched against. */
export interface CompiledRule extends CommandRule {
  /** Whether the command certainly matches, whatever the shell substitutes in its words. */
  surelyFits(words: readonly ShellWord[]): boolean
  /** Whether it covers all command lines, including unparsable ones. */
  readonly isForAll: boolean
  /** Whether the command may match, also by another path of the program. */
  mayFit(words: readonly ShellWord[]): boolean
}

/** One word of a rule: any number of words, or a word with these parts in order, as for `hasParts`. */
type Token = 'any' | readonly string[]

/**
 * Compiles a rule.
 * @throws `invalid_configuration` if the text is not a single command
 */
export function compileRule(rule: CommandRule): CompiledRule {
  const [command, ...others] = parseShell(rule.rule) ?? []
  const tokens = command?.words.map(toToken) ?? []
  const isForAll = rule.rule.trim() === '*'
  const isOne = others.length === 0 && command?.redirects.length === 0
  const isNamed = isForAll || tokens.some((token) => token !== 'any')
  if (!isOne || command.assignments.length > 0 || !isNamed) {
    throw new ScholiumError('invalid_configuration', `"${rule.rule}" is not a rule for commands.`, {
      hint: 'Give one command, with * for any words: git status *',
    })
  }
  return {
    ...rule,
    isForAll,
    surelyFits: (words) => matchesTokens(tokens, words, false),
    mayFit: (words) =>
      matchesTokens(tokens, words, true) || matchesTokens(tokens, useBaseName(words), true),
  }
}

function toToken({ pattern }: ShellWord): Token {
  if (pattern === '*') return 'any'
  const parts = ['']
  for (const sign of pattern.match(/\\[\s\S]|[\s\S]/g) ?? []) {
    if (sign === '*') parts.push('')
    else parts.push(`${parts.pop()}${sign.length > 1 ? sign.slice(1) : sign}`)
  }
  return parts
}

/** Runs as a state machine over the rule's words, so that no rule takes long. */
function matchesTokens(
  tokens: readonly Token[],
  words: readonly ShellWord[],
  isLenient: boolean,
): boolean {
  let states = skipAny(tokens, new Set([0]))
  for (const word of words) {
    const next = new Set<number>()
    for (const state of states) {
      const token = tokens[state]
      if (token === 'any') next.add(state)
      else if (token !== undefined && word.isLiteral && hasParts(word.text, token))
        next.add(state + 1)
      if (isLenient && !word.isLiteral)
        for (let later = state; later <= tokens.length; later++) next.add(later)
    }
    states = skipAny(tokens, next)
  }
  return states.has(tokens.length)
}

function skipAny(tokens: readonly Token[], states: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(states)
  for (const state of all) if (tokens[state] === 'any') all.add(state + 1)
  return all
}

function useBaseName(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.map((word, index) =>
    index === 0 && word.isLiteral ? { ...word, text: basename(word.text) } : word,
  )
}
