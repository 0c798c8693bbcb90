import type { ImportRule } from './import-table.ts'
import { type Import, importsOf } from './imports.ts'
import { isTest, type SourceFile } from './source-file.ts'

type Table = Readonly<Record<string, ImportRule>>

/** What `files` import against the table, one line each: `src/a/x.ts:3 imports …`. Tests are not judged. */
export function importViolations(files: readonly SourceFile[], table: Table): readonly string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) => {
      const rule = table[unitOf(file.path)]
      if (rule === undefined) return [`${file.path} is in no folder of the import table`]
      return importsOf(file).flatMap((found) => {
        const reason = objection(file.path, found, rule)
        return reason === undefined ? [] : [`${file.path}:${found.line} ${reason}`]
      })
    })
}

function objection(from: string, { target, isType }: Import, rule: ImportRule): string | undefined {
  if (target === undefined) return undefined
  if (!target.startsWith('src/')) return `imports ${target}, which is not in src/`
  if (isTest(target)) return `imports a test, ${target}`
  const [own, other] = [unitOf(from), unitOf(target)]
  if (own === other || rule.code.includes(other)) return undefined
  if (!rule.types?.includes(other)) return `imports ${target}: ${own} may not import ${other}`
  return isType ? undefined : `imports ${target}: ${own} may import only types of ${other}`
}

/** The folder or file directly in `src/` that a path belongs to. */
function unitOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** Packages that shipped code imports and `dependencies` does not name, one line each. Built-in modules are not packages. */
export function undeclaredPackages(
  files: readonly SourceFile[],
  dependencies: readonly string[],
): readonly string[] {
  return files
    .filter(({ path }) => !isTest(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ target, specifier }) => target === undefined && !specifier.startsWith('node:'))
        .filter(({ specifier }) => !dependencies.includes(packageOf(specifier)))
        .map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}`),
    )
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** Every group of files that import each other in a circle (types count too), each as a sorted list of paths. */
export function importCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const graph = new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]),
  )
  const reach = new Map([...graph.keys()].map((path) => [path, reachableFrom(path, graph)]))
  const groups = new Map<string, readonly string[]>()
  for (const [path, reachable] of reach) {
    if (!reachable.has(path)) continue
    const group = [...reachable].filter((other) => reach.get(other)?.has(path)).sort()
    groups.set(group.join(' '), group)
  }
  return [...groups.values()]
}

/** What a file reaches over one import or more; itself only when it is in a circle. */
function reachableFrom(path: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>()
  const waiting = [...(graph.get(path) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(graph.get(next) ?? []))
  }
  return reached
}
