import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isInside } from '../../../files/real-place.ts'
import { createReadingEnvironment } from './command-environment.ts'
import { followPath } from './follow-path.ts'

/** How a folder is examined. */
export interface GitLook {
  readonly ask: GitQuery
  /** Whether the command looks into submodules, as `git status` does. */
  readonly looksBelow: boolean
}

/** Repository settings that name no program, file or other location. Every other setting may. */
const harmlessSettings: readonly RegExp[] = [
  /^core\.(?:abbrev|autocrlf|bare|bigfilethreshold|checkstat|commentchar|commitgraph|compression|eol|filemode|fscache|hidedotfiles|hookspath|ignorecase|logallrefupdates|longpaths|loosecompression|multipackindex|precomposeunicode|preloadindex|protecthfs|protectntfs|quotepath|repositoryformatversion|safecrlf|sharedrepository|sparsecheckout|sparsecheckoutcone|splitindex|symlinks|trustctime|untrackedcache|whitespace)$/,
  /^(?:advice|color|column|commit|fetch|gc|gitflow|gui|http|i18n|index|init|maintenance|pack|pull|push|rebase|rerere|user)\./,
  /^branch\.(?:autosetupmerge|autosetuprebase|.+\.[\w-]+)$/s,
  /^remote\.(?:pushdefault|.+\.(?:fetch|followremotehead|gh-resolved|mirror|prune|prunetags|push|pushurl|skipdefaultupdate|skipfetchall|tagopt|url))$/s,
  /^submodule\.(?:active|fetchjobs|recurse|.+\.(?:active|branch|fetchrecursesubmodules|ignore|url))$/s,
  /^diff\.(?:algorithm|colormoved|colormovedws|context|indentheuristic|interhunkcontext|mnemonicprefix|noprefix|renamelimit|renames|statgraphwidth|suppressblankempty|.+\.(?:binary|xfuncname))$/s,
  /^log\.(?:abbrevcommit|date|decorate|follow|mailmap|showroot)$/,
  /^status\.(?:aheadbehind|branch|relativepaths|renames|short|showstash|showuntrackedfiles)$/,
  /^merge\.(?:conflictstyle|ff|renames|stat)$/,
  /^extensions\.(?:compatobjectformat|noop|objectformat|preciousobjects|refstorage|relativeworktrees|worktreeconfig)$/,
  /^lfs\.(?:repositoryformatversion|.+\.(?:access|locksverify))$/s,
]

const maxEntries = 50_000
const maxPathBytes = 10_000
const maxRepositories = 32

/**
 * Why Git might execute a program or read from elsewhere because of a folder's contents: its configuration, links, or
 * other repositories it leads to. `undefined` if it only reads in the environment of {@link createReadingEnvironment}.
 */
export function findGitObjection(folder: string, look: GitLook): string | undefined {
  const open = [folder]
  for (let count = 0; count < open.length; count++) {
    if (count === maxRepositories) return 'There are too many submodules.'
    const at = open[count] as string
    const found = readRepository(at, look)
    if (typeof found === 'string') return found
    if (found === undefined) continue
    const objection = findRepositoryObjection(found)
    if (objection !== undefined) return objection
    if (!look.looksBelow) continue
    const below = listSubmodules(found.top, look)
    if (below === undefined) return unknownRepository
    open.push(...below)
  }
  return undefined
}

const unknownRepository = 'Git does not report enough about this repository.'

/** The folders of a repository, links resolved. */
interface Repository {
  readonly top: string
  readonly gitFolder: string
  /** The folder shared by all worktrees. */
  readonly common: string
  /** The repository's own settings with their values. */
  readonly settings: readonly (readonly [name: string, value: string])[]
}

/** The repository of a folder; `undefined` if there is none, a sentence if that is unknown. */
function readRepository(at: string, { ask }: GitLook): Repository | string | undefined {
  const said = ask(['rev-parse', '--absolute-git-dir', '--git-common-dir'], at)
  if (said === undefined) return mayHaveRepository(at) ? unknownRepository : undefined
  const [gitFolder = '', common = '', ...more] = said.trimEnd().split('\n')
  const top = ask(['rev-parse', '--show-toplevel'], at)?.replace(/\n$/, '') ?? ''
  const settings = parseOwnSettings(ask(['config', '--list', '--show-scope', '-z'], at))
  const places = [gitFolder, resolve(at, common), top].map((place) => followPath(place)?.path)
  const [realGit, realCommon, realTop] = places
  const isSaid = top !== '' && more.length === 0 && settings !== undefined
  if (!isSaid || !realGit || !realCommon || !realTop) return unknownRepository
  return { gitFolder: realGit, common: realCommon, top: realTop, settings }
}

