import { basename } from 'node:path'
import { gitCalls } from './git-commands.ts'
import { parseShell } from './parse-shell.ts'
import { sedMayRun } from './sed-scripts.ts'
import type { CalledCommands, ShellCommand, ShellWord } from './shell-command.ts'

type Words = readonly ShellWord[]

const none: CalledCommands = { told: [], possible: [] }
const unknown: ShellWord = { text: '', pattern: '', isLiteral: false }
const untold: CalledCommands = { told: [], possible: [[unknown]] }

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Programs that call nothing of what stands in their words. */
const inert = names(
  'basename cat cd chgrp chmod chown cmp comm cp cut date df diff dirname du echo false grep head id ln ls md5sum mkdir mktemp mv nl pwd readlink realpath rm rmdir seq sha1sum sha256sum sha512sum shred sleep stat tac tail tee touch tr true truncate uname uniq unlink wc which whoami yes',
)
/** Programs that call the command which stands in their words, whole or as a text. */
const callers = names(
  'builtin busybox chroot chrt command dbus-run-session doas env eval exec faketime fakeroot flock gosu ionice linux32 linux64 ltrace nice nohup nsenter numactl parallel pkexec prlimit proot rlwrap runuser script setarch setpriv setsid sg ssh stdbuf strace su sudo systemd-run taskset time timeout torsocks toybox trap unbuffer unshare watch xargs xvfb-run',
)
/** Programs that set variables which stand in their words. */
const setters = names('declare env export local readonly sudo typeset')
/** Callers that put more words behind the command. */
const adders = names('parallel xargs')
/** Those of them that join their words to one command line. */
const joiners = names('eval parallel ssh su trap watch')
const shells = names('ash bash csh dash fish ksh mksh sh tcsh zsh')
/** Programs that begin a shell, or do what is written to them, where no command stands in their words. */
const openers = names('at batch chroot crontab newgrp nsenter parallel script sg su unshare')
const helping = /^(?:--?version|--?help|-[vVh])$/
const shellFlags = /^(?:-[efluvxn]+|--(?:login|noprofile|norc|posix))$/
/** Programs that do what a file says, with options that neither hold a program nor take the next word; others are not known. */
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
/** Programs whose first word is a program, whatever its language. */
const opaque = names('awk emacs expect gawk gdb ghc mawk nawk osascript powershell pwsh')
/** Programs that do what a file says. */
const readers = names('. make source')
/** Whether the words of a program have it run another one, by an option or, for `sed`, a script. */
const byOwnWords: Readonly<Record<string, (texts: readonly string[]) => boolean>> = {
  rg: (texts) => texts.some((text) => /^--(?:pre|hostname-bin)/.test(text)),
  sed: sedMayRun,
  sort: (texts) => texts.some((text) => /^--c/.test(text)),
}
/** Options with which words are not what they seem. */
const splitting: Readonly<Record<string, RegExp>> = {
  env: /^-[A-Za-z0-9]*S|^--s/,
  xargs: /^-[A-Za-z0-9]*[IiJ]|^--rep/,
}
const ownInput = /^(?:-|\/dev\/(?:stdin|fd\/.*)|\/proc\/.*)$/
/** Variables by which shells, the linker, Git and others are told what to run. */
const tellingVariable =
  /^(?:PATH|IFS|BASH_ENV|ENV|PS4|CDPATH|SHELLOPTS|BASHOPTS|LESS(?:OPEN|CLOSE)|(?:LD|DYLD|GIT)_\w+|(?:PERL|RUBY)\d?\w*OPT|\w*(?:PAGER|EDITOR|VISUAL|SHELL|COMMAND|BROWSER))\+?=|^NODE_OPTIONS=.*(?:import|require|loader)/s
const maxWords = 200
const maxDepth = 3

/** What a command may call: what `env`, `xargs`, `sh -c` or `find -exec` are given, and what an unknown program is told of. */
export function calledBy({ words, assignments }: ShellCommand): CalledCommands {
  return together([calledByWords(words, 0), ...assignments.map(calledByVariable)])
}

