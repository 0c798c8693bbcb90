import type { Alias, Document, LineCounter, Node, Pair, YAMLError, YAMLMap, YAMLSeq } from 'yaml'
import type { Located, LocatedMember } from './located.ts'
import type { DocumentProblem, FilePosition, ProblemCode } from './problem.ts'

/** Larger files are not agent files. */
const maxBytes = 1024 * 1024
/** Maximum number of values in a document with its aliases (`*name`) expanded, which is what the later checks see. */
const maxValues = 200_000
const maxDepth = 64

const coreTags = ['str', 'int', 'float', 'bool', 'null', 'seq', 'map'].map(
  (name) => `tag:yaml.org,2002:${name}`,
)

/** A text as a located value, or its errors. A value may come with warnings. */
export interface ReadYaml {
  readonly root?: Located
  readonly problems: readonly DocumentProblem[]
}

/** Reads one YAML 1.2 document (JSON is YAML too); `file` names it in positions. Throws nothing. */
export async function readYaml(text: string, file: string): Promise<ReadYaml> {
  if (Buffer.byteLength(text) > maxBytes) {
    const message = `the file is larger than ${maxBytes / 1024 / 1024} MB`
    return { problems: [createProblemAt('TOO_LARGE', { file, line: 1, column: 1 }, message)] }
  }
  const { LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    strict: true,
    // The library's own check compares all keys for each key; the walk below looks once.
    uniqueKeys: false,
  })
  const errors = findFormProblems(document, lines, file)
  if (errors.length > 0) return { problems: errors }
  return new YamlWalker(document, lines, file, await import('yaml')).read()
}

type YamlLibrary = typeof import('yaml')

/** A refusal deep in the tree, caught where reading began. */
class Refused extends Error {
  readonly problem: DocumentProblem

  constructor(problem: DocumentProblem) {
    super(problem.message)
    this.problem = problem
  }
}

interface Sized {
  readonly located: Located
  /** Number of values in it, aliases expanded. */
  readonly size: number
}

/** Walks the parsed tree once; anchored parts are walked once and shared by their aliases. */
class YamlWalker {
  readonly #document: Document
  readonly #lines: LineCounter
  readonly #file: string
  readonly #yaml: YamlLibrary
  readonly #done = new Map<Node, Sized>()
  readonly #open = new Set<Node>()
  readonly #anchors = new Map<string, Node>()
  readonly #warnings: DocumentProblem[] = []
  readonly #repeated: DocumentProblem[] = []

  constructor(document: Document, lines: LineCounter, file: string, yaml: YamlLibrary) {
    this.#document = document
    this.#lines = lines
    this.#file = file
    this.#yaml = yaml
  }

