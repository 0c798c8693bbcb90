import { posix } from 'node:path'
import { isNode, lineAt, parse, type SourceFile, type SyntaxNode, walk } from './source-file.ts'

/** One import of a file, in whatever form: `import`, `export … from`, `import()`, a type's `import('…')`, a worker's URL. */
export interface Import {
  readonly line: number
  /** As written. */
  readonly specifier: string
  /** The path from the root for a relative specifier; `undefined` for a package. */
  readonly target: string | undefined
  /** Whether nothing of it is left at run time. */
  readonly isType: boolean
  /** The imported names (`default` and `*` too); empty where the form does not say. */
  readonly names: readonly string[]
}

const known = new WeakMap<SourceFile, readonly Import[]>()

/** Every import of a file, in no particular order. Several rules ask for it, so a file is parsed once. */
export function importsOf(file: SourceFile): readonly Import[] {
  const found = known.get(file) ?? readImports(file)
  known.set(file, found)
  return found
}

function readImports(file: SourceFile): readonly Import[] {
  const { program, module } = parse(file)
  const found: Import[] = []
  const add = (specifier: string, start: number, isType: boolean, names: readonly string[]) => {
    const target = targetOf(file.path, specifier)
    found.push({ line: lineAt(file.text, start), specifier, target, isType, names })
  }
  for (const { moduleRequest, entries, start } of module.staticImports) {
    const names = entries.map(({ importName }) => importName.name ?? importName.kind)
    const isType = entries.length > 0 && entries.every((entry) => entry.isType)
    add(moduleRequest.value, start, isType, names)
  }
  for (const { moduleRequest, importName, isType, start } of module.staticExports.flatMap(
    ({ entries }) => entries,
  )) {
    if (moduleRequest) add(moduleRequest.value, start, isType, [importName.name ?? '*'])
  }
  walk(program, (node) => {
    const named = specifierOf(node)
    if (named !== undefined) add(named, node.start, node.type === 'TSImportType', [])
  })
  return found
}

/** What an expression imports: `import('…')` as a value or a type, `new URL('./x.ts', import.meta.url)`. */
function specifierOf(node: SyntaxNode): string | undefined {
  if (node.type === 'ImportExpression' || node.type === 'TSImportType') return textOf(node.source)
  if (node.type !== 'NewExpression' || !isNode(node.callee) || node.callee.name !== 'URL') return
  const path = textOf((node.arguments as readonly unknown[])[0])
  return path !== undefined && /^\.\.?\/.*\.[jt]s$/.test(path) ? path : undefined
}

function textOf(value: unknown): string | undefined {
  return isNode(value) && typeof value.value === 'string' ? value.value : undefined
}

function targetOf(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}
