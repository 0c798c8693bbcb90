import type { Json, JsonObject } from '../json.ts'

/** A tool that a printed call may name. */
export interface TextTool {
  readonly name: string
  /** JSON Schema of its arguments; without it any argument may be one of its own. */
  readonly parameters?: JsonObject
}

/** The tools that exist, by name. */
export type ToolTable = ReadonlyMap<string, TextTool>

/** A call as it was printed: which tool, with what. */
export interface PrintedCall {
  readonly toolName: string
  readonly input: Json
}

/** A span of text (half-open, UTF-16 code units) that is nothing but calls of known tools, in one format. */
export interface CallBlock {
  readonly start: number
  readonly end: number
  readonly calls: readonly PrintedCall[]
  /**
   * What shows that a call is meant: the special tokens of a model (`marked`), the labels of a reasoning prompt
   * (`labelled`), or only its shape (`json`, `pythonic`), so that where it stands and what is said around it must agree.
   */
  readonly format: 'marked' | 'labelled' | 'json' | 'pythonic'
  /** Whether it is cut off or cannot be read: it names what was to be called, and is never carried out. */
  readonly isBroken?: true
}

/** Finds the blocks of one format. A block that names a tool which does not exist is not found. */
export type CallRecognizer = (text: string, tools: ToolTable) => readonly CallBlock[]

/** The tool that `written` names, with the prefix of its namespace or without; `undefined` if there is none. */
export function findNamedTool(written: string, tools: ToolTable): TextTool | undefined {
  return tools.get(written) ?? tools.get(written.replace(/^(?:functions|tools)\./, ''))
}
