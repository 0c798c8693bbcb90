import type { Document, LineCounter, Node, Pair, YAMLError } from 'yaml'

/** A position in a text, both numbers from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A YAML text (which may be JSON) as a plain value, with the positions of its parts. */
export interface ParsedYaml {
  readonly value: unknown
  readonly errors: readonly { readonly place: Place; readonly message: string }[]
  /** The position of the value at a path, or of its key; if missing, of its nearest ancestor. */
  placeOf(path: readonly PropertyKey[], part: 'key' | 'value'): Place
}

/** Maximum number of aliases; more is an attack or a mistake. */
const maxAliases = 100
/** After the first few, syntax errors only follow from each other. */
const maxFormErrors = 3

/** Parses one YAML document. A syntax error is returned; the content is then meaningless. */
export async function parseYaml(text: string): Promise<ParsedYaml> {
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
  })
  const found = formErrors(document, lines)
  const { value, error } = found.length > 0 ? { value: undefined } : plainValue(document)
  const pairAt = (path: readonly PropertyKey[]): Pair | undefined => {
    const parent = document.getIn(path.slice(0, -1), true)
    if (!isMap(parent)) return undefined
    return parent.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
  }
  return {
    value,
    errors: error === undefined ? found : [{ place: { line: 1, column: 1 }, message: error }],
    placeOf(path, part) {
      for (let length = path.length; length > 0; length--) {
        const shorter = path.slice(0, length)
        const node = part === 'key' ? pairAt(shorter)?.key : document.getIn(shorter, true)
        const [start] = (node as Node | undefined)?.range ?? []
        if (start !== undefined) return placeAt(lines, start)
      }
      return { line: 1, column: 1 }
    },
  }
}

function plainValue(document: Document): { readonly value?: unknown; readonly error?: string } {
  try {
    return { value: document.toJS({ maxAliasCount: maxAliases }) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return message.startsWith('Excessive alias count')
      ? { error: `its aliases (*name) expand to more than ${maxAliases} parts` }
      : { error: message }
  }
}

function formErrors({ errors, warnings }: Document, lines: LineCounter): ParsedYaml['errors'] {
  const all = [...errors, ...warnings]
  const exhausted = all.find(({ code }) => code === 'RESOURCE_EXHAUSTION')
  const shown = exhausted === undefined ? all.slice(0, maxFormErrors) : [exhausted]
  return shown.map((error) => ({
    place: placeAt(lines, error.pos[0]),
    message: formatMessage(error),
  }))
}

function formatMessage({ code, message }: YAMLError): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'duplicate key'
    case 'TAB_AS_INDENT':
      return 'this line is indented with a tab; YAML allows only spaces'
    case 'MULTIPLE_DOCS':
      return 'a second YAML document starts here; only one is allowed'
    case 'RESOURCE_EXHAUSTION':
      return 'it is nested too deeply'
    case 'TAG_RESOLVE_FAILED':
      return `tags are not supported (${message.replace('Unresolved tag: ', '')})`
    default:
      return `it is not valid YAML: ${message}`
  }
}

function placeAt(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}
