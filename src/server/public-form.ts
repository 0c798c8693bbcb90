import { posix, win32 } from 'node:path'

/** Members whose texts are paths of this machine. */
const pathMembers: ReadonlySet<string> = new Set([
  'cwd',
  'file',
  'files',
  'filesWithin',
  'folder',
  'home',
  'path',
  'paths',
  'place',
  'workspace',
])

/** Members whose texts are messages to people, which may name paths. */
const messageMembers: ReadonlySet<string> = new Set(['detail', 'hint', 'message', 'reason'])

/** A path with at least two parts that is no part of an address or of a longer word. */
const pathInMessage = /(?<![\w:/.<])(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}/g

/**
 * How data of the app leaves the machine: without the places of its files. Files keep their names, and their paths inside a known
 * folder.
 */
export class PublicForm {
  private readonly roots: readonly string[]
  private readonly originals: string
  private readonly rootPattern: RegExp

  /**
   * @param roots folders and files whose places are not told, wherever they are mentioned
   * @param originals the folder of uploads, of which only names are told
   */
  constructor(roots: Iterable<string>, originals: string) {
    const long = [...new Set(roots)].filter((root) => root.length > 1)
    this.roots = long.toSorted((one, other) => other.length - one.length)
    this.originals = originals
    const upload = `${RegExp.escape(originals)}[\\\\/][\\w-]+[\\\\/][0-9a-f]{64}`
    const pattern = [upload, ...this.roots.map((root) => RegExp.escape(root))].join('|')
    this.rootPattern = new RegExp(`(${pattern})(?:([\\\\/])|(?![\\w.-]))`, 'g')
  }

  /** The same for data that mentions more places. */
  with(roots: Iterable<string>): PublicForm {
    return new PublicForm([...this.roots, ...roots], this.originals)
  }

  /** The public form of JSON data, as a text. */
  text(value: unknown): string {
    return JSON.stringify(value, (name, member) => this.member(name, member))
  }

  /** The public form of JSON data. */
  of<T>(value: T): T {
    return JSON.parse(this.text(value)) as T
  }

  private member(name: string, value: unknown): unknown {
    if (typeof value === 'string') return this.string(name, value)
    if (Array.isArray(value))
      return pathMembers.has(name)
        ? value.map((item) => (typeof item === 'string' ? this.string(name, item) : item))
        : value
    if (typeof value !== 'object' || value === null) return value
    if (!Object.keys(value).some(isAbsolutePath)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [isAbsolutePath(key) ? fileName(key) : key, item]),
    )
  }

  /** A text without the known places. */
  plain(text: string): string {
    return text.replace(this.rootPattern, (_, root, slash) => (slash ? '' : fileName(root)))
  }

  private string(name: string, text: string): string {
    const known = this.plain(text)
    if (pathMembers.has(name) && isAbsolutePath(known)) return fileName(known)
    return messageMembers.has(name) ? known.replaceAll(pathInMessage, fileName) : known
  }
}

/** The places of this machine that JSON data names. */
export function pathsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string')
    return pathMembers.has(name) && isAbsolutePath(value) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, name))
  return Object.entries(value).flatMap(([key, member]) => pathsIn(member, key))
}

function isAbsolutePath(text: string): boolean {
  return /^(?:\/[^/\s]|[A-Za-z]:[\\/])/.test(text) && !text.includes('\n')
}

function fileName(path: string): string {
  return path.includes('\\') ? win32.basename(path) : posix.basename(path)
}
