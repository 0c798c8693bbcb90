import type { Effect } from '../../../kernel/run/event.ts'
import { posixWord } from '../../../kernel/text/shell-word.ts'
import type { CommandRule, Judgement, Verdict } from '../code-tool.ts'
import { findCalledCommands, runsItsInput } from './called-commands.ts'
import { type CompiledRule, compileRule } from './command-rule.ts'
import { parseShell } from './parse-shell.ts'
import { readReadingForm, stateCommands } from './reading-forms.ts'
import type { ReadingForm, ShellCommand, ShellRedirect, ShellWord } from './shell-command.ts'

/** The verdict on a command line. */
export type CommandJudgement = Judgement & { readonly effect: Effect }

/** A read-only command. */
export interface ReadOnlyCommand {
  /** Its name and arguments, all literal. */
  readonly words: readonly string[]
  /** Words that may contain a file name, including the targets of input redirects. */
  readonly names: readonly string[]
  /** Absolute folders that it may run in. */
  readonly folders: readonly string[]
  /** Deadline for examining it, in terms of `performance.now()`. */
  readonly untilMs: number
  /** Whether the person is asked about the line anyway, so that Git need not be queried. */
  readonly isAsked: boolean
}

/** Knows which files commands would read. */
export interface ReadingGuard {
  /** The folders that a line may start in; none if that is outside of the workspace. */
  begin(folder: string): readonly string[]
  /** Where `cd` may lead from these folders; `undefined` if that is unknown or may be outside of the workspace. */
  enter(folders: readonly string[], to: string): readonly string[] | undefined
  /** One sentence on why a command may do more than read open files of the workspace; `undefined` if it does not. */
  objection(reading: ReadOnlyCommand): string | undefined
}

/** Judges a command line that starts in the given folder. */
export type CommandJudge = (line: string, folder?: string) => CommandJudgement

/** A command, and its form if it only reads. */
interface Judged {
  readonly command: ShellCommand
  readonly form: ReadingForm | undefined
}

/**
 * Creates the judge of command lines. For each command that the line runs, a matching `deny` takes precedence,
 * otherwise the last matching rule. Without a match the command is allowed if it is known to only read and the guard
 * does not object; otherwise the person is asked. The person is also asked about commands that set variables or write
 * files, and about lines that cannot be parsed.
 * @throws `invalid_configuration` for a malformed rule
 */
export function createCommandJudge(
  rules: readonly CommandRule[],
  guard: ReadingGuard,
): CommandJudge {
  const all = rules.map(compileRule)
  return (text, folder = '.') => {
    const commands = parseShell(text)
    if (commands === undefined) return judgeUnparsed(all)
    const line: LineState = {
      folders: [...guard.begin(folder)],
      isKnown: true,
      isUnchanged: true,
      untilMs: performance.now() + maxMs,
      isAsked: false,
    }
    const parts = commands.map((command) => ({ command, form: readForm(command) }))
    const isChanging = parts.some(({ command, form }) => command.isConcurrent && form === undefined)
    return mergeJudgements(
      parts.map((part) => {
        const one = judgeOne(part, { all, guard, line, isChanging })
        line.isAsked ||= one.verdict !== 'allow'
        noteEffects(part, line, guard)
        return one
      }),
    )
  }
}

/** Whether all commands of a line only read, whatever they are given. */
export function onlyReads(line: string): boolean {
  return parseShell(line)?.every((command) => readForm(command) !== undefined) ?? false
}

/** The form of a read-only command. All words must be literal, since the shell could substitute an option. */
function readForm({ words, assignments, redirects }: ShellCommand): ReadingForm | undefined {
  const isLiteral = [...words, ...redirects.map(({ target }) => target)].every(isPlain)
  if (!isLiteral || assignments.length > 0 || redirects.some(writesFile)) return undefined
  return readReadingForm(words.map(({ text }) => text))
}

/** For a line that cannot be parsed, only rules about all lines apply, and any denying rule might. */
function judgeUnparsed(all: readonly CompiledRule[]): CommandJudgement {
  const denying = all.filter(({ verdict }) => verdict === 'deny')
  if (denying.some(({ isForAll }) => isForAll)) return createDenied('*')
  const rule = all.findLast(({ isForAll }) => isForAll)
  if (rule?.verdict === 'allow' && denying.length === 0) return createAllowed(rule.rule, 'write')
  const [first] = denying
  if (first !== undefined) return createDoubtful(first.rule, 'write')
  return createAsked('The command line has parts that rules cannot judge.', [], 'write')
}

