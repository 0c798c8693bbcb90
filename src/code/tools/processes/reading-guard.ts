import { statSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { type CodeWorkspace, isOpenPath } from '../files/code-workspace.ts'
import { type GitPrints, parseNameStatus, readGitPrints } from '../shell/git-commands.ts'
import type { ReadingGuard, ReadOnlyCommand } from '../shell/judge-command.ts'
import { shellBuiltins } from '../shell/reading-forms.ts'
import { findProgram } from './find-program.ts'
import { followPath } from './follow-path.ts'
import { createGitQuery, findGitObjection, type GitQuery } from './git-objection.ts'

/** What commands can read from. */
export interface ReadingGuardOptions {
  readonly workspace: CodeWorkspace
  /** The workspace's folder, links unresolved. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** Git is queried in each folder that the command may be in. */
const maxFolders = 4
/** Maximum number of file names in one word. */
const maxPaths = 100

/**
 * Creates the guard that determines what read-only commands would disclose, and whether `read` would refuse any of it.
 */
export function createReadingGuard(scope: ReadingGuardOptions): ReadingGuard {
  const isOpen = (root: string, path: string) => isOpenPath(scope.workspace, root, path)
  const rootOf = () => followPath(resolve(scope.folder))?.path
  return {
    begin(folder) {
      const root = rootOf()
      if (root === undefined) return []
      const found = findFolder(isAbsolute(folder) ? folder : `${root}/${folder}`)
      return found !== undefined && isOpen(root, found) ? [found] : []
    },
    enter(folders, to) {
      const root = rootOf()
      const found = folders.flatMap((folder) => findCdTargets(folder, to))
      const isOpenPlace = (place: string | undefined) =>
        root !== undefined && place !== undefined && isOpen(root, place)
      return found.every(isOpenPlace) ? found.filter((place) => place !== undefined) : undefined
    },
    objection(reading) {
      const { words, names, folders, untilMs } = reading
      const root = rootOf()
      const paths = names.map(findPaths)
      const isOpenPath = (path: string) =>
        performance.now() < untilMs &&
        folders.every((folder) => isOpenName(path, { folder, root: root ?? '', isOpen }))
      const areOpen = paths.every((all) => all.length <= maxPaths && all.every(isOpenPath))
      if (root === undefined || folders.length === 0 || !areOpen)
        return `"${words.join(' ')}" may read files outside the workspace, or closed files in it.`
      return findProgramObjection(reading, root, scope)
    },
  }
}

/** The folder at a path; `undefined` if there is none or that is unknown. */
function findFolder(path: string): string | undefined {
  const found = followPath(path)
  return found?.isThere && statSync(found.path).isDirectory() ? found.path : undefined
}

/**
 * Where `cd` may lead from a folder: by the path's names or, as with `-P` and where no such folder exists, by links.
 * `undefined` stands for an unknown target.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/cd.html
 */
function findCdTargets(folder: string, to: string): readonly (string | undefined)[] {
  const written = isAbsolute(to) ? to : `${folder}/${to}`
  const byNames = resolve(written)
  const places = [followPath(written), followPath(byNames)]
  if (places.includes(undefined)) return [undefined]
  const physical = findFolder(written)
  return [
    ...(physical === undefined ? [] : [physical]),
    ...(findFolder(byNames) === undefined ? [] : [byNames, findFolder(byNames)]),
  ]
}

/** Parts of a word that may be a file name: all of it, what follows `=` or `:`, and what follows option letters. */
function findPaths(word: string): readonly string[] {
  const afterSigns = [...word.matchAll(/[=:]/g)].map(({ index }) => word.slice(index + 1))
  const afterLetters = /^-[^-]/.test(word)
    ? Array.from(word.slice(2), (_, at) => word.slice(at + 2))
    : []
  return [word, ...afterSigns, ...afterLetters].filter((path) => path !== '')
}

interface NameContext {
  readonly folder: string
  readonly root: string
  isOpen(root: string, path: string): boolean
}

/** Whether a name leads to an open file, both as written and with links resolved. */
function isOpenName(name: string, { folder, root, isOpen }: NameContext): boolean {
  if (name === '/dev/null') return true
  // In Bash, names that begin this way open network connections.
  if (name.startsWith('~') || /^\/dev\/(?:tcp|udp)\//.test(name)) return false
  const written = isAbsolute(name) ? name : `${folder}/${name}`
  const found = followPath(written)
  return found !== undefined && isOpen(root, resolve(written)) && isOpen(root, found.path)
}

/** What the program itself may do beyond the files that its words name. */
function findProgramObjection(
  { words, folders, untilMs, isAsked }: ReadOnlyCommand,
  root: string,
  { workspace, environment }: ReadingGuardOptions,
): string | undefined {
  const [name = '', ...others] = words
  const shown = `"${words.join(' ')}"`
  if (shellBuiltins.has(name)) return undefined
  const places = folders.map((folder) => followPath(folder)?.path ?? folder)
  const program = findProgram(name, environment.PATH ?? '', root, places)
  if (program === undefined)
    return `${shown} may run a program in the workspace: ${name} is not found elsewhere first.`
  // The contents of folders are compared by name, including files that neither word names.
  const isFolder = (at: string, word: string) =>
    findFolder(isAbsolute(word) ? word : `${at}/${word}`) !== undefined
  if (name === 'diff' && others.some((word) => places.some((at) => isFolder(at, word))))
    return `${shown} may read files outside the workspace, or closed files in it.`
  if (name !== 'git') return undefined
  if (isAsked) return `${shown} was not examined, because the line needs approval anyway.`
  if (places.length > maxFolders) return `${shown} could run in too many folders.`
  const ask = createGitQuery(program, environment, untilMs)
  const looksBelow = /^(?:diff|status)$/.test(others[0] ?? '')
  for (const at of new Set(places)) {
    const objection = findGitObjection(at, { ask, looksBelow })
    if (objection !== undefined) return `${shown} may do more than read. ${objection}`
    if (!printsOpenFiles(others, { ask, at, root, workspace }))
      return `${shown} may print files outside the workspace, or closed files in it.`
  }
  return undefined
}

/** Where and how Git is queried. */
interface GitContext {
  readonly ask: GitQuery
  readonly at: string
  readonly root: string
  readonly workspace: CodeWorkspace
}

/** Whether all files whose contents a Git command would print are known and open. */
function printsOpenFiles(words: readonly string[], asking: GitContext): boolean {
  if (!/^(?:diff|log|show)$/.test(words[0] ?? '')) return true
  const prints = readGitPrints(words)
  if (prints === undefined) return false
  if (prints.named.length === 0 && prints.naming === undefined) return true
  const { root, workspace } = asking
  // A file in an old commit is unrelated to a link that now has its name.
  return (
    listPrintedFiles(prints, asking)?.every((path) => {
      const found = followPath(path)
      return (
        found !== undefined &&
        isOpenPath(workspace, root, path) &&
        isOpenPath(workspace, root, found.path)
      )
    }) === true
  )
}

/** Files whose contents Git would print; `undefined` if Git does not say. */
function listPrintedFiles(
  prints: GitPrints,
  { ask, at }: GitContext,
): readonly string[] | undefined {
  const { named, naming } = prints
  const top = ask(['rev-parse', '--show-toplevel'], at)?.replace(/\n$/, '')
  if (top === undefined || top === '' || !namesCommits(prints, ask, at)) return undefined
  const printed = naming === undefined ? '' : ask(['-c', 'diff.relative=false', ...naming], at)
  const found = printed === '' ? [] : printed === undefined ? undefined : parseNameStatus(printed)
  const own = named.map((path) => resolve(/^\.\.?\//.test(path) ? at : top, path))
  return found === undefined ? undefined : [...own, ...found.map((path) => join(top, path))]
}

/** Whether all names are commits: in other trees files have different names, and what is not a tree has none. */
function namesCommits({ commits, revisions }: GitPrints, ask: GitQuery, at: string): boolean {
  const found = revisions.length === 0 ? '' : ask(['rev-parse', '--revs-only', ...revisions], at)
  if (found === undefined) return false
  const hashes = found.split('\n').filter((line) => line !== '')
  const names = [...commits, ...hashes.map((hash) => hash.replace('^', ''))]
  const peeled = names.map((name) => `${name}^{commit}`)
  return names.length === 0 || ask(['rev-parse', ...peeled, '--'], at) !== undefined
}
