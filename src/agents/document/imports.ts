import { ScholiumError } from '../../kernel/errors.ts'
import {
  itemsUnder,
  type Located,
  type LocatedMap,
  partOf,
  plainOf,
  textUnder,
  withMembers,
} from './located.ts'
import { mergeDocuments } from './merge.ts'
import { besideFile } from './normalize-node.ts'
import type { DocumentProblem, Place, ProblemCode } from './problem.ts'
import { readYaml } from './read-yaml.ts'
import { importedAs } from './rename-nodes.ts'
import { importSchema } from './schema/document-schema.ts'
import { knownKeys } from './schema/known-keys.ts'
import { shapeProblems } from './shape-issues.ts'

/**
 * Gives the text of a file that another names; the path counts from where the first file's does.
 * @throws anything, with a message for the author, when it cannot be read or must not be
 */
export type ReadFile = (path: string) => Promise<string>

/** So deep may files import each other. */
const maxImportDepth = 10
/** So many imports may there be in all. */
const maxImports = 100

/** A document with what it imports, or nothing when a file could not be taken in. */
export interface Merged {
  readonly root?: Located
  readonly problems: readonly DocumentProblem[]
}

/** Reads a file with all that it imports, and lays the overlays over it. */
export async function loadMerged(
  text: string,
  path: string,
  overlays: readonly string[],
  readFile: ReadFile | undefined,
): Promise<Merged> {
  const loader = new Loader(readFile)
  let root = await loader.load(text, path, [])
  for (const overlay of overlays) {
    const place = { file: path, line: 1, column: 1 }
    const over = await loader.loadFile(overlay, place, [])
    root = root === undefined || over === undefined ? undefined : mergeDocuments(root, over)
  }
  return { ...(root === undefined ? {} : { root }), problems: loader.problems }
}

class Loader {
  readonly problems: DocumentProblem[] = []
  readonly #readFile: ReadFile | undefined
  #imports = 0

  constructor(readFile: ReadFile | undefined) {
    this.#readFile = readFile
  }

  /** The document of a file's text; `above` are the files that import it, the first one first. */
  async load(text: string, path: string, above: readonly string[]): Promise<Located | undefined> {
    const { root, problems } = await readYaml(text, path)
    this.problems.push(...problems)
    if (root?.kind !== 'map' || partOf(root, 'imports')?.kind !== 'list') return root
    return this.#withImports(root, [...above, path])
  }

  /** The document of a file that another one names at a place. */
  async loadFile(
    path: string,
    place: Place,
    above: readonly string[],
  ): Promise<Located | undefined> {
    const says = (code: ProblemCode, message: string, hint?: string) => {
      const advice = hint === undefined ? {} : { hint }
      const where = ['imports']
      this.problems.push({ code, severity: 'error', message, ...advice, path: where, ...place })
      return undefined
    }
    if (above.includes(path)) {
      const circle = [...above.slice(above.indexOf(path)), path].join(' → ')
      return says('IMPORT_CYCLE', `circular import: ${circle}`)
    }
    if (above.length > maxImportDepth) {
      return says('IMPORT_DEPTH', `imports are nested more than ${maxImportDepth} deep`)
    }
    this.#imports++
    if (this.#imports > maxImports) {
      return this.#imports === maxImports + 1
        ? says('IMPORT_DEPTH', `there are more than ${maxImports} imports in total`)
        : undefined
    }
    if (this.#readFile === undefined) {
      return says('IMPORT_FAILED', `${path} cannot be read: imports are not available here`)
    }
    let text: string
    try {
      text = await this.#readFile(path)
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
      const hint = error instanceof ScholiumError ? error.hint : undefined
      const isWhole = reason.startsWith(`${path} cannot be read`)
      return says('IMPORT_FAILED', isWhole ? reason : `${path} cannot be read: ${reason}`, hint)
    }
    const taken = await this.load(text, path, above)
    if (taken === undefined || taken.kind === 'map') return taken
    const found = taken.kind === 'list' ? 'a list' : 'a single value'
    const hint = 'An agent file is a map of keys, such as nodes or variables.'
    return says('IMPORT_FAILED', `${path} is not an agent file: it contains ${found}`, hint)
  }

  async #withImports(root: LocatedMap, above: readonly string[]): Promise<Located | undefined> {
    let base: Located = withMembers(root, [])
    const parts: LocatedMap[] = []
    let isWhole = true
    for (const [index, entry] of itemsUnder(root, 'imports').entries()) {
      const path = this.#importPath(root, index)
      if (path === undefined) isWhole = false
      if (path === undefined) continue
      const file = besideFile(entry.place.file, path)
      const taken = await this.loadFile(file, entry.place, above)
      const name = textUnder(entry, 'as')
      if (taken?.kind !== 'map') isWhole = false
      else if (name === undefined) base = mergeDocuments(base, withoutImports(taken))
      else parts.push(importedAs(taken, name))
    }
    if (!isWhole) return undefined
    const merged = mergeDocuments(base, withoutImports(root))
    return parts.reduce<Located>((whole, part) => beneath(whole, part), merged)
  }

  /** The path of an entry of `imports`; addresses and modules of Python are refused. */
  #importPath(root: Located, index: number): string | undefined {
    const entry = itemsUnder(root, 'imports')[index] as Located
    const path = textUnder(entry, 'path')
    const at = ['imports', String(index)]
    const refuse = (message: string, hint: string) => {
      const problem = { code: 'NOT_SUPPORTED', severity: 'error', message, hint, path: at } as const
      this.problems.push({ ...problem, ...entry.place })
      return undefined
    }
    if (path !== undefined && /^[a-z][a-z\d+.-]+:\/\//i.test(path)) {
      const hint = 'Save it next to this file, review what it does, and import it by its path.'
      return refuse(`${path} is a URL; imports must be local files`, hint)
    }
    if (partOf(entry, 'package') !== undefined || path?.endsWith('.py') === true) {
      const hint = 'Use code.execute, or a node with run.'
      return refuse('actions written in Python cannot be imported', hint)
    }
    const parsed = importSchema.safeParse(plainOf(entry), { reportInput: true })
    if (parsed.success) return parsed.data.path
    const known = () => knownKeys(importSchema, [])
    const part = { root, path: at, called: `import ${index + 1}`, knownKeys: known }
    this.problems.push(...shapeProblems(parsed.error.issues, part))
    return undefined
  }
}

function withoutImports(root: LocatedMap): LocatedMap {
  return withMembers(
    root,
    [...root.members].filter(([key]) => key !== 'imports'),
  )
}

/** A document with a part put beneath it: its own values win, the nodes and edges of the part come after its own. */
function beneath(whole: Located, part: LocatedMap): Located {
  if (whole.kind !== 'map') return whole
  const lists = ['nodes', 'edges']
  const rest = withMembers(
    part,
    [...part.members].filter(([key]) => !lists.includes(key)),
  )
  const merged = mergeDocuments(rest, whole)
  if (merged.kind !== 'map') return merged
  const members = new Map(merged.members)
  for (const key of lists) {
    const own = itemsUnder(whole, key)
    const more = itemsUnder(part, key)
    const member = members.get(key) ?? part.members.get(key)
    if (more.length === 0 || member === undefined) continue
    const place = member.value.place
    members.set(key, { ...member, value: { kind: 'list', place, items: [...own, ...more] } })
  }
  return { kind: 'map', place: whole.place, members }
}
