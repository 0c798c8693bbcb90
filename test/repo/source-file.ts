import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ParserOptions, parseSync } from 'oxc-parser'

/** The folder of this checkout, with a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url))

/** A file of the checkout: its path from the root with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const unwatchedFolders = ['.git', 'node_modules', 'dist', 'coverage', '.scholium']

/** Paths from the root of every file under `folder` (the root itself: `''`), sorted; none when the folder is not there. */
export function filesUnder(folder: string, endings: readonly string[] = ['']): readonly string[] {
  if (!existsSync(root + folder)) return []
  const entries = readdirSync(root + folder, { withFileTypes: true })
  return entries
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (unwatchedFolders.includes(entry.name)) return []
      if (entry.isDirectory()) return filesUnder(path, endings)
      return entry.isFile() && endings.some((ending) => path.endsWith(ending)) ? [path] : []
    })
    .sort()
}

/** The code under `folders`, tests among it. */
export function codeUnder(...folders: readonly string[]): readonly SourceFile[] {
  return folders
    .flatMap((folder) => filesUnder(folder, ['.ts', '.js']))
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

/** Whether a path is a test: `x.test.ts` next to the file it tests, or anything in `test/`. */
export function isTest(path: string): boolean {
  return path.endsWith('.test.ts') || path.startsWith('test/')
}

/** A node of a syntax tree (ESTree with TypeScript's additions); offsets are UTF-16 units. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** The syntax tree, import and export lists and comments of a file. */
export function parse({ path, text }: SourceFile) {
  const options: ParserOptions = { lang: path.endsWith('.js') ? 'js' : 'ts', sourceType: 'module' }
  const { program, module, comments, errors } = parseSync(path, text, options)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return { program: program as unknown as SyntaxNode, module, comments }
}

/** Calls `visit` for every node below `node` with its parents, nearest first. */
export function walk(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
  parents: readonly SyntaxNode[] = [],
): void {
  visit(node, parents)
  const inside = [node, ...parents]
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, inside)
    }
  }
}

/** Whether a value is a node of a syntax tree. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** The 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
