import { basename } from 'node:path'
import { findGitCalls } from './git-commands.ts'
import { parseShell } from './parse-shell.ts'
import { sedMayRun } from './sed-scripts.ts'
import type { CalledCommands, ShellCommand, ShellWord } from './shell-command.ts'

type Words = readonly ShellWord[]

const none: CalledCommands = { explicit: [], possible: [] }
const unknownWord: ShellWord = { text: '', pattern: '', isLiteral: false }
const opaqueCall: CalledCommands = { explicit: [], possible: [[unknownWord]] }

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Programs that never run what their arguments name. */
const inert = names(
  'basename cat cd chgrp chmod chown cmp comm cp cut date df diff dirname du echo false grep head id ln ls md5sum mkdir mktemp mv nl pwd readlink realpath rm rmdir seq sha1sum sha256sum sha512sum shred sleep stat tac tail tee touch tr true truncate uname uniq unlink wc which whoami yes',
)
/** Programs that run the command in their arguments, as words or as text. */
const callers = names(
  'builtin busybox chroot chrt command dbus-run-session doas env eval exec faketime fakeroot flock gosu ionice linux32 linux64 ltrace nice nohup nsenter numactl parallel pkexec prlimit proot rlwrap runuser script setarch setpriv setsid sg ssh stdbuf strace su sudo systemd-run taskset time timeout torsocks toybox trap unbuffer unshare watch xargs xvfb-run',
)
/** Programs that set variables given in their arguments. */
const setters = names('declare env export local readonly sudo typeset')
/** Callers that append further words to the command. */
const adders = names('parallel xargs')
/** Callers that join their arguments to one command line. */
const joiners = names('eval parallel ssh su trap watch')
const shells = names('ash bash csh dash fish ksh mksh sh tcsh zsh')
/** Programs that start a shell, or execute their input, unless their arguments hold a command. */
const openers = names('at batch chroot crontab newgrp nsenter parallel script sg su unshare')
const helping = /^(?:--?version|--?help|-[vVh])$/
const shellFlags = /^(?:-[efluvxn]+|--(?:login|noprofile|norc|posix))$/
/**
 * Interpreters that run a file, with those options that neither hold a program nor take the next word; other options
 * are unknown.
 */
const interpreters: Readonly<Record<string, RegExp>> = {
  bun: /^(?:--[\w-]+=.*|--bun|--watch|--hot|run|test|install|add|build|x)$/s,
  deno: /^(?:--[\w-]+=.*|-[AqrW]|run|test|fmt|lint|check|task|compile|bench)$/s,
  elixir: /^$/,
  julia: /^--[\w-]+=.*$/s,
  lua: /^-[Eiw]$/,
  luajit: /^$/,
  node: /^--(?!eval|print|import|require|loader|experimental-loader)(?:[\w-]+=.*|check|test|watch|expose-gc|(?:enable|experimental|no|trace)-[\w-]+|inspect(?:-brk)?)$/s,
  perl: /^-[tTuUwWX]+$/,
  php: /^$/,
  pypy: /^(?:-[bBdEiIOqsSuvx]+|-m.*)$/s,
  python: /^(?:-[bBdEiIOqsSuvx]+|-m.*)$/s,
  Rscript: /^--vanilla$/,
  ruby: /^-[wW]+$/,
  tclsh: /^$/,
}
/** Programs whose first argument is a program in some language. */
const opaque = names('awk emacs expect gawk gdb ghc mawk nawk osascript powershell pwsh')
/** Programs that execute a file's contents. */
const readers = names('. make source')
/** Whether a program's arguments make it run another one, through an option or a `sed` script. */
const byOwnWords: Readonly<Record<string, (texts: readonly string[]) => boolean>> = {
  rg: (texts) => texts.some((text) => /^--(?:pre|hostname-bin)/.test(text)),
  sed: sedMayRun,
  sort: (texts) => texts.some((text) => /^--c/.test(text)),
}
/** Options that change the meaning of other words. */
const splitting: Readonly<Record<string, RegExp>> = {
  env: /^-[A-Za-z0-9]*S|^--s/,
  xargs: /^-[A-Za-z0-9]*[IiJ]|^--rep/,
}
const ownInput = /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/
/** Variables that tell shells, the linker, Git and others what to run. */
const tellingVariable =
  /^(?:PATH|IFS|BASH_ENV|ENV|PS4|CDPATH|SHELLOPTS|BASHOPTS|LESS(?:OPEN|CLOSE)|(?:LD|DYLD|GIT)_\w+|(?:PERL|RUBY)\d?\w*OPT|\w*(?:PAGER|EDITOR|VISUAL|SHELL|COMMAND|BROWSER))\+?=|^NODE_OPTIONS=.*(?:import|require|loader)/s
