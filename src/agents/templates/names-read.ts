import { constants } from './functions.ts'
import type { Part } from './statements.ts'
import type { Node } from './syntax.ts'

/** What a template or expression reads. */
export interface NamesRead {
  /** Names that the caller must give, such as `state` and `variables`. */
  readonly roots: ReadonlySet<string>
  /** Keys of `state` that are read by name. */
  readonly stateKeys: ReadonlySet<string>
  /** Whether `state` is also read as a whole or by computed keys, so that any key may be read. */
  readonly readsWholeState: boolean
}

interface Found {
  readonly bound: ReadonlySet<string>
  readonly roots: Set<string>
  readonly stateKeys: Set<string>
  readsWholeState: boolean
}

/** Names that the parts bind themselves, with `for` and `set`. */
export function boundNames(parts: readonly Part[]): ReadonlySet<string> {
  const bound = new Set<string>()
  const visit = (part: Part): void => {
    if (part.kind === 'for' || part.kind === 'set') for (const name of part.names) bound.add(name)
    if (part.kind === 'for') bound.add('loop')
    listBodies(part).forEach(visit)
  }
  parts.forEach(visit)
  return bound
}

/** Names that the parts of a template read. */
export function findNamesInTemplate(parts: readonly Part[]): NamesRead {
  const found = nothingFoundNames(boundNames(parts))
  const visit = (part: Part): void => {
    for (const node of listExpressions(part)) visitNode(node, found)
    listBodies(part).forEach(visit)
  }
  parts.forEach(visit)
  return onlyNames(found)
}

/** Names that an expression reads. */
export function findNamesInExpression(node: Node): NamesRead {
  const found = nothingFoundNames(new Set())
  visitNode(node, found)
  return onlyNames(found)
}

/** Reads nothing. */
export function noNames(): NamesRead {
  return onlyNames(nothingFoundNames(new Set()))
}

/** Reads one key of the state. */
export function readStateKey(key: string): NamesRead {
  return { roots: new Set(['state']), stateKeys: new Set([key]), readsWholeState: false }
}

function onlyNames({ roots, stateKeys, readsWholeState }: Found): NamesRead {
  return { roots, stateKeys, readsWholeState }
}

function nothingFoundNames(bound: ReadonlySet<string>): Found {
  return { bound, roots: new Set(), stateKeys: new Set(), readsWholeState: false }
}

function listBodies(part: Part): readonly Part[] {
  if (part.kind === 'if') return [...part.branches.flatMap(({ body }) => body), ...part.otherwise]
  if (part.kind === 'for') return [...part.body, ...part.otherwise]
  return part.kind === 'set' && !('type' in part.value) ? part.value : []
}

function listExpressions(part: Part): readonly Node[] {
  if (part.kind === 'output') return [part.expression]
  if (part.kind === 'if') return part.branches.map(({ condition }) => condition)
  if (part.kind === 'for') return [part.iterable, ...(part.condition ? [part.condition] : [])]
  return part.kind === 'set' && 'type' in part.value ? [part.value] : []
}

function visitNode(node: Node, found: Found): void {
  if (node.type === 'Identifier') visitName(node.value, found)
  const key = findStateKey(node)
  if (key !== undefined && !found.bound.has('state')) {
    found.roots.add('state')
    found.stateKeys.add(key)
    return
  }
  for (const child of listChildren(node)) visitNode(child, found)
}

function visitName(name: string, found: Found): void {
  if (found.bound.has(name) || constants.has(name)) return
  found.roots.add(name)
  if (name === 'state') found.readsWholeState = true
}

/** The key in `state.key`, `state["key"]` and `state.get("key")` without a default that reads more. */
function findStateKey(node: Node): string | undefined {
  if (node.type === 'CallExpression') {
    const { callee, args } = node
    const [key] = args
    const isGet = callee.type === 'MemberExpression' && isNamed(callee.property, 'get')
    if (!isGet || !isNamed(callee.object, 'state') || args.length !== 1) return undefined
    return key?.type === 'StringLiteral' ? key.value : undefined
  }
  if (node.type !== 'MemberExpression' || !isNamed(node.object, 'state')) return undefined
  const { property, computed } = node
  if (!computed) return property.type === 'Identifier' ? property.value : undefined
  return property.type === 'StringLiteral' ? property.value : undefined
}

function isNamed(node: Node, name: string): boolean {
  return node.type === 'Identifier' && node.value === name
}

function listChildren(node: Node): readonly Node[] {
  switch (node.type) {
    case 'ArrayLiteral':
    case 'TupleLiteral':
      return node.value
    case 'ObjectLiteral':
      return [...node.value].flat()
    case 'MemberExpression':
      return node.computed ? [node.object, node.property] : [node.object]
    case 'CallExpression':
      return node.callee.type === 'Identifier' ? node.args : [findCallee(node.callee), ...node.args]
    case 'BinaryExpression':
      return [node.left, node.right]
    case 'UnaryExpression':
      return [node.argument]
    case 'FilterExpression':
      return node.filter.type === 'CallExpression'
        ? [node.operand, ...node.filter.args]
        : [node.operand]
    case 'TestExpression':
      return [node.operand]
    case 'Ternary':
      return [node.condition, node.trueExpr, node.falseExpr]
    case 'SelectExpression':
      return [node.lhs, node.test]
    case 'SliceExpression':
      return [node.start, node.stop, node.step].filter((part) => part !== undefined)
    case 'KeywordArgumentExpression':
      return [node.value]
    default:
      return []
  }
}

/** What a method is called on; the method's name is not a key that is read. */
function findCallee(callee: Node): Node {
  return callee.type === 'MemberExpression' && !callee.computed ? callee.object : callee
}
