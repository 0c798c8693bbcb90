import type { Effect } from '../../../kernel/event.ts'
import type { CommandRule, Judgement, Verdict } from '../code-tool.ts'
import { type CompiledRule, compileRule } from './compiled-rule.ts'
import { parseShell } from './parse-shell.ts'
import { readingRules } from './reading-rules.ts'
import type { ShellCommand, ShellRedirect, ShellWord } from './shell-command.ts'

/** What is said of a command line. */
export type CommandJudgement = Judgement & { readonly effect: Effect }

/** Says whether a word that may name a file names none that is closed; told in which folders commands may be by then. */
export type MayRead = (text: string, folders: readonly string[]) => boolean

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
  return (line, folder = '.') => {
    const commands = parseShell(line)
    if (commands === undefined) return judgeUnparsed(all)
    const folders = [folder]
    const judged = commands.map((command) => judgeOne(command, { all, builtIn, mayRead, folders }))
    return together(judged)
  }
}

/** Of a line that cannot be parsed only rules about all lines say anything, and one that denies some may be meant. */
function judgeUnparsed(all: readonly CompiledRule[]): CommandJudgement {
  const denying = all.filter(({ verdict }) => verdict === 'deny')
  if (denying.some(({ isForAll }) => isForAll)) return denied('*')
  const rule = all.findLast(({ isForAll }) => isForAll)
  if (rule?.verdict === 'allow' && denying.length === 0) return allowed(rule, 'write')
  return asked('The command line has parts that no rule can judge.', [], 'write')
}

interface Judging {
  readonly all: readonly CompiledRule[]
  readonly builtIn: ReadonlySet<CompiledRule>
  readonly mayRead: MayRead
  /** Where earlier commands of the line may have gone, as written. */
  readonly folders: string[]
}

function judgeOne(command: ShellCommand, judging: Judging): CommandJudgement {
  const { words, assignments, redirects } = command
  const shown = words.map(({ text }) => text).join(' ')
  const denying = judging.all.find(({ verdict, mayFit }) => verdict === 'deny' && mayFit(words))
  const isSure = denying?.surelyFits(words) === true || words.every(isPlain)
  if (denying !== undefined && isSure) return denied(denying.rule)
  const rule = lastFitting(judging.all, words)
  const written = redirects.find(writesFile)
  const effect = effectOf(command, judging)
  const ask = (reason: string, isRuleEnough = true) =>
    asked(reason, isRuleEnough ? exactRules(command) : [], effect)
  if (denying !== undefined) return ask(`The rule "${denying.rule}" may forbid it.`, false)
  if (rule?.verdict === 'allow' && rule.isForAll) return allowed(rule, effect)
  if (assignments.length > 0) return ask(`It sets ${assignments.join(' ')}.`, false)
  if (written !== undefined) return ask(`It writes to ${written.target.text}.`, false)
  if (rule === undefined) return ask(`No rule allows "${shown}".`)
  if (rule.verdict === 'ask') return ask(`The rule "${rule.rule}" wants it to be asked.`)
  if (judging.builtIn.has(rule) && !staysInside(command, judging))
    return ask(`"${shown}" may read what is not in the workspace, or is closed in it.`)
  return allowed(rule, effect)
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
  const isPure = command.assignments.length === 0 && !command.redirects.some(writesFile)
  return isReading && isPure ? 'read' : 'write'
}

function allowed({ rule }: CommandRule, effect: Effect): CommandJudgement {
  return { verdict: 'allow', reason: `The rule "${rule}" allows it.`, always: [], effect }
}

function denied(rule: string): CommandJudgement {
  const reason = `The rule "${rule}" forbids it.`
  return { verdict: 'deny', reason, always: [], effect: 'write' }
}

/** Takes note of where `cd` goes: words of later commands count from there, too. */
function staysInside({ words, redirects }: ShellCommand, { mayRead, folders }: Judging): boolean {
  const [name, ...others] = words
  const read = [...others, ...redirects.filter(readsFile).map(({ target }) => target)]
  const isInside = read.every((word) => word.isLiteral && mayRead(word.text, folders))
  if (name?.text === 'cd') {
    const [to] = others.filter(({ text }) => !text.startsWith('-'))
    if (to === undefined) return false
    folders.push(to.text)
  }
  return isInside
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

const strictness: readonly Verdict[] = ['allow', 'ask', 'deny']

/** A line is as bad as its worst command. */
function together(judged: readonly CommandJudgement[]): CommandJudgement {
  const rank = ({ verdict }: CommandJudgement) => strictness.indexOf(verdict)
  const worst = judged.reduce<CommandJudgement | undefined>(
    (before, one) => (before === undefined || rank(one) > rank(before) ? one : before),
    undefined,
  )
  if (worst === undefined) return asked('There is no command in it.', [], 'write')
  const effect = judged.every((one) => one.effect === 'read') ? 'read' : 'write'
  const asking = judged.filter(({ verdict }) => verdict === 'ask')
  const always = asking.every((one) => one.always.length > 0)
    ? asking.flatMap((one) => one.always)
    : []
  return { ...worst, effect, always: worst.verdict === 'ask' ? always : [] }
}
