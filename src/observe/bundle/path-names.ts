import type { Json, JsonObject } from '../../kernel/json.ts'

/** Keys under which a log stores paths. */
const pathKeys: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'file',
  'files',
  'folder',
  'source',
  'sources',
  'cwd',
  'filesWithin',
  'workspace',
])
const absolute = /^(?:\/(?!\/)|[A-Za-z]:[\\/]|\\\\)[^\0\n]*$/
const maxPathLength = 4096
/** Folders shared by many users, which are never replaced by themselves. */
const shared = /^(?:\/|\/home|\/Users|[A-Za-z]:[\\/]?|[A-Za-z]:[\\/]Users)$/
/** Word characters of any script, including combining marks; for a character class of a regular expression. */
const word = '\\p{L}\\p{M}\\p{N}_'
const before = `(?:(?<![${word}.~-])|(?<=%[0-9A-Fa-f]{2}))`
const after = `(?![${word}-]|\\.[${word}])`
const homes = new RegExp(
  `${before}(?:/(?:home|Users)/[${word}.-]*[${word}]|/root|[A-Za-z]:\\\\Users\\\\[${word}.-]*[${word}])${after}`,
  'gu',
)

/** Collects the machine's paths in a log to replace them, in the same way on every machine. */
export class PathNames {
  private readonly folders = new Set<string>()
  private readonly homes = new Set<string>()

  /** Collects the values under path keys anywhere in a value, and the homes in all of its texts. */
  see(value: Json | undefined, isPath = false): void {
    if (typeof value === 'string') {
      if (isPath && value.length <= maxPathLength && absolute.test(value))
        this.folders.add(toParentFolder(value))
      for (const [home] of value.matchAll(homes)) this.homes.add(home)
    } else if (Array.isArray(value)) {
      for (const item of value) this.see(item, isPath)
    } else if (value !== null && typeof value === 'object') {
      for (const [key, member] of Object.entries(value)) this.see(member, pathKeys.has(key))
    }
  }

  /** Adds a home folder of this machine. */
  seeHome(path: string): void {
    if (absolute.test(path) && !shared.test(path)) this.homes.add(path.replace(/[\\/]+$/, ''))
  }

  /** Excludes a home that a source's text mentions: it is part of the source. */
  leave(text: string): void {
    for (const home of this.homes)
      if (text.includes(home) && toPattern(home).test(text)) this.homes.delete(home)
  }

  /** What to replace with what: top-level folders, and homes. */
  replacements(): PathReplacements {
    const folders = [...this.folders].sort()
    const outer = folders.filter((folder) => !folders.some((other) => isInside(folder, other)))
    const named = outer.map((folder, index) => [folder, `[folder ${index + 1}]`] as const)
    return new PathReplacements([
      ...named,
      ...[...this.homes].sort().map((home) => [home, '[home]'] as const),
    ])
  }
}

/** Replaces paths in texts. */
export class PathReplacements {
  private readonly rules: readonly Rule[]
  private readonly used = new Set<string>()

  constructor(names: readonly (readonly [path: string, name: string])[]) {
    const forms = names.flatMap(([path, name]) =>
      listEncodedForms(path).map((form) => ({ form, name })),
    )
    // Longest first: otherwise a replaced shorter path would leave the rest of a longer one in the text.
    this.rules = forms
      .sort((a, b) => b.form.length - a.form.length)
      .map(({ form, name }) => ({
        escaped: JSON.stringify(form).slice(1, -1),
        pattern: toPattern(form),
        name,
      }))
  }

  /** The placeholders used so far, in order. */
  get names(): readonly string[] {
    return [...this.used].sort()
  }

  /** The value with every path replaced; the same object if there is none. */
  apply<T extends Json>(value: T): T {
    if (this.rules.length === 0) return value
    const text = JSON.stringify(value)
    const needed = this.rules.filter(({ escaped: path }) => text.includes(path))
    return needed.length === 0 ? value : (mapTexts(value, (one) => this.replace(one, needed)) as T)
  }

  private replace(text: string, rules: readonly Rule[]): string {
    return rules.reduce(
      (rest, { pattern, name }) =>
        rest.replace(pattern, () => {
          this.used.add(name)
          return name
        }),
      text,
    )
  }
}

interface Rule {
  /** Escaped as in JSON. */
  readonly escaped: string
  readonly pattern: RegExp
  readonly name: string
}

/** Whether a text may contain a placeholder, so that it no longer matches its hash. */
export function holdsReplacement(text: string, names: readonly string[]): boolean {
  return names.some((name) => text.includes(name))
}

/** A value with `change` applied to each of its texts, including keys. */
export function mapTexts(
  value: Json | undefined,
  change: (text: string) => string,
): Json | undefined {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change) as Json)
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) => [
      change(key),
      mapTexts(member, change),
    ]),
  )
}

/** The folder of a path; for a path directly in a shared folder, the path itself. */
function toParentFolder(path: string): string {
  const trimmed = path.replace(/(?<=.)[\\/]+$/, '')
  const folder = trimmed.replace(/[\\/][^\\/]*$/, '') || '/'
  return shared.test(folder) ? trimmed : folder
}

function isInside(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length))
}

/** A path as it is, and URL-encoded. */
function listEncodedForms(path: string): readonly string[] {
  const known = path.toWellFormed()
  const encoded = [encodeURI(known), encodeURIComponent(known)]
  const lower = encoded.map((form) => form.replaceAll(/%../g, (code) => code.toLowerCase()))
  return [...new Set([path, ...encoded, ...lower])]
}

function toPattern(path: string): RegExp {
  return new RegExp(`${before}${escaped(path)}${after}`, 'gu')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
