import { importsOf } from './imports.ts'
import {
  isNode,
  isTest,
  lineAt,
  parse,
  type SourceFile,
  type SyntaxNode,
  walk,
} from './source-file.ts'

/** Something of the outside world that a file uses: a clock, randomness, the process, files, the network. */
export interface Effect {
  readonly path: string
  readonly line: number
  /** As it would be written: `Date.now`, `process`, `node:fs`. */
  readonly use: string
}

const globals = [
  'process',
  'performance',
  'crypto',
  'globalThis',
  'fetch',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
]
const members = ['Date.now', 'Math.random', 'AbortSignal.timeout']
const randomFromCrypto = /^(random|getRandom|generate|webcrypto)/

/** Built-in modules that only compute; every other one reaches outside. */
const pureModules = [
  'node:assert',
  'node:async_hooks',
  'node:buffer',
  'node:crypto',
  'node:events',
  'node:path',
  'node:path/posix',
  'node:querystring',
  'node:string_decoder',
  'node:url',
  'node:util',
  'node:zlib',
]

/** What the files use of the outside world by themselves. Tests are not judged, nor are types. */
export function effectsOf(files: readonly SourceFile[]): readonly Effect[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => [...modulesOf(file), ...globalsOf(file)])
}

function modulesOf(file: SourceFile): readonly Effect[] {
  const used = importsOf(file).filter(({ isType, target }) => !isType && target === undefined)
  return used.flatMap(({ specifier, names, line }) => {
    const isBuiltIn = specifier.startsWith('node:')
    if (isBuiltIn && !pureModules.includes(specifier)) {
      return [{ path: file.path, line, use: specifier }]
    }
    if (specifier !== 'node:crypto') return []
    const random = names.filter((name) => randomFromCrypto.test(name))
    return random.map((name) => ({ path: file.path, line, use: `${specifier} ${name}` }))
  })
}

function globalsOf(file: SourceFile): readonly Effect[] {
  const found: Effect[] = []
  const { program } = parse(file)
  const own = boundNames(program)
  walk(program, (node, parents) => {
    const use = effectOf(node, parents[0])
    if (use === undefined || own.has(use)) return
    found.push({ path: file.path, line: lineAt(file.text, node.start), use })
  })
  return found
}

function effectOf(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  if (node.type === 'MemberExpression') {
    const member = `${nameOf(node.object)}.${nameOf(node.property)}`
    return members.includes(member) ? member : undefined
  }
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (isCall && nameOf(node.callee) === 'Date' && isWithoutArguments(node)) return 'new Date()'
  const name = nameOf(node)
  return globals.includes(name) && isReference(node, parent) ? name : undefined
}

/** Whether an identifier stands for a value here, and is not the name of a property, a label or a type. */
function isReference(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent === undefined) return true
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true
  if ('key' in parent && parent.key === node)
    return parent.value === node || parent.computed === true
  const wrappers = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']
  return !parent.type.startsWith('TS') || wrappers.includes(parent.type)
}

/** Names that the file itself binds (parameters, variables, imports, functions): they are not the global ones. */
function boundNames(program: SyntaxNode): ReadonlySet<string> {
  const bound = new Set<string>()
  walk(program, (node) => {
    const { id, params, local } = node
    const patterns = [id, local, ...(Array.isArray(params) ? params : [])].filter(isNode)
    for (const pattern of patterns) for (const name of namesOfPattern(pattern)) bound.add(name)
  })
  return bound
}

function namesOfPattern(pattern: SyntaxNode): readonly string[] {
  const { properties, elements, left, argument, value } = pattern
  if (pattern.type === 'Identifier') return [nameOf(pattern)]
  const inside = [...(Array.isArray(properties) ? properties : []), left, argument, value]
  const parts = Array.isArray(elements) ? [...inside, ...elements] : inside
  return parts.filter(isNode).flatMap(namesOfPattern)
}

function nameOf(node: unknown): string {
  return isNode(node) && node.type === 'Identifier' ? String(node.name) : ''
}

function isWithoutArguments(node: SyntaxNode): boolean {
  return (node.arguments as readonly unknown[]).length === 0
}
