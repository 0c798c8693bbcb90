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
export function gitPrints([command = '', ...words]: readonly string[]): GitPrints | undefined {
  const end = words.indexOf('--')
  const [before, paths] = end === -1 ? [words, []] : [words.slice(0, end), words.slice(end)]
  const options = before.filter(isOption)
  if (!options.every(isKnown)) return undefined
  if (before.some((word, at) => word === '-n' && !isCount(before, at + 1))) return undefined
  if (!printsContents(command, options)) return { named: [], commits: [], revisions: [] }
  const read = before.map((word, at) => {
    if (isOption(word)) return choosing.test(word) ? { word } : {}
    return isCount(before, at) ? { word } : readOther(word)
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

function isKnown(word: string): boolean {
  return [choosing, shaping, withoutContents, withContents].some((kind) => kind.test(word))
}

function printsContents(command: string, options: readonly string[]): boolean {
  // What is no commit is printed whole, whatever the options.
  if (command === 'show' || options.some((word) => withContents.test(word))) return true
  return command === 'diff' && !options.some((word) => withoutContents.test(word))
}

interface Other {
  /** What Git is asked with. */
  readonly word?: string
  /** A file of a commit. */
  readonly path?: string
  readonly commit?: string
}

/** A commit, a range or a path, so that nothing but a commit can be meant by a hash. */
function readOther(word: string): Other | undefined {
  const [, commit, path] = /^([\w./@~^-]+):([^:]*)$/.exec(word) ?? []
  if (commit !== undefined && path !== undefined) return { commit, path }
  if (/:|\^\{|-g[\da-f]{4,}/i.test(word)) return undefined
  const hash = /(^|\^|\.\.)([\da-f]{4,64})(?=$|\.\.)/gi
  return { word: word.replaceAll(hash, '$1$2^{commit}') }
}

/** The names in what Git prints for `--name-status -z`; `undefined` where that is something else. */
export function namesOfStatus(printed: string): readonly string[] | undefined {
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
