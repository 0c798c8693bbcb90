import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { isInside, realPlace, shownPath } from '../../../files/real-place.ts'
import { ScholiumError } from '../../../kernel/errors.ts'

/** A file or folder of the workspace that may be used. */
export interface WorkspacePath {
  /** Absolute, without links. */
  readonly path: string
  /** From the workspace on, with `/`; `.` for the workspace itself. */
  readonly relativePath: string
  /** Whether it is a file such as `.env` that no rule opens. */
  readonly isSecret: boolean
}

/** The folder in which a coding agent works. */
export interface CodeWorkspace {
  /** Absolute, without links. @throws `tool_failed` when the folder is gone, or another took its place by a link */
  root(): Promise<string>
  /** Where a path leads. @throws `tool_failed` for one that leads out of the workspace or into what is closed */
  place(written: string): Promise<WorkspacePath>
  /** The same of a file whose contents are wanted. @throws `tool_failed` for secrets, too */
  readable(written: string): Promise<WorkspacePath>
  /** Whether a path from the workspace on is closed or a secret: searches pass over it. */
  isClosed(relativePath: string): boolean
  isSecret(relativePath: string): boolean
}

/** What is closed and what is open beside the rules that always hold. */
export interface CodeWorkspaceOptions {
  readonly workspace: string
  /** Absolute, or from the workspace on. */
  readonly closedFolders?: readonly string[]
  /** What a rule says of reading a file, named from the workspace on: what is denied is kept like a secret, a secret opened by a yes. */
  readonly readVerdict?: (relativePath: string) => 'allow' | 'deny' | undefined
}

/** Names by which keys and passwords are kept. Their examples are none. */
const secretName =
  /^(?:\.env(?:\..+)?|\.envrc|\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.htpasswd|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|.+\.(?:pem|key|p12|pfx|jks|keystore|ppk))$/i
const exampleName = /\.(?:example|sample|template|dist|defaults?|pub)$/i
const secretFolder = /^\.(?:ssh|aws|gnupg)$/i

/** The workspace with its rules. */
export function createCodeWorkspace(options: CodeWorkspaceOptions): CodeWorkspace {
  const { workspace, closedFolders = [], readVerdict = () => undefined } = options
  const closed = async (root: string) =>
    Promise.all(closedFolders.map((folder) => realPathOr(resolve(root, folder))))
  const isSecret = (relativePath: string) => {
    const verdict = readVerdict(relativePath)
    return verdict === 'deny' || (verdict === undefined && hasSecretName(relativePath.split('/')))
  }
  const gone = () => failCall('The workspace is not there any more.')
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

/** Also by the other names that file systems have for it: without case, with what they drop at the end, in short form. */
function isClosedName(name: string): boolean {
  return /^(?:\.git|git~\d+|\.scholium|schol[a-z]*~\d+)$/i.test(normalizeName(name))
}

/** A name without what some file systems drop from it. */
export function normalizeName(name: string): string {
  return name.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').replace(/(?:::\$.*|[. ]+)$/, '')
}

function hasSecretName(names: readonly string[]): boolean {
  const name = names.at(-1) ?? ''
  if (exampleName.test(name)) return false
  return secretName.test(name) || names.some((part) => secretFolder.test(part))
}

/** Whether an absolute path, taken as it is written, is neither closed nor a secret nor out of the workspace. */
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

/** Ends a call that cannot be made. @throws `tool_failed` */
export function failCall(error: string, hint?: string): never {
  throw new ScholiumError('tool_failed', error, hint === undefined ? {} : { hint })
}

/**
 * Files that other programs run or obey because they lie there: nobody starts them, and nobody looks at them when it happens. What
 * runs only when somebody runs the project itself (sources, tests, `package.json`, `Makefile`) is the project, and is not here.
 *
 * A name that begins with a dot is by convention for programs, not for people: `.git`, `.gitattributes`, `.github/workflows`,
 * `.gitlab-ci.yml`, `.vscode`, `.idea`, `.husky`, `.envrc`, `.mcp.json`, `.claude`, `.cursor/rules`, `.bashrc`, and what will come.
 */
const dotName = /^\../

/** The others, by who obeys them. */
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

/** Who runs or obeys a file, named from the workspace on, because it lies there; `undefined` for nobody. */
export function findObeyer(relativePath: string): string | undefined {
  const names = relativePath.split('/').map(normalizeName)
  if (names.some((name) => dotName.test(name) && name !== '..')) return 'other programs'
  const last = names.at(-1) ?? ''
  return obeyedNames.find(([, name]) => name.test(last))?.[0]
}
