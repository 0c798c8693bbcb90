import type { z } from 'zod'
import type { DocumentProblem } from './problem.ts'

/** An action that a file can name. */
export interface KnownAction {
  readonly name: string
  /** A strict object. */
  readonly params: z.ZodType
  /** The feature (`features` in the file) that it requires. */
  readonly needs?: string
  /** Parameters whose templates the action fills in itself, with names unknown here. */
  readonly lateParams?: readonly string[]
}

/** How a text of an agent file is interpreted. */
export type SourceKind = 'template' | 'expression' | 'condition'

/** What the template language can say about a text without values. */
export interface TemplateCheck {
  /** Syntax problems; `line` and `column` are positions in the text, starting at 1. */
  findProblems(
    source: string,
    kind?: SourceKind,
  ): readonly {
    readonly message: string
    readonly hint?: string
    readonly line: number
    readonly column: number
  }[]
  /** The names that a text reads; none if it cannot be parsed. */
  findNames(
    source: string,
    kind?: SourceKind,
  ): {
    readonly roots: ReadonlySet<string>
    readonly stateKeys: ReadonlySet<string>
    readonly readsWholeState: boolean
  }
}

/** What a file is checked against. */
export interface DocumentChecks {
  readonly actions: ReadonlyMap<string, KnownAction>
  /** Actions of the format that do not exist here, and what each would need. */
  readonly refused: ReadonlyMap<string, string>
  readonly templates: TemplateCheck
  /** The provider that a model's name most likely means if its own is unknown. Absent: names are not checked. */
  readonly misnamedProvider?: (model: string) => string | undefined
}

/** Adds a problem at a path of the document. */
export type Report = (
  problem: Pick<DocumentProblem, 'code' | 'severity' | 'message' | 'path'> & {
    readonly hint?: string
  },
) => void