const maxWords = 200
const maxDepth = 3

/**
 * Which commands a command may run: those given to `env`, `xargs`, `sh -c` or `find -exec`, and whatever an unknown
 * program's arguments mention.
 */
export function findCalledCommands({ words, assignments }: ShellCommand): CalledCommands {
  return mergeCalls([findCalledByWords(words, 0), ...assignments.map(findCalledByVariable)])
}

/** Whether a command executes its input, whatever its arguments: `sh`, `sudo bash -s`, `python3 -`, `xargs rm`. */
export function runsItsInput(words: Words): boolean {
  const names = words.map(({ text }) => basename(text))
  const called = isCaller(names[0] ?? '') ? names : names.slice(0, 1)
  return called.some((name, at) =>
    mayRunInput(
      name,
      words.slice(at + 1).map(({ text }) => text),
    ),
  )
}

function mayRunInput(name: string, texts: readonly string[]): boolean {
  if (adders.has(name)) return true
  if (name === 'ssh') return texts.length < 2
  const isShell = shells.has(name)
  if (isShell && texts.some((text) => /^-[A-Za-z]*s$/.test(text))) return true
  const flags = isShell ? shellFlags : getOwn(interpreters, name.replace(/[\d.]+$/, ''))
  if (flags !== undefined)
    return texts.every((text) => (flags.test(text) && text.startsWith('-')) || ownInput.test(text))
  return (readers.has(name) || openers.has(name)) && texts.some((text) => ownInput.test(text))
}

function findCalledByVariable(written: string): CalledCommands {
  if (tellingVariable.test(written)) return opaqueCall
  return { explicit: [], possible: findMentions([written]) }
}

function findCalledByWords(words: Words, depth: number): CalledCommands {
  const [first, ...others] = words
  if (first?.isLiteral !== true) return none
  const name = basename(first.text)
  if (inert.has(name)) return none
  if (name.startsWith('git-')) return findGitCalls([toWord(name.slice('git-'.length)), ...others])
  const own = findCalledByProgram(name, others)
  if (name === 'git' || Object.hasOwn(byOwnWords, name)) return own
  if (name === 'find') return mayCallAmong(words.slice(findExec(words)).map(nameWord), depth)
  const isSetting = words.some(({ text }) => setters.has(basename(text)))
  const isTelling = isSetting && others.some(({ text }) => tellingVariable.test(text))
  return mergeCalls([
    own,
    isTelling ? opaqueCall : none,
    isCaller(name) ? mayCallAmong(words, depth) : findMentioned(others),
  ])
}

function isCaller(name: string): boolean {
  return callers.has(name) || openers.has(name) || shells.has(name)
}

/** `find` puts a file name there. */
function nameWord(word: ShellWord): ShellWord {
  return word.text.includes('{}') ? unknownWord : word
}

/** The commands that may start at each later word, and what these run in turn. */
function mayCallAmong([first, ...words]: Words, depth: number): CalledCommands {
  const every = listSuffixes(words)
  const all = first === undefined ? words : [first, ...words]
  const adder = all.findIndex(({ text }) => adders.has(basename(text)))
  const isAdded = adder !== -1
  const isUntoldAdded = isAdded && mayCallAdded(all.slice(adder + 1))
  if (words.length > maxWords || depth >= maxDepth)
    return { explicit: every, possible: [[unknownWord]] }
  const joiner = all.findIndex(({ text }) => joiners.has(basename(text)))
  const joined = joiner === -1 ? [] : [all.slice(joiner + 1)]
  const lines = [
    ...words.filter(isLine).map(({ text }) => text),
    ...joined.map((given) => given.map(({ text }) => text).join(' ')),
  ]
  return mergeCalls([
    {
      explicit: isAdded ? [...every, ...every.map((one) => [...one, unknownWord])] : every,
      possible: [],
    },
    isUntoldAdded ? opaqueCall : none,
    ...every.map(([name, ...others]) =>
      name?.isLiteral === true ? findCalledByProgram(basename(name.text), others) : none,
    ),
    ...[...new Set(lines)].map((line) => findCalledByLine(line, depth + 1)),
    findMentioned(words),
  ])
}

