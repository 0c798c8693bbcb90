import { ScholiumError } from '../../kernel/errors.ts'
import {
  changePart,
  findItems,
  findPart,
  findText,
  type Located,
  type LocatedMap,
  type LocatedMember,
  toPlain,
  withMembers,
} from './located.ts'
import { resolveNextToFile } from './normalize-node.ts'
import type { DocumentProblem, FilePosition, ProblemCode } from './problem.ts'
import { readYaml } from './read-yaml.ts'
import { importSchema } from './schema/document-schema.ts'
import { knownKeys } from './schema/parts.ts'
import { toShapeProblems } from './shape-issues.ts'

/**
 * Reads a file that another one names; the path is relative to the same folder as the first file's.
 * @throws anything, with a message for the author, if it cannot or must not be read
 */
export type ReadFile = (path: string) => Promise<string>

/** Maximum nesting of imports. */
const maxImportDepth = 10
/** Maximum number of imports in total. */
const maxImports = 100

/** A document with its imports, or nothing if a file could not be included. */
export interface Merged {
  readonly root?: Located
  readonly problems: readonly DocumentProblem[]
}

/** Reads a file with all its imports, and applies the overlays. */
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

  /** The document in a file's text; `above` are the files that import it, outermost first. */
  async load(text: string, path: string, above: readonly string[]): Promise<Located | undefined> {
    const { root, problems } = await readYaml(text, path)
    this.problems.push(...problems)
    if (root?.kind !== 'map' || findPart(root, 'imports')?.kind !== 'list') return root
    return this.#withImports(root, [...above, path])
  }

  /** The document of a file that another one names. */
  async loadFile(
    path: string,
    place: FilePosition,
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
    for (const [index, entry] of findItems(root, 'imports').entries()) {
      const path = this.#importPath(root, index)
      if (path === undefined) isWhole = false
      if (path === undefined) continue
      const file = resolveNextToFile(entry.place.file, path)
      const taken = await this.loadFile(file, entry.place, above)
      const name = findText(entry, 'as')
      if (taken?.kind !== 'map') isWhole = false
      else if (name === undefined) base = mergeDocuments(base, omitImports(taken))
      else parts.push(prefixNames(taken, name))
    }
    if (!isWhole) return undefined
    const merged = mergeDocuments(base, omitImports(root))
    return parts.reduce<Located>((whole, part) => mergeBeneath(whole, part), merged)
  }

  /** The path of an entry of `imports`; URLs and Python modules are refused. */
  #importPath(root: Located, index: number): string | undefined {
    const entry = findItems(root, 'imports')[index] as Located
    const path = findText(entry, 'path')
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
    if (findPart(entry, 'package') !== undefined || path?.endsWith('.py') === true) {
      const hint = 'Use code.execute, or a node with run.'
      return refuse('actions written in Python cannot be imported', hint)
    }
    const parsed = importSchema.safeParse(toPlain(entry), { reportInput: true })
    if (parsed.success) return parsed.data.path
    const known = () => knownKeys(importSchema, [])
    const part = { root, path: at, called: `import ${index + 1}`, knownKeys: known }
    this.problems.push(...toShapeProblems(parsed.error.issues, part))
    return undefined
  }
}

function omitImports(root: LocatedMap): LocatedMap {
  return withMembers(
    root,
    [...root.members].filter(([key]) => key !== 'imports'),
  )
}

/**
 * Merges a part beneath a document: the document's values take precedence, and the part's nodes and edges follow its
 * own.
 */
function mergeBeneath(whole: Located, part: LocatedMap): Located {
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
    const own = findItems(whole, key)
    const more = findItems(part, key)
    const member = members.get(key) ?? part.members.get(key)
    if (more.length === 0 || member === undefined) continue
    const place = member.value.place
    members.set(key, { ...member, value: { kind: 'list', place, items: [...own, ...more] } })
  }
  return { kind: 'map', place: whole.place, members }
}

/** In an overlay, an object with this key set to true deletes the same part of the base. */
const deleteMark = '__delete__'

/** Lists with these names are merged by member, identified by these keys. All other lists are replaced. */
const identities: Readonly<Record<string, readonly string[]>> = {
  nodes: ['name'],
  edges: ['from', 'to'],
  goto: ['to'],
  steps: ['name'],
  body: ['name'],
}

/**
 * Applies an overlay to a document: objects are merged by key, nodes by name, edges by their ends; other lists and
 * values are replaced. `__delete__: true` deletes the marked part.
 */
function mergeDocuments(base: Located, overlay: Located, name = ''): Located {
  if (base.kind === 'map' && overlay.kind === 'map') return mergeMaps(base, overlay)
  const keys = Object.hasOwn(identities, name) ? identities[name] : undefined
  if (keys === undefined || base.kind !== 'list' || overlay.kind !== 'list') {
    return removeMarks(overlay)
  }
  return { kind: 'list', place: base.place, items: mergeLists(base.items, overlay.items, keys) }
}