  read(): ReadYaml {
    const { contents } = this.#document
    if (contents === null || (this.#yaml.isScalar(contents) && contents.value === null)) {
      const place = { file: this.#file, line: 1, column: 1 }
      return { problems: [createProblemAt('YAML_PARSE', place, 'the file is empty')] }
    }
    try {
      const { located } = this.#located(contents as Node, 0)
      if (this.#repeated.length > 0) return { problems: this.#repeated }
      return { root: located, problems: this.#warnings }
    } catch (error) {
      if (error instanceof Refused) return { problems: [error.problem] }
      throw error
    }
  }

  #located(node: Node, depth: number): Sized {
    this.#name(node)
    const known = this.#done.get(node)
    if (known !== undefined) return known
    if (depth > maxDepth) this.#refuse(node, `this is nested deeper than ${maxDepth} levels`)
    if (this.#open.has(node)) this.#refuse(node, 'an anchor (&name) contains its own alias (*name)')
    this.#refuseForeignTag(node)
    this.#open.add(node)
    const sized = this.#walk(node, depth)
    this.#open.delete(node)
    this.#done.set(node, sized)
    return sized
  }

  #walk(node: Node, depth: number): Sized {
    const { isAlias, isMap, isSeq } = this.#yaml
    if (isAlias(node)) return this.#located(this.#anchored(node), depth + 1)
    if (isMap(node)) return this.#map(node, depth)
    if (isSeq(node)) return this.#list(node, depth)
    return { located: this.#scalar(node), size: 1 }
  }

  #list(node: YAMLSeq, depth: number): Sized {
    const items: Located[] = []
    let total = 1
    for (const item of node.items) {
      const { located, size } = this.#located(item as Node, depth + 1)
      items.push(located)
      total = this.#grown(node, total + size)
    }
    return { located: { kind: 'list', place: this.#placeOf(node), items }, size: total }
  }

  /** The size of parts not yet completely read. */
  #grown(node: Node, size: number): number {
    if (size <= maxValues) return size
    this.#refuse(node, `with its aliases expanded, this has more than ${maxValues} values`)
  }

  #map(node: YAMLMap, depth: number): Sized {
    const members = new Map<string, LocatedMember>()
    const merged = new Map<string, LocatedMember>()
    const seen = new Set<string>()
    let size = 1
    for (const pair of node.items as Pair<Node, Node | null>[]) {
      const key = String(this.#yaml.isScalar(pair.key) ? pair.key.value : pair.key)
      if (key === '__proto__') this.#refuse(pair.key, '"__proto__" is not allowed as a key')
      if (seen.has(key)) this.#repeat(pair.key)
      seen.add(key)
      this.#name(pair.key)
      const keyPlace = this.#placeOf(pair.key)
      const value =
        pair.value === null
          ? { located: { kind: 'scalar', value: null, place: keyPlace } as const, size: 1 }
          : this.#located(pair.value, depth + 1)
      size = this.#grown(node, size + value.size)
      if (key === '<<') this.#merge(pair.key, value.located, merged)
      else members.set(key, { keyPlace, value: value.located })
    }
    const all = new Map([...merged, ...members])
    return { located: { kind: 'map', place: this.#placeOf(node), members: all }, size }
  }

  /**
   * Merges what `<<` brings in; of several objects, the first takes precedence. @see https://yaml.org/type/merge.html
   */
  #merge(key: Node, source: Located, into: Map<string, LocatedMember>): void {
    const maps = source.kind === 'list' ? source.items : [source]
    for (const map of maps) {
      if (map.kind !== 'map') this.#refuse(key, '"<<" needs a map or a list of maps')
      else for (const [name, member] of map.members) if (!into.has(name)) into.set(name, member)
    }
  }

  /** Remembers a node's anchor; an alias refers to the last one before it. */
  #name(node: Node): void {
    const { anchor } = node as { anchor?: string }
    if (anchor !== undefined) this.#anchors.set(anchor, node)
  }

  #anchored(alias: Alias): Node {
    const node = this.#anchors.get(alias.source)
    if (node === undefined) this.#refuse(alias, `there is no anchor &${alias.source}`)
    return node
  }

  #scalar(node: Node): Located {
    const place = this.#placeOf(node)
    const { value, type } = node as { value?: unknown; type?: string }
    if (type === 'PLAIN' && typeof value === 'string' && /^(yes|no|on|off)$/i.test(value)) {
      const message = `"${value}" without quotes is text here, but a boolean in older YAML`
      const hint = 'Write true or false, or quote the text.'
      this.#warnings.push({
        ...createProblemAt('AMBIGUOUS_BOOLEAN', place, message, hint),
        severity: 'warning',
      })
    }
    if (value === null || typeof value === 'boolean' || typeof value === 'string')
      return { kind: 'scalar', value, place }
    if (typeof value === 'number' && Number.isFinite(value)) return { kind: 'scalar', value, place }
    return this.#refuse(node, `${String(value)} is not a JSON value`)
  }

