import type * as z from 'zod'
import { defineTool, type ToolDeclaration } from '../../kernel/agent/tool.ts'
import type { Json } from '../../kernel/json.ts'
import type { CodeTool, Judgement, Preview } from './code-tool.ts'

/** What a tool of a coding agent is declared with. */
export interface CodeToolDeclaration<Schema extends z.ZodType, Output extends Json>
  extends ToolDeclaration<Schema> {
  /** Other names that models know arguments by: `{path: ['file_path']}`. */
  readonly otherNames?: Readonly<Record<string, readonly string[]>>
  readonly effectOf?: (input: z.output<Schema>) => ReturnType<NonNullable<CodeTool['effectOf']>>
  readonly judge?: (input: z.output<Schema>) => Judgement
  readonly preview?: (input: z.output<Schema>) => Promise<Preview>
  readonly readsFiles?: (input: z.output<Schema>) => readonly string[]
  readonly present?: (output: Output) => string
}

/** Names by which models know a path. */
export const pathNames = ['file_path', 'filepath', 'filename', 'file', 'target_file']
/** Names by which models know a folder. */
export const folderNames = ['path', 'directory', 'dir', 'folder', 'file_path']

/** A tool from its declaration. */
export function declareCodeTool<Schema extends z.ZodType, Output extends Json>(
  declaration: CodeToolDeclaration<Schema, Output>,
): CodeTool {
  type Input = z.output<Schema>
  const { effectOf, judge, preview, readsFiles, present, otherNames = {} } = declaration
  const tool = defineTool(declaration)
  return {
    ...tool,
    parse: (input) => tool.parse(withKnownNames(input, otherNames)),
    ...(effectOf && { effectOf: (input: Json) => effectOf(input as Input) }),
    ...(judge && { judge: (input: Json) => judge(input as Input) }),
    ...(preview && { preview: (input: Json) => preview(input as Input) }),
    ...(readsFiles && { readsFiles: (input: Json) => readsFiles(input as Input) }),
    ...(present && { present: (output: Json) => present(output as Output) }),
  }
}

/** Arguments under the names that the tool has for them. One that is there under its own name stays. */
function withKnownNames(
  input: unknown,
  otherNames: Readonly<Record<string, readonly string[]>>,
): unknown {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return input
  const known: Record<string, unknown> = { ...input }
  for (const [name, others] of Object.entries(otherNames)) {
    const other = others.find((key) => Object.hasOwn(known, key))
    if (other === undefined || Object.hasOwn(known, name)) continue
    known[name] = known[other]
    delete known[other]
  }
  return known
}