interface Judging {
  readonly all: readonly CompiledRule[]
  readonly guard: ReadingGuard
  readonly line: LineState
  /** Whether a command that runs concurrently with others does more than read. */
  readonly isChanging: boolean
}

/** What earlier commands of the line mean for later ones. */
interface LineState {
  /** Folders that they may have changed to. */
  readonly folders: string[]
  /** Whether the current folder and the meaning of words are known. */
  isKnown: boolean
  /** Whether all of them only read, so that files are as they are now. */
  isUnchanged: boolean
  /** Whether the person is asked about one of them. */
  isAsked: boolean
  readonly untilMs: number
}

/** For all commands of a line together, in milliseconds. */
const maxMs = 2_000

function judgeOne({ command, form }: Judged, judging: Judging): CommandJudgement {
  const { words, assignments, redirects } = command
  const shown = words.map(({ text }) => text).join(' ')
  const denial = findDenial(command, judging.all)
  if (denial?.isSure === true) return createDenied(denial.rule)
  const rule = findLastRule(judging.all, words)
  const written = redirects.find(writesFile)
  const effect = form === undefined ? 'write' : 'read'
  const ask = (reason: string, isRuleEnough = true) =>
    createAsked(reason, isRuleEnough ? exactRules(command) : [], effect)
  if (denial !== undefined) return createDoubtful(denial.rule, effect)
  if (rule?.verdict === 'allow' && rule.isForAll) return createAllowed(rule.rule, effect)
  if (assignments.length > 0) return ask(`It sets ${assignments.join(' ')}.`, false)
  if (written !== undefined) {
    const verb = written.operator.startsWith('<') ? 'opens' : 'writes to'
    return ask(`It ${verb} ${written.target.text}.`, false)
  }
  if (rule?.verdict === 'ask') return ask(`The rule "${rule.rule}" requires approval.`)
  if (rule !== undefined) return createAllowed(rule.rule, effect)
  if (form === undefined) return ask(`No rule allows "${shown}".`)
  const objection = findObjection(command, form, judging)
  return objection === undefined
    ? { verdict: 'allow', reason: 'It only reads what is open.', always: [], effect }
    : ask(objection)
}

/** The rule that forbids a command, certainly or possibly, because of what it is or runs. */
function findDenial(command: ShellCommand, all: readonly CompiledRule[]) {
  const denials = all.filter(({ verdict }) => verdict === 'deny')
  if (denials.length === 0) return undefined
  const { explicit, possible } = findCalledCommands(command)
  const called = [command.words, ...explicit]
  const surely = denials.find((rule) => called.some((one) => surelyMatches(rule, one)))
  if (surely !== undefined) return { rule: surely.rule, isSure: true }
  const perhaps = denials.find(({ mayFit }) => [...called, ...possible].some(mayFit))
  return perhaps === undefined ? undefined : { rule: perhaps.rule, isSure: false }
}

/** Why a known read-only command may disclose more than open files of the workspace. */
function findObjection(
  command: ShellCommand,
  form: ReadingForm,
  { guard, line, isChanging }: Judging,
): string | undefined {
  const shown = command.words.map(({ text }) => text).join(' ')
  const doubt = `"${shown}" may read files outside the workspace, or closed files in it.`
  if (!line.isKnown) return doubt
  const inputs = command.redirects.filter(readsFile).map(({ target }) => target.text)
  const [name, ...words] = command.words.map(({ text }) => text)
  if (name === 'cd' && findCdTargets(words, line.folders, guard) === undefined) return doubt
  const isOfFiles = name === 'git' || form.operands.length > 0 || inputs.length > 0
  if (name !== 'cd' && isOfFiles && (!line.isUnchanged || (command.isConcurrent && isChanging)))
    return `"${shown}" may find different files after the earlier part of the line.`
  const names = [...form.names, ...inputs]
  const { folders, untilMs, isAsked } = line
  const reading = { words: [name ?? '', ...words], names, untilMs, isAsked }
  return guard.objection({ ...reading, folders: [...folders] })
}

