import type { z } from 'zod'
import type { DocumentProblem } from './problem.ts'

/** An action that a file can name. */
export interface KnownAction {
  readonly name: string
  /** A strict object. */
  readonly params: z.ZodType
  /** The feature (`features` in the file) without which it is not there. */
  readonly needs?: string
  /** Parameters whose templates the action fills in itself, with names that are not known here. */
  readonly lateParams?: readonly string[]
}

/** How a text of an agent file is to be read. */
export type SourceKind = 'template' | 'expression' | 'condition'

/** What the template language says of a text, without values. */
export interface TemplateCheck {
  /** What keeps a text from being read; `line` and `column` count in the text, from 1. */
  problemsOf(
    source: string,
    kind?: SourceKind,
  ): readonly {
    readonly message: string
    readonly hint?: string
    readonly line: number
    readonly column: number
  }[]
  /** The names a text reads; nothing when it cannot be read. */
  namesOf(
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
  /** Actions of the format that this program does not have, and what each would need. */
  readonly refused: ReadonlyMap<string, string>
  readonly templates: TemplateCheck
  /** The provider that a model's name most likely means, where it names none that there is. Absent: names are not looked into. */
  readonly misnamedProvider?: (model: string) => string | undefined
}

/** Adds a problem at a path of the document. */
export type Report = (
  problem: Pick<DocumentProblem, 'code' | 'severity' | 'message' | 'path'> & {
    readonly hint?: string
  },
) => void
