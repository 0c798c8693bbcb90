import type { CalledCommands, ReadingForm, ShellWord } from './shell-command.ts'

/** What a Git command would print of files. */
export interface GitPrints {
  /**
   * Files of a commit, named as `COMMIT:PATH`: relative to the root of the checkout, or to the folder if they begin
   * with `./` or `../`.
   */
  readonly named: readonly string[]
  /** The commits of those files. In a tree that is not a commit, paths have another root. */
  readonly commits: readonly string[]
  /** Arguments of `git rev-parse` for everything else that the command names, which has to be a commit too. */
  readonly revisions: readonly string[]
  /**
   * Arguments that make Git name the files whose contents it would print; absent if it only prints those of `named`.
   */
  readonly naming?: readonly string[]
}

/** Options that select commits or files, including copies and renames, whose origins are shown too. */
const choosing =
  /^(?:--(?:cached|staged|merge-base|all|branches|tags|remotes|merges|no-merges|first-parent|reverse|no-walk|full-history|follow|no-renames|find-renames(?:=\d+%?)?|topo-order|date-order|author-date-order|all-match|invert-grep|cc|(?:branches|tags|remotes|since|until|after|before|author|committer|grep|max-count|skip|diff-filter|max-parents|min-parents)=.*)|-\d+|-n\d*|-[mcRiEFPg]|-[MC]\d*%?)$/s

/** Options that control the output format. */
const shaping =
  /^(?:--(?:oneline|graph|no-graph|decorate(?:=\w+)?|no-decorate|abbrev-commit|no-abbrev-commit|abbrev=\d+|no-abbrev|pretty|(?:pretty|format)=(?:(?!%[-+ ]?(?:G|\((?!trailers|decorate))).)*|date=.*|relative-date|color(?:=\w+)?|no-color|minimal|patience|histogram|diff-algorithm=\w+|ignore-(?:all-space|space-change|space-at-eol|blank-lines|cr-at-eol)|no-ext-diff|no-textconv|no-prefix|full-index|exit-code|no-notes|no-expand-tabs|inter-hunk-context=\d+)|-[wbz])$/s

const ofRefs = /^--(?:all|branches|tags|remotes)(?:=|$)/

const withoutContents =
  /^(?:--(?:stat(?:=[\d,]+)?|shortstat|numstat|dirstat|summary|compact-summary|name-only|name-status|raw|no-patch|quiet)|-s)$/

const withContents =
  /^(?:--(?:patch|patch-with-stat|patch-with-raw|unified=\d+|function-context|word-diff(?:=\w+)?|color-words|cc)|-[puWmc]|-U\d+)$/

/**
 * What `git diff`, `git show` or `git log` would print of files, given the words after `git`; `undefined` if that is
 * unknown. Hashes are marked as commits, since blobs can be named by their hashes too.
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
  // A folder of a commit would be compared with all files.
  if (named.length > 0 && command !== 'show') return undefined
  // Order matters: it says what is compared with what.
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

/** Whether the word is the number in `-n 5`. */
function isCount(words: readonly string[], at: number): boolean {
  return words[at - 1] === '-n' && /^\d+$/.test(words[at] ?? '')
}

function isKnownOption(word: string): boolean {
  return [choosing, shaping, withoutContents, withContents].some((kind) => kind.test(word))
}

function printsContents(command: string, options: readonly string[]): boolean {
  // What is not a commit is printed in full, whatever the options.
  if (command === 'show' || options.some((word) => withContents.test(word))) return true
  return command === 'diff' && !options.some((word) => withoutContents.test(word))
}

interface Revision {
  /** The word as given to Git. */
  readonly word?: string
  /** A file of a commit. */
  readonly path?: string
  readonly commit?: string
}

/** Parses a commit, a range or a path, so that a hash can only mean a commit. */
function parseRevision(word: string): Revision | undefined {
  const [, commit, path] = /^([\w./@~^-]+):([^:]*)$/.exec(word) ?? []
  if (commit !== undefined && path !== undefined) return { commit, path }
  if (/:|\^\{|-g[\da-f]{4,}/i.test(word)) return undefined
  const hash = /(^|\^|\.\.)([\da-f]{4,64})(?=$|\.\.)/gi
  return { word: word.replaceAll(hash, '$1$2^{commit}') }
}

/** The names in the output of `--name-status -z`; `undefined` if the output is something else. */
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

/** What a Git command may contain to be read-only. */
interface GitForm {
  readonly options: RegExp
  /** Whether it may have other words, given its options. */
  mayHave?(options: readonly string[]): boolean
  /** An option whose value is the next word, and the pattern of that value. */
  readonly value?: readonly [option: string, value: RegExp]
}

/** Sort orders that run no program, unlike sorting by signature. */
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

/** How a read-only Git command is understood, given the words after `git`; `undefined` for any other command. */
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
/** Options before the command that make Git run other programs. */
const telling = /^(?:-c|--(?:exec-path|config-env))(?:=|$)/
/** Settings that name no program. */
const harmless = /^(?:advice|color|user|core\.(?:abbrev|autocrlf|quotepath))\b/i
/** Commands that run nothing named in their arguments. */
const inert = new Set(
  'add am apply blame branch bundle cat-file check-ignore checkout cherry cherry-pick clean commit describe diff for-each-ref format-patch fsck gc help init log ls-files ls-tree merge merge-base mv name-rev notes range-diff reflog remote repack reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash status switch symbolic-ref tag update-index update-ref version whatchanged worktree'.split(
    ' ',
  ),
)
/** Commands that run what some arguments say, with a pattern of these arguments, abbreviated long options included. */
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

/**
 * What Git may run, given the words after it: its command without the options before it, and programs it is told to
 * use.
 */
export function findGitCalls(given: readonly ShellWord[]): CalledCommands {
  let at = 0
  for (let word = given[0]; word?.text.startsWith('-'); word = given[at])
    at += taking.test(word.text) ? 2 : 1
  const [command, ...others] = given.slice(at)
  const explicit = [[gitWord, ...given.slice(at)]]
  const isTold = given.slice(0, at).some(({ text }, index) => {
    const setting = text === '-c' ? (given[index + 1]?.text ?? '') : text
    return telling.test(text) && !harmless.test(setting)
  })
  const name = command?.isLiteral === true ? command.text : undefined
  const words = name === undefined || !Object.hasOwn(calling, name) ? undefined : calling[name]
  // Any other name may be an alias for anything.
  const isKnown = command === undefined || words !== undefined || inert.has(name ?? '')
  const isNamed = others.some(({ text }) => text.includes('ext::') || words?.test(text))
  return { explicit, possible: isTold || !isKnown || isNamed ? [[unknownWord]] : [] }
}