/** Whether a command does what it is given to read, whatever its words are: `sh`, `sudo bash -s`, `python3 -`, `xargs rm`. */
export function doesItsInput(words: Words): boolean {
  const names = words.map(({ text }) => basename(text))
  const called = isCaller(names[0] ?? '') ? names : names.slice(0, 1)
  return called.some((name, at) =>
    doesInput(
      name,
      words.slice(at + 1).map(({ text }) => text),
    ),
  )
}

function doesInput(name: string, texts: readonly string[]): boolean {
  if (adders.has(name)) return true
  if (name === 'ssh') return texts.length < 2
  const isShell = shells.has(name)
  if (isShell && texts.some((text) => /^-[A-Za-z]*s$/.test(text))) return true
  const flags = isShell ? shellFlags : entryOf(interpreters, name.replace(/[\d.]+$/, ''))
  if (flags !== undefined)
    return texts.every((text) => (flags.test(text) && text.startsWith('-')) || ownInput.test(text))
  return (readers.has(name) || openers.has(name)) && texts.some((text) => ownInput.test(text))
}

function calledByVariable(written: string): CalledCommands {
  if (tellingVariable.test(written)) return untold
  return { told: [], possible: mentions([written]) }
}

function calledByWords(words: Words, depth: number): CalledCommands {
  const [first, ...others] = words
  if (first?.isLiteral !== true) return none
  const name = basename(first.text)
  if (inert.has(name)) return none
  if (name.startsWith('git-')) return gitCalls([wordOf(name.slice('git-'.length)), ...others])
  const own = calledByProgram(name, others)
  if (name === 'git' || Object.hasOwn(byOwnWords, name)) return own
  if (name === 'find') return callsAmong(words.slice(execAt(words)).map(withName), depth)
  const isSetting = words.some(({ text }) => setters.has(basename(text)))
  const isTelling = isSetting && others.some(({ text }) => tellingVariable.test(text))
  return together([
    own,
    isTelling ? untold : none,
    isCaller(name) ? callsAmong(words, depth) : mentioned(others),
  ])
}

function isCaller(name: string): boolean {
  return callers.has(name) || openers.has(name) || shells.has(name)
}

/** `find` puts the name of a file there. */
function withName(word: ShellWord): ShellWord {
  return word.text.includes('{}') ? unknown : word
}

/** What begins at each of the words behind the first, and what these programs call by their own ways. */
function callsAmong([first, ...words]: Words, depth: number): CalledCommands {
  const every = suffixes(words)
  const all = first === undefined ? words : [first, ...words]
  const adder = all.findIndex(({ text }) => adders.has(basename(text)))
  const isAdded = adder !== -1
  const isUntoldAdded = isAdded && callsAdded(all.slice(adder + 1))
  if (words.length > maxWords || depth >= maxDepth) return { told: every, possible: [[unknown]] }
  const joiner = all.findIndex(({ text }) => joiners.has(basename(text)))
  const joined = joiner === -1 ? [] : [all.slice(joiner + 1)]
  const lines = [
    ...words.filter(isLine).map(({ text }) => text),
    ...joined.map((given) => given.map(({ text }) => text).join(' ')),
  ]
  return together([
    { told: isAdded ? [...every, ...every.map((one) => [...one, unknown])] : every, possible: [] },
    isUntoldAdded ? untold : none,
    ...every.map(([name, ...others]) =>
      name?.isLiteral === true ? calledByProgram(basename(name.text), others) : none,
    ),
    ...[...new Set(lines)].map((line) => calledByLine(line, depth + 1)),
    mentioned(words),
  ])
}

/** Whether a command may call what is put behind its words: `xargs env`, `xargs sh -c`. */
function callsAdded(words: Words): boolean {
  return words.some(({ text }, at) => {
    const name = basename(text)
    // Behind a line of a shell there are its parameters.
    if (shells.has(name)) return /^-[A-Za-z]*c$/.test(words.at(-1)?.text ?? '')
    if (isCaller(name)) return true
    const isOption = (index: number) => words[index]?.text.startsWith('-') === true
    const isFirst = words.slice(0, at).every((_, index) => isOption(index) || isOption(index - 1))
    return isFirst && (name === 'find' || readers.has(name))
  })
}

