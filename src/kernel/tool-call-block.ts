import type { Json } from './json.ts'

/** A call as it was printed: which tool, with what. */
export interface PrintedCall {
  readonly toolName: string
  readonly input: Json
}

/** A stretch of text (half-open, UTF-16 code units) that is nothing but calls of known tools, in one format. */
export interface CallBlock {
  readonly start: number
  readonly end: number
  readonly calls: readonly PrintedCall[]
  /**
   * What shows that a call is meant: the special tokens of a model (`marked`), or only its shape (`json`, `pythonic`),
   * so that where it stands and what is said around it must agree.
   */
  readonly format: 'marked' | 'json' | 'pythonic'
}

/** Finds the blocks of one format. `names` are the tools that exist; a block that names another one is not found. */
export type CallRecognizer = (text: string, names: ReadonlySet<string>) => readonly CallBlock[]
