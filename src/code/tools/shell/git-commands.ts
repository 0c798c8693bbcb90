import type { CalledCommands, ReadingForm, ShellWord } from './shell-command.ts'

/** What a command of Git would print of files. */
export interface GitPrints {
  /** Files that it names as those of a commit: from the root of the checkout on, or from the folder where they begin with `./` or `../`. */
  readonly named: readonly string[]
  /** Those commits. A path has another root in what is a tree. */
  readonly commits: readonly string[]
  /** Arguments of `git rev-parse` that give all else that it names, which has to be a commit, too. */
  readonly revisions: readonly string[]
  /** Arguments with which Git names the files of whose contents it would print something; none where it prints those of `named` alone. */
  readonly naming?: readonly string[]
}

/** Options that choose commits or files, copies and renames among them: what these are made of is shown, too. */
const choosing =
  /^(?:--(?:cached|staged|merge-base|all|branches|tags|remotes|merges|no-merges|first-parent|reverse|no-walk|full-history|follow|no-renames|find-renames(?:=\d+%?)?|topo-order|date-order|author-date-order|all-match|invert-grep|cc|(?:branches|tags|remotes|since|until|after|before|author|committer|grep|max-count|skip|diff-filter|max-parents|min-parents)=.*)|-\d+|-n\d*|-[mcRiEFPg]|-[MC]\d*%?)$/s

