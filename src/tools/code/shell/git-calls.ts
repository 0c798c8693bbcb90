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
  'add am apply blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean commit describe diff for-each-ref format-patch fsck gc init log ls-files ls-tree merge merge-base mv name-rev notes range-diff reflog remote repack reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash status switch symbolic-ref tag update-index update-ref version whatchanged worktree'.split(
    ' ',
  ),
)
/** Those that call what some of their words say. */
const calling = new Set(
  'archive bisect clone config fetch grep ls-remote pull push rebase submodule'.split(' '),
)

/** What Git may call, by the words behind it: its command without the options before it, and programs that it is told of. */
export function gitCalls(words: readonly ShellWord[]): CalledCommands {
  let at = 0
  for (let word = words[0]; word?.text.startsWith('-'); word = words[at])
    at += taking.test(word.text) ? 2 : 1
  const [command, ...others] = words.slice(at)
  const told = [[git, ...words.slice(at)]]
  const isTold = words.slice(0, at).some(({ text }, index) => {
    const setting = text === '-c' ? (words[index + 1]?.text ?? '') : text
    return telling.test(text) && !harmless.test(setting)
  })
  // Another name may be an alias for anything.
  const isKnown =
    command === undefined ||
    (command.isLiteral && (inert.has(command.text) || calling.has(command.text)))
  if (isTold || !isKnown) return { told, possible: [[unknown]] }
  if (command === undefined || inert.has(command.text)) return { told, possible: [] }
  return { told, possible: others.some(namesProgram) ? [[unknown]] : [] }
}

/** An option or an address that names a program, or the setting of one. */
function namesProgram({ text }: ShellWord): boolean {
  return /^--(?:u(?!pd)|rece|ex|op)|^-[uOx]|^ext::|^!|^(?:run|foreach)$|^(?:alias|core|credential|diff|filter|gpg|include\w*|merge|pager|sequence|url)\./.test(
    text,
  )
}
