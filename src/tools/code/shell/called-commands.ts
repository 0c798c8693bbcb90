import { basename } from 'node:path'
import { parseShell } from './parse-shell.ts'
import type { ShellWord } from './shell-command.ts'

type Words = readonly ShellWord[]

/** Programs that call the command which stands in their words, whole or as a text. */
const callers = new Set(
  'ash bash builtin busybox chroot command dash doas env eval exec fish ionice ksh nice nohup parallel script setsid sh stdbuf strace sudo timeout watch xargs zsh'.split(
    ' ',
  ),
)
/** Those of them that put more words behind it. */
const adders = new Set(['parallel', 'xargs'])
const shells = new Set(['ash', 'bash', 'dash', 'fish', 'ksh', 'sh', 'zsh'])
const unknown: ShellWord = { text: '', pattern: '', isLiteral: false }
const mostWords = 50
const maxDepth = 3
/** Options of Git before its command that take the next word. */
const gitOption = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix))$/

/**
 * What a command may call, as far as its words show it: what `env`, `xargs`, `sh -c` or `find -exec` are given, and Git's command
 * without the options before it. More than that may be among them; a word that is not literal stands for what cannot be told.
 */
export function calledBy(words: Words, depth = 0): readonly Words[] {
  const [first, ...others] = words
  if (first?.isLiteral !== true) return []
  const name = basename(first.text)
  if (name === 'git') return [plainGit(words)]
  if (name === 'find') return suffixes(others.slice(execAt(others)), [])
  if (!callers.has(name)) return []
  // A shell without a command reads one from elsewhere.
  if (shells.has(name) && others.every(({ text }) => text.startsWith('-'))) return [[unknown]]
  const given = suffixes(others, adders.has(name) ? [unknown] : [])
  return [...given, ...others.flatMap((word) => calledIn(word, depth))]
}

function plainGit(words: Words): Words {
  const [first, ...others] = words
  if (first === undefined || basename(first.text) !== 'git') return words
  let at = 0
  for (let word = others[0]; word?.text.startsWith('-'); word = others[at])
    at += gitOption.test(word.text) ? 2 : 1
  return [first, ...others.slice(at)]
}

function execAt(words: Words): number {
  const at = words.findIndex(({ text }) => /^-(?:exec|ok)(?:dir)?$/.test(text))
  return at === -1 ? words.length : at + 1
}

/** What begins at each of the words; where there are too many of them, that is not known. */
function suffixes(words: Words, more: Words): readonly Words[] {
  const found = words.slice(0, mostWords).map((_, at) => plainGit([...words.slice(at), ...more]))
  return words.length > mostWords ? [...found, [unknown]] : found
}

/** The commands of a word that is a command line itself. */
function calledIn({ text, isLiteral }: ShellWord, depth: number): readonly Words[] {
  if (!isLiteral || !/[\s;&|()$`<>]/.test(text)) return []
  const commands = depth < maxDepth ? parseShell(text) : undefined
  if (commands === undefined) return [[unknown]]
  return commands.flatMap(({ words }) => [words, ...calledBy(words, depth + 1)])
}
