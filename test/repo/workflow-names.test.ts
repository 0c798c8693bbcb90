import { describe, expect, it } from 'vitest'
import {
  codeUnder,
  isNode,
  lineAt,
  parse,
  type SourceFile,
  type SyntaxNode,
  walk,
} from './source-file.ts'

/** The names of the workflows, as conditions would name them. */
const names = ['ask', 'papers', 'agent', 'code']

/** Folders of one workflow each: what is in them may look for its own runs, by its definition's name. */
const ofOneWorkflow = /^src\/(?:app|cli\/commands)\/(?:ask|papers|agents|code)\//

const shared = codeUnder('src/app', 'src/cli', 'src/acp').filter(
  ({ path }) => !ofOneWorkflow.test(path) && !path.endsWith('.test.ts'),
)

/** Where code decides by the name of a workflow: compares with it, has a case for it, or looks for keys that begin with it. */
function conditionsIn(file: SourceFile): readonly string[] {
  const found: string[] = []
  walk(parse(file).program, (node) => {
    if (comparesName(node, file.text) || isKeyTest(node))
      found.push(`${file.path}:${lineAt(file.text, node.start)}`)
  })
  return found
}

function comparesName(node: SyntaxNode, text: string): boolean {
  if (node.type === 'SwitchStatement')
    return (
      (node.cases as { test: unknown }[]).some(({ test }) => isName(test)) &&
      ofWorkflow(node.discriminant, text)
    )
  if (node.type !== 'BinaryExpression' || !/^[!=]==?$/.test(String(node.operator))) return false
  const { left, right } = node
  const isDefinition = [left, right].some(
    (side) =>
      isNode(side) &&
      /(?:Definition\.name|Workflow(?:Name)?)$/.test(text.slice(side.start, side.end)) &&
      !ofVariable(side, text),
  )
  return (
    (isName(left) && ofWorkflow(right, text)) ||
    (isName(right) && ofWorkflow(left, text)) ||
    isDefinition
  )
}

function isName(node: unknown): boolean {
  return isNode(node) && node.type === 'Literal' && names.includes(String(node.value))
}

/** Whether an expression holds the name of a workflow by the look of it. */
function ofWorkflow(node: unknown, text: string): boolean {
  return isNode(node) && /workflow/i.test(text.slice(node.start, node.end))
}

function ofVariable(node: SyntaxNode, text: string): boolean {
  return /^(?:\w+\.)*workflow$/.test(text.slice(node.start, node.end))
}

/** `key.startsWith('agent/')`, `/^papers\//.test(key)`. */
function isKeyTest(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node.callee as SyntaxNode
  if (callee.type !== 'MemberExpression') return false
  const { name } = callee.property as unknown as { name: string }
  const [argument] = node.arguments as readonly SyntaxNode[]
  if (name !== 'startsWith' || argument?.type !== 'Literal') return false
  return names.some((workflow) => argument.value === `${workflow}/`)
}

describe('shared code of the app and its faces', () => {
  it('has no condition on the name of a workflow: what differs stands in its definition or display', () => {
    expect(shared.length).toBeGreaterThan(100)
    expect(shared.flatMap(conditionsIn)).toEqual([])
  })
})

describe('the check of workflow names', () => {
  const linesIn = (text: string) => conditionsIn({ path: 'src/app/x.ts', text }).length

  it.each([
    "if (run.workflow === 'code') go()",
    "const isPapers = 'papers' !== workflowName",
    "switch (result.workflow) { case 'ask': go() }",
    'if (workflow === codeDefinition.name) go()',
    'if (this.workflow === papersWorkflow) go()',
    "if (key.startsWith('agent/')) go()",
  ])('finds %s', (text) => {
    expect(linesIn(text)).toBe(1)
  })

  it.each([
    "if (node.type === 'code') go()",
    'if (run.workflow === other.workflow) go()',
    "const row = definitions.get(workflow) ?? { name: 'ask' }",
    "if (key.startsWith('code')) go()",
  ])('leaves %s alone', (text) => {
    expect(linesIn(text)).toBe(0)
  })
})