/** Notes what a command may have changed for later ones. */
function noteEffects({ command, form }: Judged, line: LineState, guard: ReadingGuard): void {
  const [first, ...others] = command.words
  line.isUnchanged &&= form !== undefined
  if (first === undefined || !line.isKnown) return
  if (!first.isLiteral || stateCommands.has(first.text)) line.isKnown = false
  if (first.text === 'cd') {
    const words = others.map(({ text }) => text)
    const places = others.every(isPlain) ? findCdTargets(words, line.folders, guard) : undefined
    const isRoom = line.folders.length + (places?.length ?? 0) <= maxFolders
    if (places === undefined || !isRoom || !line.isUnchanged) line.isKnown = false
    else line.folders.push(...places)
  }
}

const maxFolders = 64

/** Where `cd` with these words may lead. */
function findCdTargets(words: readonly string[], folders: readonly string[], guard: ReadingGuard) {
  const options = words.findIndex((word) => !/^-[LP]+$/.test(word))
  const given = options === -1 ? [] : words.slice(words[options] === '--' ? options + 1 : options)
  const [to, ...others] = given
  if (to === undefined || to === '' || to === '-' || others.length > 0) return undefined
  return guard.enter(folders, to)
}

function surelyMatches({ surelyFits, mayFit }: CompiledRule, words: readonly ShellWord[]): boolean {
  return surelyFits(words) || (words.every(isPlain) && mayFit(words))
}

function findLastRule(rules: readonly CompiledRule[], words: readonly ShellWord[]) {
  return rules.findLast(({ verdict, surelyFits, mayFit }) =>
    verdict === 'allow' ? surelyFits(words) : verdict === 'ask' && mayFit(words),
  )
}

function createAllowed(rule: string, effect: Effect): CommandJudgement {
  return { verdict: 'allow', reason: `The rule "${rule}" allows it.`, always: [], effect }
}

function createDenied(rule: string): CommandJudgement {
  const reason = `The rule "${rule}" forbids it.`
  return { verdict: 'deny', reason, always: [], effect: 'write' }
}

function isPlain({ isLiteral }: ShellWord): boolean {
  return isLiteral
}

/** Whether a redirect may do more than read, discard or print. */
function writesFile({ operator, target }: ShellRedirect): boolean {
  if (operator === '<' || operator === '<<<') return false
  if (operator === '>&' && /^[12]$/.test(target.text)) return false
  return target.text !== '/dev/null' || !target.isLiteral
}

function readsFile({ operator }: ShellRedirect): boolean {
  return operator === '<'
}

/** Rules for exactly this command; none if different input would make it a different command. */
function exactRules({ words }: ShellCommand): readonly CommandRule[] {
  if (words.length === 0 || !words.every(isPlain) || runsItsInput(words)) return []
  return [{ rule: words.map(({ text }) => posixWord(text)).join(' '), verdict: 'allow' }]
}

function createAsked(
  reason: string,
  always: readonly CommandRule[],
  effect: Effect,
): CommandJudgement {
  return { verdict: 'ask', reason, always, effect }
}

/** A rule may forbid the command, but that is uncertain. */
function createDoubtful(rule: string, effect: Effect): CommandJudgement {
  return { ...createAsked(`The rule "${rule}" may forbid it.`, [], effect), mayBeDenied: true }
}

const strictness: readonly Verdict[] = ['allow', 'ask', 'deny']

/** A line is judged by its worst command. */
function mergeJudgements(judged: readonly CommandJudgement[]): CommandJudgement {
  const rank = ({ verdict }: CommandJudgement) => strictness.indexOf(verdict)
  const first = judged.reduce<CommandJudgement | undefined>(
    (before, one) => (before === undefined || rank(one) > rank(before) ? one : before),
    undefined,
  )
  const inDoubt = judged.find(({ mayBeDenied }) => mayBeDenied === true)
  const worst = first?.verdict === 'ask' ? (inDoubt ?? first) : first
  if (worst === undefined) return createAsked('There is no command in it.', [], 'write')
  const effect = judged.every((one) => one.effect === 'read') ? 'read' : 'write'
  const asking = judged.filter(({ verdict }) => verdict === 'ask')
  const always = asking.every((one) => one.always.length > 0)
    ? asking.flatMap((one) => one.always)
    : []
  return { ...worst, effect, always: worst.verdict === 'ask' ? always : [] }
}