/** Options that say how it is printed. */
const shaping =
  /^(?:--(?:oneline|graph|no-graph|decorate(?:=\w+)?|no-decorate|abbrev-commit|no-abbrev-commit|abbrev=\d+|no-abbrev|pretty|(?:pretty|format)=(?:(?!%[-+ ]?(?:G|\((?!trailers|decorate))).)*|date=.*|relative-date|color(?:=\w+)?|no-color|minimal|patience|histogram|diff-algorithm=\w+|ignore-(?:all-space|space-change|space-at-eol|blank-lines|cr-at-eol)|no-ext-diff|no-textconv|no-prefix|full-index|exit-code|no-notes|no-expand-tabs|inter-hunk-context=\d+)|-[wbz])$/s

const ofRefs = /^--(?:all|branches|tags|remotes)(?:=|$)/

const withoutContents =
  /^(?:--(?:stat(?:=[\d,]+)?|shortstat|numstat|dirstat|summary|compact-summary|name-only|name-status|raw|no-patch|quiet)|-s)$/

const withContents =
  /^(?:--(?:patch|patch-with-stat|patch-with-raw|unified=\d+|function-context|word-diff(?:=\w+)?|color-words|cc)|-[puWmc]|-U\d+)$/

/**
 * What `git diff`, `git show` or `git log` would print of files, by what stands behind `git`; `undefined` where that cannot be
 * told. What is no name of a commit is none to Git then, either: also blobs can be named by their hashes.
 */
export function readGitPrints([command = '', ...words]: readonly string[]): GitPrints | undefined {
  const end = words.indexOf('--')
  const [before, paths] = end === -1 ? [words, []] : [words.slice(0, end), words.slice(end)]
  const options = before.filter(isOption)
  if (!options.every(isKnownOption)) return undefined
  if (before.some((word, at) => word === '-n' && !isCount(before, at + 1))) return undefined
  if (!printsContents(command, options)) return { named: [], commits: [], revisions: [] }
  const read = before.map((word, at) => {
    if (isOption(word)) return choosing.test(word) ? { word } : {}
    return isCount(before, at) ? { word } : parseRevision(word)
  })
  if (read.includes(undefined)) return undefined
  const named = read.flatMap((one) => one?.path ?? [])
  const commits = read.flatMap((one) => one?.commit ?? [])
  // A folder of a commit is compared with all files.
  if (named.length > 0 && command !== 'show') return undefined
  // In their order, which says what is compared with what.
  const asked = read.flatMap((one) => one?.word ?? [])
  if (named.length > 0 && asked.length === 0) return { named, commits, revisions: [] }
  const others = asked.filter((word, at) => !isOption(word) && !isCount(asked, at))
  const revisions = [...asked.filter((word) => ofRefs.test(word)), ...others]
  const format = command === 'diff' ? [] : ['--format=']
  const naming = [command, '--name-status', '-z', ...format, ...asked, ...paths]
  return { named, commits, revisions, naming }
}

function isOption(word: string): boolean {
  return word.startsWith('-')
}

/** Whether it is the number of `-n 5`. */
function isCount(words: readonly string[], at: number): boolean {
  return words[at - 1] === '-n' && /^\d+$/.test(words[at] ?? '')
}

function isKnownOption(word: string): boolean {
  return [choosing, shaping, withoutContents, withContents].some((kind) => kind.test(word))
}

function printsContents(command: string, options: readonly string[]): boolean {
  // What is no commit is printed whole, whatever the options.
  if (command === 'show' || options.some((word) => withContents.test(word))) return true
  return command === 'diff' && !options.some((word) => withoutContents.test(word))
}

interface Revision {
  /** What Git is asked with. */
  readonly word?: string
  /** A file of a commit. */
  readonly path?: string
  readonly commit?: string
}

/** A commit, a range or a path, so that nothing but a commit can be meant by a hash. */
function parseRevision(word: string): Revision | undefined {
  const [, commit, path] = /^([\w./@~^-]+):([^:]*)$/.exec(word) ?? []
  if (commit !== undefined && path !== undefined) return { commit, path }
  if (/:|\^\{|-g[\da-f]{4,}/i.test(word)) return undefined
  const hash = /(^|\^|\.\.)([\da-f]{4,64})(?=$|\.\.)/gi
  return { word: word.replaceAll(hash, '$1$2^{commit}') }
}

/** The names in what Git prints for `--name-status -z`; `undefined` where that is something else. */
export function parseNameStatus(printed: string): readonly string[] | undefined {
  const parts = printed.split('\0')
  if (parts.pop() !== '') return undefined
  const names: string[] = []
  for (let at = 0; at < parts.length; ) {
    const [, kind = ''] = /^([ACDMRTU]+)\d*$/.exec(parts[at] ?? '') ?? []
    const count = kind === 'R' || kind === 'C' ? 2 : 1
    if (kind === '' || at + count >= parts.length) return undefined
    names.push(...parts.slice(at + 1, at + 1 + count))
    at += 1 + count
  }
  return names
}

/** What a command of Git may have to only read. */
interface GitForm {
  readonly options: RegExp
  /** Whether it may have other words beside these options. */
  mayHave?(options: readonly string[]): boolean
  /** An option whose value is the next word, and what that may be. */
  readonly value?: readonly [option: string, value: RegExp]
}

/** Orders that are known to ask no program, as that by signatures does. */
const sortOption = '--sort=-?(?:refname|authordate|committerdate|creatordate|v(?:ersion)?:refname)'

const isListing = (options: readonly string[]) =>
  options.some((word) => /^(?:-l|--list|--(?:no-)?(?:merged|contains))$/.test(word))

const gitForms: Readonly<Record<string, GitForm>> = {
  status: {
    options:
      /^(?:-[bsz]+|-u(?:no|normal|all)?|--(?:ahead-behind|branch|find-renames(?:=\d+%?)?|ignored(?:=\w+)?|long|no-ahead-behind|no-renames|porcelain(?:=v[12])?|renames|short|show-stash|untracked-files(?:=(?:no|normal|all))?))$/,
  },
  'ls-files': {
    options:
      /^(?:-[cdikmostuvz]+|--(?:abbrev(?:=\d+)?|cached|deduplicate|deleted|directory|eol|error-unmatch|exclude-standard|exclude=.*|full-name|ignored|killed|modified|no-empty-directory|others|stage|unmerged))$/s,
  },
  'rev-parse': {
    options:
      /^(?:-q|--(?:abbrev-ref(?:=\w+)?|absolute-git-dir|all|branches|git-common-dir|git-dir|is-bare-repository|is-inside-git-dir|is-inside-work-tree|is-shallow-repository|quiet|remotes|short(?:=\d+)?|show-cdup|show-prefix|show-toplevel|symbolic|symbolic-full-name|tags|verify))$/,
  },
  blame: {
    options:
      /^(?:-[efflnpstw]+|-M\d*|-L\d*(?:,[+-]?\d+)?|--(?:abbrev=\d+|date=[\w-]+|line-porcelain|porcelain|root|show-email|show-name|show-number|show-stats))$/,
    value: ['-L', /^\d*(?:,[+-]?\d+)?$/],
  },
  branch: {
    options: new RegExp(
      `^(?:-[arv]+|--(?:abbrev=\\d+|all|ignore-case|list|no-abbrev|no-color|no-column|remotes|show-current|verbose|(?:no-)?(?:merged|contains))|${sortOption})$`,
    ),
    mayHave: isListing,
  },
  tag: { options: new RegExp(`^(?:-l|--list|--no-column|${sortOption})$`), mayHave: isListing },
  remote: { options: /^$/, mayHave: () => false },
}

/** How a command of Git that only reads is understood, by what stands behind `git`; `undefined` for every other. */
export function readGitForm(words: readonly string[]): ReadingForm | undefined {
  const [command = '', ...others] = words
  const form = { names: others, operands: others }
  if (/^(?:diff|log|show)$/.test(command))
    return readGitPrints(words) === undefined ? undefined : form
  if (command === 'stash') return others.length === 1 && others[0] === 'list' ? form : undefined
  const known = Object.hasOwn(gitForms, command) ? gitForms[command] : undefined
  return known !== undefined && hasOnlyKnownOptions(known, others) ? form : undefined
}

function hasOnlyKnownOptions(
  { options, mayHave = () => true, value }: GitForm,
  words: readonly string[],
) {
  const end = words.indexOf('--')
  const before = end === -1 ? words : words.slice(0, end)
  const isValue = (at: number) =>
    value !== undefined && before[at - 1] === value[0] && value[1].test(before[at] ?? '')
  const written = before.filter((word) => word.startsWith('-'))
  const hasOthers =
    before.some((word, at) => !word.startsWith('-') && !isValue(at)) || words.length > before.length
  return (
    written.every((word) => options.test(word)) &&
    before.every((word, at) => word !== value?.[0] || isValue(at + 1)) &&
    (!hasOthers || mayHave(written))
  )
}

const gitWord: ShellWord = { text: 'git', pattern: 'git', isLiteral: true }
const unknownWord: ShellWord = { text: '', pattern: '', isLiteral: false }

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
export function findGitCalls(given: readonly ShellWord[]): CalledCommands {
  let at = 0
  for (let word = given[0]; word?.text.startsWith('-'); word = given[at])
    at += taking.test(word.text) ? 2 : 1
  const [command, ...others] = given.slice(at)
  const told = [[gitWord, ...given.slice(at)]]
  const isTold = given.slice(0, at).some(({ text }, index) => {
    const setting = text === '-c' ? (given[index + 1]?.text ?? '') : text
    return telling.test(text) && !harmless.test(setting)
  })
  const name = command?.isLiteral === true ? command.text : undefined
  const words = name === undefined || !Object.hasOwn(calling, name) ? undefined : calling[name]
  // Another name may be an alias for anything.
  const isKnown = command === undefined || words !== undefined || inert.has(name ?? '')
  const isNamed = others.some(({ text }) => text.includes('ext::') || words?.test(text))
  return { told, possible: isTold || !isKnown || isNamed ? [[unknownWord]] : [] }
}
