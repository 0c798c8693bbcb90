import type { CalledCommands, ShellWord } from './shell-command.ts'

const git: ShellWord = { text: 'git', pattern: 'git', isLiteral: true }
const unknown: ShellWord = { text: '', pattern: '', isLiteral: false }

/** Options before the command that take the next word. */
const taking =
  /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix|shallow-file|attr-source))$/
/** Options before the command with which Git runs other programs than its own. */
const telling = /^(?:-c|--(?:exec-path|config-env))(?:=|$)/
/** Settings that name no program. */
const harmless = /^(?:advice|color|user|core\.(?:abbrev|autocrlf|quotepath))\b/i
/** Commands that call nothing that stands in their words. */
const inert = new Set(
  'add am apply blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean commit describe diff for-each-ref format-patch fsck gc help init log ls-files ls-tree merge merge-base mv name-rev notes range-diff reflog remote repack reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash status switch symbolic-ref tag update-index update-ref version whatchanged worktree'.split(
    ' ',
  ),
)
/** Those that call what some of their words say, and these words, long options cut short among them. */
const calling: Readonly<Record<string, RegExp>> = {
  archive: /^--(?:e|re)/,
  bisect: /^run$/,
  clone: /^(?:-u|-c|--u|--co)/,
  config: /^(?:!|(?:alias|core|credential|diff|filter|gpg|include\w*|merge|pager|sequence|url)\.)/,
  fetch: /^--upl/,
  grep: /^(?:-O|--op)/,
  'ls-remote': /^--(?:u|exe)/,
  pull: /^--upl/,
  push: /^--(?:rece|e)/,
  rebase: /^(?:-[a-z]*x|--ex)/,
  submodule: /^foreach$/,
}

/** What Git may call, by the words behind it: its command without the options before it, and programs that it is told of. */
export function gitCalls(given: readonly ShellWord[]): CalledCommands {
  let at = 0
  for (let word = given[0]; word?.text.startsWith('-'); word = given[at])
    at += taking.test(word.text) ? 2 : 1
  const [command, ...others] = given.slice(at)
  const told = [[git, ...given.slice(at)]]
  const isTold = given.slice(0, at).some(({ text }, index) => {
    const setting = text === '-c' ? (given[index + 1]?.text ?? '') : text
    return telling.test(text) && !harmless.test(setting)
  })
  const name = command?.isLiteral === true ? command.text : undefined
  const words = name === undefined || !Object.hasOwn(calling, name) ? undefined : calling[name]
  // Another name may be an alias for anything.
  const isKnown = command === undefined || words !== undefined || inert.has(name ?? '')
  const isNamed = others.some(({ text }) => text.includes('ext::') || words?.test(text))
  return { told, possible: isTold || !isKnown || isNamed ? [[unknown]] : [] }
}
