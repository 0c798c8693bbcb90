import { ScholiumError } from '../../kernel/errors.ts'
import {
  changeUnder,
  itemsUnder,
  type Located,
  type LocatedMap,
  type LocatedMember,
  partOf,
  plainOf,
  textUnder,
  withMembers,
} from './located.ts'
import { besideFile } from './normalize-node.ts'
import type { DocumentProblem, Place, ProblemCode } from './problem.ts'
import { readYaml } from './read-yaml.ts'
import { importSchema } from './schema/document-schema.ts'
import { knownKeys } from './schema/parts.ts'
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
      return says('IMPORT_CYCLE', `files import each other in a circle: ${circle}`)
    }
    if (above.length > maxImportDepth) {
      return says('IMPORT_DEPTH', `files import each other more than ${maxImportDepth} deep`)
    }
    this.#imports++
    if (this.#imports > maxImports) {
      return this.#imports === maxImports + 1
        ? says('IMPORT_DEPTH', `there are more than ${maxImports} imports in all`)
        : undefined
    }
    if (this.#readFile === undefined) {
      return says('IMPORT_FAILED', `${path} cannot be read: other files are not read here`)
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
    return says('IMPORT_FAILED', `${path} is no agent file: it holds ${found}`, hint)
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
      const hint = 'Save it beside this file, look at what it does, and import it by its path.'
      return refuse(`${path} is an address, and files are imported from disk alone`, hint)
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

/** In an overlay, a map with this key set to true takes the same part of the base away. */
const deleteMark = '__delete__'

/** Lists of these names are merged member by member, found by these keys. All other lists are replaced. */
const identities: Readonly<Record<string, readonly string[]>> = {
  nodes: ['name'],
  edges: ['from', 'to'],
  goto: ['to'],
  steps: ['name'],
  body: ['name'],
}

/**
 * A document with another laid over it: maps are merged key by key, nodes by their names, edges by where they lead from
 * and to; other lists and values are replaced. What the overlay marks with `__delete__: true` is taken away.
 */
function mergeDocuments(base: Located, overlay: Located, name = ''): Located {
  if (base.kind === 'map' && overlay.kind === 'map') return mergeMaps(base, overlay)
  const keys = Object.hasOwn(identities, name) ? identities[name] : undefined
  if (keys === undefined || base.kind !== 'list' || overlay.kind !== 'list') {
    return withoutMarks(overlay)
  }
  return { kind: 'list', place: base.place, items: mergeLists(base.items, overlay.items, keys) }
}

function mergeMaps(base: LocatedMap, overlay: LocatedMap): LocatedMap {
  const members = new Map<string, LocatedMember>(base.members)
  for (const [key, member] of overlay.members) {
    const before = base.members.get(key)
    if (key === deleteMark) continue
    if (isMarked(member.value)) members.delete(key)
    else if (before === undefined)
      members.set(key, { ...member, value: withoutMarks(member.value) })
    else members.set(key, { ...member, value: mergeDocuments(before.value, member.value, key) })
  }
  return withMembers(base, members)
}

function mergeLists(
  base: readonly Located[],
  overlay: readonly Located[],
  keys: readonly string[],
): readonly Located[] {
  const merged: (Located | undefined)[] = [...base]
  const places = new Map<string, number>()
  for (const [index, item] of base.entries()) {
    const identity = identityOf(item, keys)
    if (identity !== undefined) places.set(identity, index)
  }
  for (const item of overlay) {
    const identity = identityOf(item, keys)
    const index = identity === undefined ? undefined : places.get(identity)
    const before = index === undefined ? undefined : merged[index]
    if (isMarked(item)) {
      if (index !== undefined) merged[index] = undefined
    } else if (index === undefined || before === undefined) merged.push(withoutMarks(item))
    else merged[index] = mergeDocuments(before, item)
  }
  return merged.filter((item) => item !== undefined)
}

function identityOf(item: Located, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => textUnder(item, key))
  return values.includes(undefined) ? undefined : values.join('\n')
}

