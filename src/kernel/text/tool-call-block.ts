import type { Json, JsonObject } from '../json.ts'

/** A tool that a printed call may name. */
export interface TextTool {
  readonly name: string
  /** JSON Schema of its arguments; without it any argument is accepted. */
  readonly parameters?: JsonObject
}

/** The existing tools, by name. */
export type ToolTable = ReadonlyMap<string, TextTool>

/** A call as printed: the tool and its input. */
export interface PrintedCall {
  readonly toolName: string
  readonly input: Json
}

/** A span of text (half-open, UTF-16 code units) that contains only calls of known tools, in one format. */
export interface CallBlock {
  readonly start: number
  readonly end: number
  readonly calls: readonly PrintedCall[]
  /**
   * What identifies it as a call: a model's special tokens (`marked`), the labels of a reasoning prompt (`labelled`), or only its
   * shape (`json`, `pythonic`), in which case its position and the surrounding text must fit too.
   */
  readonly format: 'marked' | 'labelled' | 'json' | 'pythonic'
  /** Whether it is cut off or unreadable: it names the tool, but is never executed. */
  readonly isBroken?: true
}

/** Finds the blocks of one format. Blocks that name an unknown tool are ignored. */
export type CallRecognizer = (text: string, tools: ToolTable) => readonly CallBlock[]

/** The tool that `written` names, with or without a namespace prefix; `undefined` if there is none. */
export function findNamedTool(written: string, tools: ToolTable): TextTool | undefined {
  return tools.get(written) ?? tools.get(written.replace(/^(?:functions|tools)\./, ''))
}