function mergeMaps(base: LocatedMap, overlay: LocatedMap): LocatedMap {
  const members = new Map<string, LocatedMember>(base.members)
  for (const [key, member] of overlay.members) {
    const before = base.members.get(key)
    if (key === deleteMark) continue
    if (isMarkedForDeletion(member.value)) members.delete(key)
    else if (before === undefined) members.set(key, { ...member, value: removeMarks(member.value) })
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
    const identity = getIdentity(item, keys)
    if (identity !== undefined) places.set(identity, index)
  }
  for (const item of overlay) {
    const identity = getIdentity(item, keys)
    const index = identity === undefined ? undefined : places.get(identity)
    const before = index === undefined ? undefined : merged[index]
    if (isMarkedForDeletion(item)) {
      if (index !== undefined) merged[index] = undefined
    } else if (index === undefined || before === undefined) merged.push(removeMarks(item))
    else merged[index] = mergeDocuments(before, item)
  }
  return merged.filter((item) => item !== undefined)
}

function getIdentity(item: Located, keys: readonly string[]): string | undefined {
  const values = keys.map((key) => findText(item, key))
  return values.includes(undefined) ? undefined : values.join('\n')
}

function isMarkedForDeletion(located: Located): boolean {
  if (located.kind !== 'map') return false
  const mark = located.members.get(deleteMark)?.value
  return mark?.kind === 'scalar' && mark.value === true
}

/** A deletion mark with nothing to delete has no effect. */
function removeMarks(located: Located): Located {
  if (located.kind === 'scalar') return located
  if (located.kind === 'list') {
    const items = located.items.filter((item) => !isMarkedForDeletion(item)).map(removeMarks)
    return { ...located, items }
  }
  const members = [...located.members].filter(
    ([key, { value }]) => key !== deleteMark && !isMarkedForDeletion(value),
  )
  return withMembers(
    located,
    members.map(([key, member]) => [key, { ...member, value: removeMarks(member.value) }]),
  )
}

/** Keys of an imported part that apply when it is imported under a name. */
const importedKeys = ['nodes', 'edges', 'variables', 'data', 'state_schema', 'initial_state']

/**
 * The part of a document imported `as` a name: its nodes become `name.node`, also in its own rules. Edges from
 * `__start__` are dropped, since the importing file says where the run begins.
 */
function prefixNames(root: LocatedMap, name: string): LocatedMap {
  const kept = [...root.members].filter(([key]) => importedKeys.includes(key))
  const rename = (located: Located): Located => addPrefix(located, name)
  const part = changePart(withMembers(root, kept), 'nodes', (nodes) =>
    mapMaps(nodes, (node) => {
      const inner = node.part === undefined ? '' : `.${node.part}`
      return { ...renameNode(node, rename), part: `${name}${inner}` }
    }),
  )
  return changePart(part, 'edges', (edges) => {
    const renamed = mapMaps(edges, (edge) => changeAll(edge, ['from', 'to', 'fan_in'], rename))
    return renamed.kind === 'list'
      ? { ...renamed, items: renamed.items.filter((edge) => !isFromStart(edge)) }
      : renamed
  })
}

function renameNode(node: LocatedMap, rename: (located: Located) => Located): LocatedMap {
  const rules = (located: Located): Located =>
    located.kind === 'list'
      ? mapMaps(located, (rule) => changePart(rule, 'to', rename))
      : rename(located)
  let renamed = changeAll(node, ['name', 'fallback', 'fan_in'], rename)
  renamed = changeAll(renamed, ['goto', 'next'], rules)
  renamed = changePart(renamed, 'on_error', (rule) =>
    rule.kind === 'map' ? changePart(rule, 'fallback', rename) : rule,
  )
  return changePart(renamed, 'edges', (targets) =>
    targets.kind === 'map' ? changeAll(targets, [...targets.members.keys()], rename) : targets,
  )
}

function changeAll(
  map: LocatedMap,
  keys: readonly string[],
  change: (located: Located) => Located,
): LocatedMap {
  return keys.reduce((changed, key) => changePart(changed, key, change), map)
}

function mapMaps(list: Located, change: (map: LocatedMap) => LocatedMap): Located {
  if (list.kind !== 'list') return list
  return { ...list, items: list.items.map((item) => (item.kind === 'map' ? change(item) : item)) }
}

function addPrefix(located: Located, name: string): Located {
  if (located.kind === 'list') {
    return { ...located, items: located.items.map((item) => addPrefix(item, name)) }
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
