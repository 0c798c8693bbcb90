import { isAbsolute, join } from 'node:path'
import type { Effect } from '../../../kernel/event.ts'
import type { CommandRule, Judgement, Verdict } from '../code-tool.ts'
import { calledBy } from './called-commands.ts'
import { type CompiledRule, compileRule } from './compiled-rule.ts'
import { parseShell } from './parse-shell.ts'
import { readingRules } from './reading-rules.ts'
import type { ShellCommand, ShellRedirect, ShellWord } from './shell-command.ts'

/** What is said of a command line. */
export type CommandJudgement = Judgement & { readonly effect: Effect }

/** A command that only reads. */
export interface Reading {
  /** Its name and its arguments, all literal. */
  readonly words: readonly string[]
  /** What it is given to read by redirects. */
  readonly inputs: readonly string[]
  /** In which folders it may be. */
  readonly folders: readonly string[]
  /** Whether all commands before it in the line only read, too: what it prints is then as things are now. */
  readonly isUnchanged: boolean
  /** How long it may take to find out, by `performance.now()`. */
  readonly untilMs: number
}

/** Says whether a command gives nothing of what is closed. */
export type MayRead = (reading: Reading) => boolean

/** Says of a command line whether it may run; told in which folder it would begin. */
export type CommandJudge = (line: string, folder?: string) => CommandJudgement

/**
 * The judge of command lines: of each command that the line calls, a `deny` that fits wins, else the last rule that fits; without
 * one it is asked about. What cannot be parsed is asked about, and so are commands that set variables or write into files. Built-in
 * rules let through only what stays in the workspace.
 * @throws `invalid_configuration` for a rule that is none
 */
export function createCommandJudge(rules: readonly CommandRule[], mayRead: MayRead): CommandJudge {
  const all = [...readingRules, ...rules].map(compileRule)
  const builtIn = new Set(all.slice(0, readingRules.length))
  return (text, folder = '.') => {
    const commands = parseShell(text)
    if (commands === undefined) return judgeUnparsed(all)
    const line = { folders: [folder], isUnchanged: true, untilMs: performance.now() + maxMs }
    const judged = commands.map((command) => {
      const one = judgeOne(command, { all, builtIn, mayRead, line })
      if (one.verdict !== 'allow') line.untilMs = 0
      line.isUnchanged &&= onlyReads(command, builtIn)
      return one
    })
    return together(judged)
  }
}

/** Of a line that cannot be parsed only rules about all lines say anything, and one that denies some may be meant. */
function judgeUnparsed(all: readonly CompiledRule[]): CommandJudgement {
  const denying = all.filter(({ verdict }) => verdict === 'deny')
  if (denying.some(({ isForAll }) => isForAll)) return denied('*')
  const rule = all.findLast(({ isForAll }) => isForAll)
  if (rule?.verdict === 'allow' && denying.length === 0) return allowed(rule, 'write')
  const [first] = denying
  if (first !== undefined) return doubtful(first.rule, 'write')
  return asked('The command line has parts that no rule can judge.', [], 'write')
}

interface Judging {
  readonly all: readonly CompiledRule[]
  readonly builtIn: ReadonlySet<CompiledRule>
  readonly mayRead: MayRead
  readonly line: LineSoFar
}

/** What earlier commands of the line leave to later ones. */
interface LineSoFar {
  /** Where they may have gone. */
  readonly folders: string[]
  isUnchanged: boolean
  /** Passed once one of them is asked about: more need not be found out then. */
  untilMs: number
}

/** For all commands of a line together. */
const maxMs = 2_000

function judgeOne(command: ShellCommand, judging: Judging): CommandJudgement {
  const { words, assignments, redirects } = command
  const called = [words, ...calledBy(words)]
  const shown = words.map(({ text }) => text).join(' ')
  const denials = judging.all.filter(({ verdict }) => verdict === 'deny')
  const surely = denials.find((rule) => called.some((one) => isSurely(rule, one)))
  if (surely !== undefined) return denied(surely.rule)
  const denying = denials.find(({ mayFit }) => called.some(mayFit))
  const here = { ...judging.line, folders: [...judging.line.folders] }
  const isKnown = follows(words, judging.line.folders)
  const rule = lastFitting(judging.all, words)
  const written = redirects.find(writesFile)
  const effect = effectOf(command, judging)
  const ask = (reason: string, isRuleEnough = true) =>
    asked(reason, isRuleEnough ? exactRules(command) : [], effect)
  if (denying !== undefined) return doubtful(denying.rule, effect)
  if (rule?.verdict === 'allow' && rule.isForAll) return allowed(rule, effect)
  if (assignments.length > 0) return ask(`It sets ${assignments.join(' ')}.`, false)
  if (written !== undefined) return ask(`It writes to ${written.target.text}.`, false)
  if (rule === undefined) return ask(`No rule allows "${shown}".`)
  if (rule.verdict === 'ask') return ask(`The rule "${rule.rule}" wants it to be asked.`)
  if (judging.builtIn.has(rule) && !(isKnown && staysInside(command, judging.mayRead, here)))
    return ask(`"${shown}" may read what is not in the workspace, or is closed in it.`)
  return allowed(rule, effect)
}