function isMarked(located: Located): boolean {
  if (located.kind !== 'map') return false
  const mark = located.members.get(deleteMark)?.value
  return mark?.kind === 'scalar' && mark.value === true
}

/** A mark with nothing beneath it to take away says nothing. */
function withoutMarks(located: Located): Located {
  if (located.kind === 'scalar') return located
  if (located.kind === 'list') {
    const items = located.items.filter((item) => !isMarked(item)).map(withoutMarks)
    return { ...located, items }
  }
  const members = [...located.members].filter(
    ([key, { value }]) => key !== deleteMark && !isMarked(value),
  )
  return withMembers(
    located,
    members.map(([key, member]) => [key, { ...member, value: withoutMarks(member.value) }]),
  )
}

/** The keys of an imported part that mean something in the file that imports it under a name. */
const importedKeys = ['nodes', 'edges', 'variables', 'data', 'state_schema', 'initial_state']

/**
 * The part of a document that another takes in `as` a name: its nodes are called `name.node`, also where its own rules
 * speak of them. Edges from `__start__` are left out: the importing file says where the run begins.
 */
function importedAs(root: LocatedMap, name: string): LocatedMap {
  const kept = [...root.members].filter(([key]) => importedKeys.includes(key))
  const rename = (located: Located): Located => prefixed(located, name)
  const part = changeUnder(withMembers(root, kept), 'nodes', (nodes) =>
    eachMap(nodes, (node) => {
      const inner = node.part === undefined ? '' : `.${node.part}`
      return { ...renameNode(node, rename), part: `${name}${inner}` }
    }),
  )
  return changeUnder(part, 'edges', (edges) => {
    const renamed = eachMap(edges, (edge) => changeAll(edge, ['from', 'to', 'fan_in'], rename))
    return renamed.kind === 'list'
      ? { ...renamed, items: renamed.items.filter((edge) => !isFromStart(edge)) }
      : renamed
  })
}

function renameNode(node: LocatedMap, rename: (located: Located) => Located): LocatedMap {
  const rules = (located: Located): Located =>
    located.kind === 'list'
      ? eachMap(located, (rule) => changeUnder(rule, 'to', rename))
      : rename(located)
  let renamed = changeAll(node, ['name', 'fallback', 'fan_in'], rename)
  renamed = changeAll(renamed, ['goto', 'next'], rules)
  renamed = changeUnder(renamed, 'on_error', (rule) =>
    rule.kind === 'map' ? changeUnder(rule, 'fallback', rename) : rule,
  )
  return changeUnder(renamed, 'edges', (targets) =>
    targets.kind === 'map' ? changeAll(targets, [...targets.members.keys()], rename) : targets,
  )
}

function changeAll(
  map: LocatedMap,
  keys: readonly string[],
  change: (located: Located) => Located,
): LocatedMap {
  return keys.reduce((changed, key) => changeUnder(changed, key, change), map)
}

function eachMap(list: Located, change: (map: LocatedMap) => LocatedMap): Located {
  if (list.kind !== 'list') return list
  return { ...list, items: list.items.map((item) => (item.kind === 'map' ? change(item) : item)) }
}

function prefixed(located: Located, name: string): Located {
  if (located.kind === 'list') {
    return { ...located, items: located.items.map((item) => prefixed(item, name)) }
  }
  if (located.kind !== 'scalar' || typeof located.value !== 'string') return located
  if (/^__.*__$/.test(located.value)) return located
  return { ...located, value: `${name}.${located.value}` }
}

function isFromStart(edge: Located): boolean {
  if (edge.kind !== 'map') return false
  const [from, type] = ['from', 'type'].map((key) => edge.members.get(key)?.value)
  const says = (located: Located | undefined, text: string) =>
    located?.kind === 'scalar' && located.value === text
  return says(from, '__start__') || (says(type, 'entry') && from === undefined)
}
