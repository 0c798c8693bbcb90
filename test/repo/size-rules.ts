import { isTest, lineAt, parse, type SourceFile, type SyntaxNode, walk } from './source-file.ts'

const functionTypes = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** Functions longer than `limit` lines, one line each: `src/a/x.ts:3 name: 75 lines`. A `describe` block is none. */
export function longFunctions(files: readonly SourceFile[], limit: number): readonly string[] {
  return files.flatMap((file) => {
    const found: string[] = []
    walk(parse(file).program, (node, parents) => {
      if (!functionTypes.includes(node.type) || isDescribeBlock(node, parents[0])) return
      const lines = file.text.slice(node.start, node.end).split('\n').length
      if (lines <= limit) return
      const first = lineAt(file.text, node.start)
      found.push(`${file.path}:${first} ${nameOf(node, parents[0])}: ${lines} lines`)
    })
    return found
  })
}

/** Files longer than `limit` lines, tests longer than `testLimit`: `src/a/x.ts: 320 lines`. */
export function longFiles(
  files: readonly SourceFile[],
  limit: number,
  testLimit: number,
): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > (isTest(path) ? testLimit : limit) ? [`${path}: ${lines} lines`] : []
  })
}

/** The function given to `describe(…)`, `describe.each(…)(…)` and the like: it lists tests, and each of them is judged. */
function isDescribeBlock(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (parent?.type !== 'CallExpression' || parent.callee === node) return false
  let callee = parent.callee as SyntaxNode | undefined
  while (callee?.type === 'CallExpression' || callee?.type === 'MemberExpression') {
    callee = (callee.callee ?? callee.object) as SyntaxNode
  }
  return callee?.name === 'describe'
}

function nameOf(node: SyntaxNode, parent: SyntaxNode | undefined): string {
  const named = [node.id, parent?.id, parent?.key].find((candidate) => candidate != null)
  return (named as { readonly name?: string } | undefined)?.name ?? '(anonymous)'
}