/** What a program calls in a way of its own, beside the commands that its words are. */
function calledByProgram(name: string, others: Words): CalledCommands {
  if (name === 'git') return gitCalls(others)
  const texts = others.map(({ text }) => text)
  const mayRun = entryOf(byOwnWords, name)
  if (mayRun !== undefined) return mayRun(texts) ? together([untold, mentioned(others)]) : none
  return isUntold(name, texts) ? untold : none
}

/** Whether a program does what cannot be seen in its words, nor is the text of a file that it is given. */
function isUntold(name: string, texts: readonly string[]): boolean {
  const flags = entryOf(interpreters, name.replace(/[\d.]+$/, ''))
  if (flags !== undefined) return !isFileGiven(texts, flags)
  if (shells.has(name))
    return !texts.some((text) => /^-[A-Za-z]*c/.test(text)) && !isFileGiven(texts, shellFlags)
  if (readers.has(name)) return texts.some((text) => ownInput.test(text))
  const split = entryOf(splitting, name)
  if (split !== undefined) return texts.some((text) => split.test(text))
  if (name === 'ssh') return texts.length < 2
  const isShell = texts.some((text) => /^-[A-Za-z]*[is]$|^--(?:login|shell)$/.test(text))
  return openers.has(name) || opaque.has(name) || (isShell && /^(?:doas|sudo)$/.test(name))
}

/** Whether there is a file behind options that are known; asking for help needs none. */
function isFileGiven(texts: readonly string[], flags: RegExp): boolean {
  const first = texts.find((text) => !flags.test(text))
  if (first === undefined)
    return texts.some((text) =>
      /^(?:-m.|(?:--)?test$|build$|check$|fmt$|install$|lint$)/.test(text),
    )
  return helping.test(first) || (!first.startsWith('-') && !ownInput.test(first))
}

function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function execAt(words: Words): number {
  const at = words.findIndex(({ text }) => /^-(?:exec|ok)(?:dir)?$/.test(text))
  return at === -1 ? words.length : at
}

function isLine({ text, isLiteral }: ShellWord): boolean {
  return isLiteral && /[\s;&|()$`<>]/.test(text)
}

/** The commands of a text that is a command line itself. */
function calledByLine(line: string, depth: number): CalledCommands {
  const commands = parseShell(line)
  if (commands === undefined) return untold
  return together(
    commands.map(({ words, assignments }) =>
      together([
        { told: [words], possible: [] },
        calledByWords(words, depth),
        ...assignments.map(calledByVariable),
      ]),
    ),
  )
}

/** Of a program of which nothing is known: what its words mention, since it may call that. */
function mentioned(words: Words): CalledCommands {
  const literal = words.filter(({ isLiteral }) => isLiteral)
  const lines = literal.filter(isLine).map(({ text }) => parseShell(text) ?? [])
  return {
    told: [],
    possible: [
      ...mentions(literal.map(({ text }) => text)),
      ...lines.flat().map((command) => command.words),
    ],
  }
}

/** The words in a text of any language. */
function pieces(text: string): Words {
  const found = text.split(/[\s"'`;|&()<>=:!,{}[\]$\\@]+/).filter((piece) => piece !== '')
  return found.map(wordOf)
}

/** The words in texts, also as they are without what quotes them: `r\m a`. */
function mentions(texts: readonly string[]): readonly Words[] {
  const plain = texts.map((text) => text.replaceAll(/[\\'"]/g, ''))
  const isQuoted = plain.some((text, at) => text !== texts[at])
  return [texts, ...(isQuoted ? [plain] : [])].flatMap((all) => suffixes(all.flatMap(pieces)))
}

function wordOf(text: string): ShellWord {
  return { text, pattern: text, isLiteral: true }
}

/** What begins at each of the words; where there are too many of them, that is not known. */
function suffixes(words: Words): readonly Words[] {
  return words.length > maxWords ? [words, [unknown]] : words.map((_, at) => words.slice(at))
}

function together(found: readonly CalledCommands[]): CalledCommands {
  return {
    told: found.flatMap(({ told }) => told),
    possible: found.flatMap(({ possible }) => possible),
  }
}
