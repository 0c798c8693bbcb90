import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { isInside, realPlace, shownPath } from '../../../files/real-place.ts'
import { ScholiumError } from '../../../kernel/errors.ts'

/** A file or folder of the workspace that may be used. */
export interface WorkspacePath {
  /** Absolute, links resolved. */
  readonly path: string
  /** Relative to the workspace, with `/`; `.` for the workspace itself. */
  readonly relativePath: string
  /** Whether it is a file such as `.env`, which may hold secrets and is not read without a rule. */
  readonly isSecret: boolean
}

/** The folder that a coding agent works in. */
export interface CodeWorkspace {
  /** Absolute, links resolved. @throws `tool_failed` if the folder is gone, or another took its place through a link */
  root(): Promise<string>
  /** Resolves a path. @throws `tool_failed` if it leads out of the workspace or into a closed folder */
  place(written: string): Promise<WorkspacePath>
  /** Resolves a path to be read. @throws `tool_failed` also for files that may hold secrets */
  readable(written: string): Promise<WorkspacePath>
  /** Whether a path, relative to the workspace, is closed. Searches skip closed and secret paths. */
  isClosed(relativePath: string): boolean
  isSecret(relativePath: string): boolean
}

/** What is closed or open in addition to the fixed rules. */
export interface CodeWorkspaceOptions {
  readonly workspace: string
  /** Absolute, or relative to the workspace. */
  readonly closedFolders?: readonly string[]
  /**
   * What the rules say about reading a file (relative to the workspace): `deny` treats it as a secret, `allow` opens a
   * secret.
   */
  readonly readVerdict?: (relativePath: string) => 'allow' | 'deny' | undefined
}

/** File names that usually hold keys or passwords. Their examples do not count. */
const secretName =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|key|p12|pfx|jks|keystore|ppk))$/i
const exampleName = /\.(?:example|sample|template|dist|defaults?|pub)$/i
const secretFolder = /^\.(?:ssh|aws|gnupg)$/i

/** Creates the workspace with its rules. */
export function createCodeWorkspace(options: CodeWorkspaceOptions): CodeWorkspace {
  const { workspace, closedFolders = [], readVerdict = () => undefined } = options
  const closed = async (root: string) =>
    Promise.all(closedFolders.map((folder) => realPathOr(resolve(root, folder))))
  const isSecret = (relativePath: string) => {
    const verdict = readVerdict(relativePath)
    return verdict === 'deny' || (verdict === undefined && hasSecretName(relativePath.split('/')))
  }
  const gone = () => failCall('The workspace is no longer there.')
  const first = realpath(workspace).catch(() => undefined)
  const root = async () => {
    const real = await realpath(workspace).catch(gone)
    if (real !== (await first)) failCall('The workspace leads elsewhere than at the beginning.')
    return real
  }
  const place = async (written: string): Promise<WorkspacePath> => {
    const folder = await root()
    const found = await realPlace(folder, written)
    if (!found.ok) return failCall(found.error)
    if (
      found.names.some(isClosedName) ||
      (await closed(folder)).some((inner) => isInside(found.path, inner))
    ) {
      return failCall(`${shownPath(written)} is closed: what is in it is left alone.`)
    }
    const relativePath = found.names.join('/')
    return { path: found.path, relativePath: relativePath || '.', isSecret: isSecret(relativePath) }
  }
  return {
    root,
    place,
    async readable(written) {
      const found = await place(written)
      if (!found.isSecret) return found
      if (readVerdict(found.relativePath) === 'deny')
        return failCall(`A rule forbids to read ${shownPath(written)}.`, 'Do without it.')
      return failCall(
        `${shownPath(written)} may hold secrets, which are read only where a rule says so.`,
        'Do without it, or ask the person for what you need to know.',
      )
    },
    isClosed: (relativePath) => isClosedPath(relativePath, workspace, closedFolders),
    isSecret,
  }
}

function isClosedPath(
  relativePath: string,
  workspace: string,
  closedFolders: readonly string[],
): boolean {
  if (relativePath.split('/').some(isClosedName)) return true
  const path = resolve(workspace, relativePath)
  return closedFolders.some((folder) => isInside(path, resolve(workspace, folder)))
}

/** Also covers equivalent names on some file systems: other case, dropped trailing characters, short names. */
function isClosedName(name: string): boolean {
  return /^(?:\.git|git~\d+|\.scholium|schol[a-z]*~\d+)$/i.test(normalizeName(name))
}

/** A name without the characters that some file systems drop. */
function normalizeName(name: string): string {
  return name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/(?:::\$.*|[. ]+)$/, '')
}

function hasSecretName(names: readonly string[]): boolean {
  const name = names.at(-1) ?? ''
  if (exampleName.test(name)) return false
  return secretName.test(name) || names.some((part) => secretFolder.test(part))
}

/** Whether an absolute path, taken literally, is inside the workspace and neither closed nor secret. */
export function isOpenPath(
  { isClosed, isSecret }: CodeWorkspace,
  root: string,
  path: string,
): boolean {
  const relativePath = relative(root, path).split(sep).join('/')
  return (
    isInside(path, root) &&
    !isAbsolute(relativePath) &&
    !isClosed(relativePath) &&
    !isSecret(relativePath)
  )
}

async function realPathOr(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** Fails a tool call. @throws `tool_failed` */
export function failCall(error: string, hint?: string): never {
  throw new ScholiumError('tool_failed', error, hint === undefined ? {} : { hint })
}

/**
 * Files that other programs execute or obey merely because they are there: nobody starts them or looks at them when
 * that happens. What only runs when somebody runs the project itself (sources, tests, `package.json`, `Makefile`) is
 * the project and is not listed.
 *
 * By convention, names that start with a dot are for programs, not for people: `.git`, `.gitattributes`,
 * `.github/workflows`, `.gitlab-ci.yml`, `.vscode`, `.idea`, `.husky`, `.envrc`, `.mcp.json`, `.claude`,
 * `.cursor/rules`, `.bashrc`, and future ones.
 */
const dotName = /^\../

/** Other such names, by who obeys them. */
const obeyedNames: readonly (readonly [who: string, name: RegExp])[] = [
  ['agents', /^(?:agents?|claude|gemini|warp|skill)(?:\.[\w-]+)*\.md$/i],
  ['Scholium', /^scholium\.(?:ya?ml|json)$/i],
  ['editors', /\.(?:code-workspace|sublime-project)$/i],
  ['shells that enter the folder', /^(?:mise(?:\.[\w-]+)?\.toml|devbox\.json)$/i],
  ['Git, by its hooks', /^lefthook(?:-local)?\.(?:ya?ml|json|toml)$/i],
  [
    'services that build and test it',
    /^(?:jenkinsfile|(?:azure-pipelines|bitbucket-pipelines|appveyor|buildspec|cloudbuild|codemagic)\.ya?ml)$/i,
  ],
]

/** Who executes or obeys a file (relative to the workspace) merely because it is there; `undefined` for nobody. */
export function findObeyer(relativePath: string): string | undefined {
  const names = relativePath.split('/').map(normalizeName)
  if (names.some((name) => dotName.test(name) && name !== '..')) return 'other programs'
  const last = names.at(-1) ?? ''
  return obeyedNames.find(([, name]) => name.test(last))?.[0]
}