function isSurely({ surelyFits, mayFit }: CompiledRule, words: readonly ShellWord[]): boolean {
  return surelyFits(words) || (words.every(isPlain) && mayFit(words))
}

function lastFitting(rules: readonly CompiledRule[], words: readonly ShellWord[]) {
  return rules.findLast(({ verdict, surelyFits, mayFit }) =>
    verdict === 'allow' ? surelyFits(words) : verdict === 'ask' && mayFit(words),
  )
}

/** Whether a command is let through says nothing of what it does: that is for the rules that know. */
function effectOf(command: ShellCommand, { all, builtIn }: Judging): Effect {
  const knowing = all.filter((rule) => builtIn.has(rule) || rule.effect !== undefined)
  const isReading = lastFitting(knowing, command.words)?.effect === 'read'
  return isReading && isPure(command) ? 'read' : 'write'
}

/** Whether the built-in rules alone take it for one that only reads. */
function onlyReads(command: ShellCommand, builtIn: ReadonlySet<CompiledRule>): boolean {
  return lastFitting([...builtIn], command.words)?.verdict === 'allow' && isPure(command)
}

function isPure({ assignments, redirects }: ShellCommand): boolean {
  return assignments.length === 0 && !redirects.some(writesFile)
}

function allowed({ rule }: CommandRule, effect: Effect): CommandJudgement {
  return { verdict: 'allow', reason: `The rule "${rule}" allows it.`, always: [], effect }
}

function denied(rule: string): CommandJudgement {
  const reason = `The rule "${rule}" forbids it.`
  return { verdict: 'deny', reason, always: [], effect: 'write' }
}

const mostFolders = 64

function staysInside(
  { words, redirects }: ShellCommand,
  mayRead: MayRead,
  line: LineSoFar,
): boolean {
  const targets = redirects.map(({ target }) => target)
  if (![...words, ...targets].every(isPlain)) return false
  const inputs = redirects.filter(readsFile).map(({ target }) => target.text)
  return mayRead({ words: words.map(({ text }) => text), inputs, ...line })
}

/** Takes note of where `cd` goes: words of later commands count from there, too. Says whether that is known. */
function follows([name, ...others]: readonly ShellWord[], folders: string[]): boolean {
  if (name?.text !== 'cd') return true
  const [to] = others.filter(({ text }) => !text.startsWith('-'))
  if (to === undefined || folders.length > mostFolders) return false
  const from = isAbsolute(to.text) ? [''] : [...folders]
  folders.push(...from.map((folder) => join(folder, to.text)))
  return true
}

function isPlain({ isLiteral }: ShellWord): boolean {
  return isLiteral
}

function writesFile({ operator, target }: ShellRedirect): boolean {
  if (operator === '<' || operator === '<<<') return false
  if (/^[<>]&$/.test(operator) && /^(?:\d+|-)$/.test(target.text)) return false
  return target.text !== '/dev/null' || !target.isLiteral
}

function readsFile({ operator }: ShellRedirect): boolean {
  return operator === '<'
}

/** Rules for exactly this command. */
function exactRules({ words }: ShellCommand): readonly CommandRule[] {
  if (words.length === 0 || !words.every(isPlain)) return []
  return [{ rule: words.map(({ text }) => quoted(text)).join(' '), verdict: 'allow' }]
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function asked(reason: string, always: readonly CommandRule[], effect: Effect): CommandJudgement {
  return { verdict: 'ask', reason, always, effect }
}

/** What a rule may forbid, as far as can be told. */
function doubtful(rule: string, effect: Effect): CommandJudgement {
  return { ...asked(`The rule "${rule}" may forbid it.`, [], effect), mayBeDenied: true }
}

const strictness: readonly Verdict[] = ['allow', 'ask', 'deny']

/** A line is as bad as its worst command. */
function together(judged: readonly CommandJudgement[]): CommandJudgement {
  const rank = ({ verdict }: CommandJudgement) => strictness.indexOf(verdict)
  const first = judged.reduce<CommandJudgement | undefined>(
    (before, one) => (before === undefined || rank(one) > rank(before) ? one : before),
    undefined,
  )
  const inDoubt = judged.find(({ mayBeDenied }) => mayBeDenied === true)
  const worst = first?.verdict === 'ask' ? (inDoubt ?? first) : first
  if (worst === undefined) return asked('There is no command in it.', [], 'write')
  const effect = judged.every((one) => one.effect === 'read') ? 'read' : 'write'
  const asking = judged.filter(({ verdict }) => verdict === 'ask')
  const always = asking.every((one) => one.always.length > 0)
    ? asking.flatMap((one) => one.always)
    : []
  return { ...worst, effect, always: worst.verdict === 'ask' ? always : [] }
}