  #refuseForeignTag(node: Node): void {
    const { tag } = node as { tag?: string }
    if (tag === undefined || coreTags.includes(tag)) return
    this.#refuse(node, `tags are not supported (${tag})`)
  }

  #placeOf(node: Node): FilePosition {
    return findPosition(this.#lines, node.range?.[0] ?? 0, this.#file)
  }

  #repeat(key: Node): void {
    if (this.#repeated.length === maxFormErrors) return
    const message = 'duplicate key'
    const place = this.#placeOf(key)
    this.#repeated.push(createProblemAt('YAML_PARSE', place, message, 'Remove one of them.'))
  }

  #refuse(node: Node, message: string): never {
    throw new Refused(createProblemAt('YAML_PARSE', this.#placeOf(node), message))
  }
}

/** After the first few, syntax errors only follow from each other. */
const maxFormErrors = 5

/** Why a text is not YAML: the first error of each line. */
function findFormProblems(
  { errors, warnings }: Document,
  lines: LineCounter,
  file: string,
): readonly DocumentProblem[] {
  const all = [...errors, ...warnings]
  const exhausted = all.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  const found = exhausted === undefined ? all : [exhausted]
  const told = new Map<number, DocumentProblem>()
  for (const error of found) {
    const { line } = lines.linePos(error.pos[0])
    if (told.has(line)) continue
    if (told.size === maxFormErrors) break
    const deeper = found.find(
      (other) => other.pos[0] === error.pos[0] && hasLineTooLong(other, lines),
    )
    told.set(
      line,
      deeper === undefined ? toFormProblem(error, lines, file) : findTooDeep(deeper, lines, file),
    )
  }
  return [...told.values()]
}

/** Whether a key was read across several lines because its last line is indented too deeply. */
function hasLineTooLong({ code, pos: [from, to] }: YAMLError, lines: LineCounter): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY' && lines.linePos(to).line > lines.linePos(from).line
}

function findTooDeep({ pos: [from, to] }: YAMLError, lines: LineCounter, file: string) {
  const { line } = lines.linePos(from)
  const message = `this line is indented deeper than line ${line}, which already has a value`
  const hint = `Indent it like the key on line ${line}, or quote text that spans several lines.`
  return createProblemAt('YAML_PARSE', findPosition(lines, to, file), message, hint)
}

function toFormProblem(error: YAMLError, lines: LineCounter, file: string): DocumentProblem {
  const [message, hint] = explainYamlError(error)
  return createProblemAt('YAML_PARSE', findPosition(lines, error.pos[0], file), message, hint)
}

function explainYamlError({ code, message }: YAMLError): readonly [string, string?] {
  switch (code) {
    case 'TAB_AS_INDENT':
      return ['this line is indented with a tab', 'Indent with spaces.']
    case 'MULTIPLE_DOCS':
      return ['a second YAML document starts here', 'Put each agent in its own file.']
    case 'NON_STRING_KEY':
      return ['a key is not text', 'A template needs quotes around it: "{{ state.key }}".']
    case 'RESOURCE_EXHAUSTION':
      return ['the file is nested too deeply']
    case 'TAG_RESOLVE_FAILED':
      return [`tags are not supported (${message.replace('Unresolved tag: ', '')})`]
    case 'BLOCK_AS_IMPLICIT_KEY':
      return message.includes('sequence')
        ? ['this "- " is not indented like those above it', 'Indent all items of a list alike.']
        : ['there is a second ": " on this line', 'Quote text that contains a colon.']
    default:
      return message.startsWith('Sequence item without')
        ? [
            'this line is indented less than the keys of its list item',
            'Indent it like the lines above it; a new item starts with "- ".',
          ]
        : [`this is not valid YAML: ${message}`]
  }
}

/** The position of an offset in a text. */
function findPosition(lines: LineCounter, offset: number, file: string): FilePosition {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(1, line), column: Math.max(1, col) }
}

/** An error at a place. */
function createProblemAt(
  code: ProblemCode,
  place: FilePosition,
  message: string,
  hint?: string,
): DocumentProblem {
  const advice = hint === undefined ? {} : { hint }
  return { code, severity: 'error', message, ...advice, path: [], ...place }
}