/** Whether a command may run what is appended to it: `xargs env`, `xargs sh -c`. */
function mayCallAdded(words: Words): boolean {
  return words.some(({ text }, at) => {
    const name = basename(text)
    // Words after a shell's command line are its parameters.
    if (shells.has(name)) return /^-[A-Za-z]*c$/.test(words.at(-1)?.text ?? '')
    if (isCaller(name)) return true
    const isOption = (index: number) => words[index]?.text.startsWith('-') === true
    const isFirst = words.slice(0, at).every((_, index) => isOption(index) || isOption(index - 1))
    return isFirst && (name === 'find' || readers.has(name))
  })
}

/** What a program runs in its own way, other than the commands in its arguments. */
function findCalledByProgram(name: string, others: Words): CalledCommands {
  if (name === 'git') return findGitCalls(others)
  const texts = others.map(({ text }) => text)
  const mayRun = getOwn(byOwnWords, name)
  if (mayRun !== undefined)
    return mayRun(texts) ? mergeCalls([opaqueCall, findMentioned(others)]) : none
  return isOpaque(name, texts) ? opaqueCall : none
}

/** Whether a program does something that neither its arguments nor a given file shows. */
function isOpaque(name: string, texts: readonly string[]): boolean {
  const flags = getOwn(interpreters, name.replace(/[\d.]+$/, ''))
  if (flags !== undefined) return !hasFileArgument(texts, flags)
  if (shells.has(name))
    return !texts.some((text) => /^-[A-Za-z]*c/.test(text)) && !hasFileArgument(texts, shellFlags)
  if (readers.has(name)) return texts.some((text) => ownInput.test(text))
  const split = getOwn(splitting, name)
  if (split !== undefined) return texts.some((text) => split.test(text))
  if (name === 'ssh') return texts.length < 2
  const isShell = texts.some((text) => /^-[A-Za-z]*[is]$|^--(?:login|shell)$/.test(text))
  return openers.has(name) || opaque.has(name) || (isShell && /^(?:doas|sudo)$/.test(name))
}

/** Whether a file follows known options; asking for help needs none. */
function hasFileArgument(texts: readonly string[], flags: RegExp): boolean {
  const first = texts.find((text) => !flags.test(text))
  if (first === undefined)
    return texts.some((text) =>
      /^(?:-m.|(?:--)?test$|build$|check$|fmt$|install$|lint$)/.test(text),
    )
  return helping.test(first) || (!first.startsWith('-') && !ownInput.test(first))
}

function getOwn<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function findExec(words: Words): number {
  const at = words.findIndex(({ text }) => /^-(?:exec|ok)(?:dir)?$/.test(text))
  return at === -1 ? words.length : at
}

function isLine({ text, isLiteral }: ShellWord): boolean {
  return isLiteral && /[\s;&|()$`<>]/.test(text)
}

/** The commands in a text that is itself a command line. */
function findCalledByLine(line: string, depth: number): CalledCommands {
  const commands = parseShell(line)
  if (commands === undefined) return opaqueCall
  return mergeCalls(
    commands.map(({ words, assignments }) =>
      mergeCalls([
        { explicit: [words], possible: [] },
        findCalledByWords(words, depth),
        ...assignments.map(findCalledByVariable),
      ]),
    ),
  )
}

/** For an unknown program: everything its arguments mention, since it may run that. */
function findMentioned(words: Words): CalledCommands {
  const literal = words.filter(({ isLiteral }) => isLiteral)
  const lines = literal.filter(isLine).map(({ text }) => parseShell(text) ?? [])
  return {
    explicit: [],
    possible: [
      ...findMentions(literal.map(({ text }) => text)),
      ...lines.flat().map((command) => command.words),
    ],
  }
}

/** Splits a text in any language into words. */
function splitWords(text: string): Words {
  const found = text.split(/[\s"'`;|&()<>=:!,{}[\]$\\@]+/).filter((piece) => piece !== '')
  return found.map(toWord)
}

/** The words in texts, also with quoting removed: `r\m a`. */
function findMentions(texts: readonly string[]): readonly Words[] {
  const plain = texts.map((text) => text.replaceAll(/[\\'"]/g, ''))
  const isQuoted = plain.some((text, at) => text !== texts[at])
  return [texts, ...(isQuoted ? [plain] : [])].flatMap((all) =>
    listSuffixes(all.flatMap(splitWords)),
  )
}

function toWord(text: string): ShellWord {
  return { text, pattern: text, isLiteral: true }
}

/** What starts at each of the words; unknown if there are too many. */
function listSuffixes(words: Words): readonly Words[] {
  return words.length > maxWords ? [words, [unknownWord]] : words.map((_, at) => words.slice(at))
}

function mergeCalls(found: readonly CalledCommands[]): CalledCommands {
  return {
    explicit: found.flatMap(({ explicit }) => explicit),
    possible: found.flatMap(({ possible }) => possible),
  }
}
