import type { Effect } from '../../../kernel/run/event.ts'
import { posixWord } from '../../../kernel/text/shell-word.ts'
import type { CommandRule, Judgement, Verdict } from '../code-tool.ts'
import { findCalledCommands, runsItsInput } from './called-commands.ts'
import { type CompiledRule, compileRule } from './command-rule.ts'
import { parseShell } from './parse-shell.ts'
import { readReadingForm, stateCommands } from './reading-forms.ts'
import type { ReadingForm, ShellCommand, ShellRedirect, ShellWord } from './shell-command.ts'

/** What is said of a command line. */
export type CommandJudgement = Judgement & { readonly effect: Effect }

/** A command that only reads. */
export interface Reading {
  /** Its name and its arguments, all literal. */
  readonly words: readonly string[]
  /** Words in which the name of a file may stand, with what it is given to read by redirects. */
  readonly names: readonly string[]
  /** In which folders it may be: absolute. */
  readonly folders: readonly string[]
  /** How long it may take to find out, by `performance.now()`. */
  readonly untilMs: number
  /** Whether the line is asked about for another command of it: nobody else need be asked then, such as Git. */
  readonly isAsked: boolean
}

/** Knows the files that commands would read. */
export interface ReadingGuard {
  /** The folders in which a line may begin; none where that is not in the workspace. */
  begin(folder: string): readonly string[]
  /** Where `cd` may lead from these folders; `undefined` where it may lead out of the workspace or that cannot be told. */
  enter(folders: readonly string[], to: string): readonly string[] | undefined
  /** Why a command may do more than to read what is open in the workspace: one sentence; `undefined` where it does not. */
  objection(reading: Reading): string | undefined
}

/** Says of a command line whether it may run; told in which folder it would begin. */
export type CommandJudge = (line: string, folder?: string) => CommandJudgement

/** A command, and how it is understood where it only reads. */
interface Judged {
  readonly command: ShellCommand
  readonly form: ReadingForm | undefined
}

/**
 * The judge of command lines: of each command that the line calls, a `deny` that fits wins, else the last rule that fits. Without
 * one it is let through where all of it is understood as a command that only reads, and the guard does not object; else it is asked
 * about. So are commands that set variables or write into files, and what cannot be parsed.
 * @throws `invalid_configuration` for a rule that is none
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

/** Whether all of a line is understood as commands that only read, whatever they are given. */
export function onlyReads(line: string): boolean {
  return parseShell(line)?.every((command) => readForm(command) !== undefined) ?? false
}

/** How a command is understood that only reads; the shell may put an option in the place of a word that is not literal. */
function readForm({ words, assignments, redirects }: ShellCommand): ReadingForm | undefined {
  const isLiteral = [...words, ...redirects.map(({ target }) => target)].every(isPlain)
  if (!isLiteral || assignments.length > 0 || redirects.some(writesFile)) return undefined
  return readReadingForm(words.map(({ text }) => text))
}

/** Of a line that cannot be parsed only rules about all lines say anything, and one that denies some may be meant. */
function judgeUnparsed(all: readonly CompiledRule[]): CommandJudgement {
  const denying = all.filter(({ verdict }) => verdict === 'deny')
  if (denying.some(({ isForAll }) => isForAll)) return createDenied('*')
  const rule = all.findLast(({ isForAll }) => isForAll)
  if (rule?.verdict === 'allow' && denying.length === 0) return createAllowed(rule.rule, 'write')
  const [first] = denying
  if (first !== undefined) return createDoubtful(first.rule, 'write')
  return createAsked('The command line has parts that no rule can judge.', [], 'write')
}

interface Judging {
  readonly all: readonly CompiledRule[]
  readonly guard: ReadingGuard
  readonly line: LineState
  /** Whether a command that runs at the same time as others does more than to read. */
  readonly isChanging: boolean
}

/** What earlier commands of the line leave to later ones. */
interface LineState {
  /** Where they may have gone. */
  readonly folders: string[]
  /** Whether it is known where they are, and words mean what they mean at first. */
  isKnown: boolean
  /** Whether all of them only read: files are then as they are now. */
  isUnchanged: boolean
  /** Whether one of them is asked about. */
  isAsked: boolean
  readonly untilMs: number
}

/** For all commands of a line together. */
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
  if (rule?.verdict === 'ask') return ask(`The rule "${rule.rule}" wants it to be asked.`)
  if (rule !== undefined) return createAllowed(rule.rule, effect)
  if (form === undefined) return ask(`No rule allows "${shown}".`)
  const objection = findObjection(command, form, judging)
  return objection === undefined
    ? { verdict: 'allow', reason: 'It only reads what is open.', always: [], effect }
    : ask(objection)
}

/** The rule that forbids a command, surely or perhaps, by what it is or calls. */
function findDenial(command: ShellCommand, all: readonly CompiledRule[]) {
  const denials = all.filter(({ verdict }) => verdict === 'deny')
  if (denials.length === 0) return undefined
  const { told, possible } = findCalledCommands(command)
  const called = [command.words, ...told]
  const surely = denials.find((rule) => called.some((one) => surelyMatches(rule, one)))
  if (surely !== undefined) return { rule: surely.rule, isSure: true }
  const perhaps = denials.find(({ mayFit }) => [...called, ...possible].some(mayFit))
  return perhaps === undefined ? undefined : { rule: perhaps.rule, isSure: false }
}

/** Why a command that is understood may give something else than what is open in the workspace. */
function findObjection(
  command: ShellCommand,
  form: ReadingForm,
  { guard, line, isChanging }: Judging,
): string | undefined {
  const shown = command.words.map(({ text }) => text).join(' ')
  const doubt = `"${shown}" may read what is not in the workspace, or is closed in it.`
  if (!line.isKnown) return doubt
  const inputs = command.redirects.filter(readsFile).map(({ target }) => target.text)
  const [name, ...words] = command.words.map(({ text }) => text)
  if (name === 'cd' && findCdTargets(words, line.folders, guard) === undefined) return doubt
  const isOfFiles = name === 'git' || form.operands.length > 0 || inputs.length > 0
  if (name !== 'cd' && isOfFiles && (!line.isUnchanged || (command.isConcurrent && isChanging)))
    return `"${shown}" may find other files there than now, after what the line does before.`
  const names = [...form.names, ...inputs]
  const { folders, untilMs, isAsked } = line
  const reading = { words: [name ?? '', ...words], names, untilMs, isAsked }
  return guard.objection({ ...reading, folders: [...folders] })
}

/** Notes what a command may have changed for those after it. */
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

/** Whether it may be more than what is read, thrown away or printed. */
function writesFile({ operator, target }: ShellRedirect): boolean {
  if (operator === '<' || operator === '<<<') return false
  if (operator === '>&' && /^[12]$/.test(target.text)) return false
  return target.text !== '/dev/null' || !target.isLiteral
}

function readsFile({ operator }: ShellRedirect): boolean {
  return operator === '<'
}

/** Rules for exactly this command; none where other input would make it another one. */
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

/** What a rule may forbid, as far as can be told. */
function createDoubtful(rule: string, effect: Effect): CommandJudgement {
  return { ...createAsked(`The rule "${rule}" may forbid it.`, [], effect), mayBeDenied: true }
}

const strictness: readonly Verdict[] = ['allow', 'ask', 'deny']

/** A line is as bad as its worst command. */
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
