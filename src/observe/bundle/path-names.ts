import type { Json, JsonObject } from '../../kernel/json.ts'

/** Under these names a log has paths. */
const pathKeys: ReadonlySet<string> = new Set([
  'path',
  'paths',
  'file',
  'files',
  'folder',
  'source',
  'sources',
  'cwd',
])
const absolute = /^(?:\/(?!\/)|[A-Za-z]:[\\/]|\\\\)[^\0\n]*$/
const maxPathLength = 4096
/** Folders that are many people's, or all of them: no path is cut at one of these. */
const shared = /^(?:\/|\/home|\/Users|[A-Za-z]:[\\/]?|[A-Za-z]:[\\/]Users)$/
/** What names are made of in any script, letters written as two code points too; for a class of a regular expression. */
const word = '\\p{L}\\p{M}\\p{N}_'
const before = `(?:(?<![${word}.~-])|(?<=%[0-9A-Fa-f]{2}))`
const after = `(?![${word}-]|\\.[${word}])`
const homes = new RegExp(
  `${before}(?:/(?:home|Users)/[${word}.-]*[${word}]|/root|[A-Za-z]:\\\\Users\\\\[${word}.-]*[${word}])${after}`,
  'gu',
)

/** Gathers the paths of one machine that a log names, to name them otherwise: in another way on no other machine. */
export class PathNames {
  private readonly folders = new Set<string>()
  private readonly homes = new Set<string>()

  /** Takes in what stands under a path's name anywhere in a value, and the homes in all of its texts. */
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

  /** Takes in a home of this machine. */
  seeHome(path: string): void {
    if (absolute.test(path) && !shared.test(path)) this.homes.add(path.replace(/[\\/]+$/, ''))
  }

  /** A home that a source's text names is the source's, and stays as it is. */
  leave(text: string): void {
    for (const home of this.homes)
      if (text.includes(home) && toPattern(home).test(text)) this.homes.delete(home)
  }

  /** What to replace by what: folders that lie in none of the others, and homes. */
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
    // The longest first: what a shorter one leaves of a longer one would stay in the text.
    this.rules = forms
      .sort((a, b) => b.form.length - a.form.length)
      .map(({ form, name }) => ({
        escaped: JSON.stringify(form).slice(1, -1),
        pattern: toPattern(form),
        name,
      }))
  }

  /** The names that stood in for a path so far, in order. */
  get names(): readonly string[] {
    return [...this.used].sort()
  }

  /** The value with every path replaced; the same value where there is none. */
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
  /** As JSON has it. */
  readonly escaped: string
  readonly pattern: RegExp
  readonly name: string
}

/** Whether a text may hold a path's replacement, so that it is not what was hashed. */
export function holdsReplacement(text: string, names: readonly string[]): boolean {
  return names.some((name) => text.includes(name))
}

/** A value with each of its texts, keys too, as `change` gives it. */
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

/** The folder of a path; of one that lies in a folder of many, the path itself. */
function toParentFolder(path: string): string {
  const trimmed = path.replace(/(?<=.)[\\/]+$/, '')
  const folder = trimmed.replace(/[\\/][^\\/]*$/, '') || '/'
  return shared.test(folder) ? trimmed : folder
}

function isInside(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length))
}

/** A path as it is, and as addresses have it. */
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
