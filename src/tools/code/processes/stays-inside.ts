import { spawnSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CodeWorkspace, pathIsOpen, wordStaysInside } from '../files/code-workspace.ts'
import { type GitPrints, gitPrints, namesOfStatus } from '../shell/git-words.ts'
import type { MayRead } from '../shell/judge-command.ts'

/** Where commands read. */
export interface ReadingSite {
  readonly workspace: CodeWorkspace
  /** The folder of the workspace, links not yet followed. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/** Whether a command that only reads gives nothing of what `read` would refuse. */
export function createMayRead({ workspace, folder, environment }: ReadingSite): MayRead {
  return ({ words, inputs, folders, isUnchanged, untilMs }) => {
    const root = realPathOf(folder)
    const isInside = (word: string) =>
      wordStaysInside(workspace, { root, realPathOf }, word, folders)
    const [name, ...others] = words
    if (![...others, ...inputs].every(isInside)) return false
    const places = folders.map((place) => realPathOf(resolve(root, place)))
    if (name === 'diff') return others.every((word) => !places.some((at) => isFolder(at, word)))
    if (name !== 'git' || !/^(?:diff|show|log)$/.test(others[0] ?? '')) return true
    const prints = gitPrints(others)
    if (prints === undefined || places.length > mostFolders) return false
    if (prints.named.length === 0 && prints.naming === undefined) return true
    // A file of an old commit has nothing to do with the link that has its name now.
    const isOpen = (path: string) => pathIsOpen(workspace, root, path) && isInside(path)
    const filesAt = (at: string) => gitFiles(prints, { at, environment, untilMs })
    return isUnchanged && places.every((at) => filesAt(at)?.every(isOpen) === true)
  }
}

/** Git is asked in each folder in which the command may be. */
const mostFolders = 4

function realPathOf(path: string): string {
  try {
    // That of the system: the other one takes `link/..` for the folder in which the link is.
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** What lies in folders is compared by name, also what neither word names. */
function isFolder(at: string, word: string): boolean {
  return statSync(resolve(at, word), { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Where Git is asked, and how long it may take. */
interface Asking {
  readonly at: string
  readonly environment: ReadingSite['environment']
  readonly untilMs: number
}

/** The files of which Git would print something; `undefined` where it does not say. */
function gitFiles(prints: GitPrints, asking: Asking): readonly string[] | undefined {
  const { named, naming } = prints
  const top = gitSays(['rev-parse', '--show-toplevel'], asking)?.replace(/\n$/, '')
  if (top === undefined || top === '' || !namesCommits(prints, asking)) return undefined
  const printed =
    naming === undefined ? '' : gitSays(['-c', 'diff.relative=false', ...naming], asking)
  const found = printed === '' ? [] : printed === undefined ? undefined : namesOfStatus(printed)
  const own = named.map((path) => resolve(/^\.\.?\//.test(path) ? asking.at : top, path))
  return found === undefined ? undefined : [...own, ...found.map((path) => resolve(top, path))]
}

/** Whether all that is named are commits: in a tree files have other names, and what is no tree has none. */
function namesCommits({ commits, revisions }: GitPrints, asking: Asking): boolean {
  const found =
    revisions.length === 0 ? '' : gitSays(['rev-parse', '--revs-only', ...revisions], asking)
  if (found === undefined) return false
  const hashes = found.split('\n').filter((line) => line !== '')
  const names = [...commits, ...hashes.map((hash) => hash.replace('^', ''))]
  const peeled = names.map((name) => `${name}^{commit}`)
  return names.length === 0 || gitSays(['rev-parse', ...peeled, '--'], asking) !== undefined
}

const maxPrintedBytes = 4_000_000

function gitSays(
  words: readonly string[],
  { at, environment, untilMs }: Asking,
): string | undefined {
  const timeout = Math.ceil(untilMs - performance.now())
  if (timeout <= 0) return undefined
  const { status, stdout } = spawnSync('git', words, {
    cwd: at,
    env: { ...environment, GIT_OPTIONAL_LOCKS: '0' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: maxPrintedBytes,
  })
  return status === 0 ? stdout : undefined
}