/** Whether Git may find a repository in a folder or above it, bare ones included. */
function mayHaveRepository(at: string): boolean {
  const isThere = (...names: string[]) =>
    lstatSync(join(...names), { throwIfNoEntry: false }) !== undefined
  for (let folder = at; ; folder = dirname(folder)) {
    if (isThere(folder, '.git') || (isThere(folder, 'HEAD') && isThere(folder, 'objects')))
      return true
    if (folder === dirname(folder)) return false
  }
}

/** Settings in the repository itself, and in files that these include. */
function parseOwnSettings(listed: string | undefined): Repository['settings'] | undefined {
  const parts = listed?.split('\0').slice(0, -1)
  if (parts === undefined || parts.length % 2 !== 0) return undefined
  const entries = parts.flatMap((scope, at) => (at % 2 === 0 ? [[scope, parts[at + 1] ?? '']] : []))
  return entries.flatMap(([scope = '', entry = '']): [string, string][] => {
    if (/^(?:system|global|command)$/.test(scope)) return []
    const [, name = '', value = 'true'] = /^([^\n]*)(?:\n(.*))?$/s.exec(entry) ?? []
    return [[name, value]]
  })
}

function findRepositoryObjection(repository: Repository): string | undefined {
  const { settings, common, gitFolder } = repository
  const naming = settings.find(([name, value]) => !isHarmless(name, value))
  // The middle of a setting's name can be any text, and a person is shown it.
  const name = naming?.[0].replace(/\..*\./s, '.….')
  if (name !== undefined)
    return `The Git configuration of this folder sets ${name}, which may run a program or point elsewhere.`
  if (!isOwn(repository)) return 'The repository of this folder is elsewhere.'
  const folders = isInside(gitFolder, common) ? [common] : [common, gitFolder]
  if (existsSync(join(common, 'objects/info/alternates')) || hasLinks(folders))
    return 'The repository of this folder may contain links that lead elsewhere.'
  return undefined
}

/** `core.worktree` is checked against the repository itself. */
function isHarmless(name: string, value: string): boolean {
  if (name === 'core.worktree') return true
  if (name === 'core.fsmonitor') return /^(?:true|false|)$/.test(value)
  return harmlessSettings.some((pattern) => pattern.test(name))
}

/** Whether a repository belongs to the folder: it is inside, or names the folder as its worktree or submodule. */
function isOwn({ top, gitFolder, common, settings }: Repository): boolean {
  const entry = join(top, '.git')
  const isFolder = lstatSync(entry, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) return false
  const worktree = settings.findLast(([name]) => name === 'core.worktree')?.[1]
  if (isFolder) return worktree === undefined && gitFolder === entry && common === entry
  const isNamed = (place: string) => followPath(resolve(gitFolder, place))?.path
  if (worktree !== undefined) return common === gitFolder && isNamed(worktree) === top
  const back = readSmallFile(join(gitFolder, 'gitdir'))
  if (back === undefined) return common === gitFolder && isInside(gitFolder, top)
  return isInside(gitFolder, join(common, 'worktrees')) && isNamed(back.trimEnd()) === entry
}

function readSmallFile(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isFile() && stats.size <= maxPathBytes ? readFileSync(path, 'utf8') : undefined
}

/** Whether these folders contain links, except among their hooks; also true if there is too much to examine. */
function hasLinks(folders: readonly string[]): boolean {
  const open = [...folders]
  let count = 0
  try {
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        count += 1
        if (entry.name === 'hooks' && folders.includes(folder)) continue
        if (entry.isSymbolicLink() || count > maxEntries) return true
        if (entry.isDirectory()) open.push(join(folder, entry.name))
      }
    }
  } catch {
    // What cannot be examined may be a link.
    return true
  }
  return false
}

/** Folders of the checked-out submodules. */
function listSubmodules(top: string, { ask }: GitLook): readonly string[] | undefined {
  const listed = ask(['ls-files', '--stage', '-z'], top)
  return listed
    ?.split('\0')
    .flatMap((line) => /^160000 \S+ \d\t(.*)$/s.exec(line)?.[1] ?? [])
    .map((path) => join(top, path))
    .filter((path) => lstatSync(join(path, '.git'), { throwIfNoEntry: false }) !== undefined)
}

/** Runs Git in a folder; `undefined` if it fails, takes too long or prints too much. */
export type GitQuery = (words: readonly string[], folder: string) => string | undefined

const maxPrintedBytes = 64_000_000

/**
 * Creates a way to query Git with everything switched off that it would execute by itself.
 * @param program path of Git, outside of the folder
 * @param untilMs deadline, in terms of `performance.now()`
 */
export function createGitQuery(
  program: string,
  environment: Readonly<Record<string, string>>,
  untilMs: number,
): GitQuery {
  const env = createReadingEnvironment(environment)
  return (words, cwd) => {
    const timeout = Math.ceil(untilMs - performance.now())
    if (timeout <= 0) return undefined
    const { status, stdout } = spawnSync(program, words, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: maxPrintedBytes,
    })
    return status === 0 ? stdout : undefined
  }
}
