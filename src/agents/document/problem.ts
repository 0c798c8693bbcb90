/** A position in a file; line and column start at 1. */
export interface FilePosition {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Codes of problems with agent files. */
export type ProblemCode =
  | 'YAML_PARSE'
  | 'TOO_LARGE'
  | 'IMPORT_FAILED'
  | 'IMPORT_CYCLE'
  | 'IMPORT_DEPTH'
  | 'MISSING_FIELD'
  | 'UNKNOWN_KEY'
  | 'INVALID_TYPE'
  | 'NOT_SUPPORTED'
  | 'IGNORED_KEY'
  | 'AMBIGUOUS_BOOLEAN'
  | 'SECRET_IN_FILE'
  | 'CONFLICTING_KEYS'
  | 'EMPTY_NODE'
  | 'DUPLICATE_NODE'
  | 'EDGE_FROM_UNDEFINED'
  | 'EDGE_TO_UNDEFINED'
  | 'GOTO_UNDEFINED'
  | 'FALLBACK_UNDEFINED'
  | 'INTERRUPT_UNDEFINED'
  | 'PARALLEL_FAN_IN_UNDEFINED'
  | 'PARALLEL_FAN_IN_MIXED'
  | 'DYN_PARALLEL_MODE'
  | 'DYN_PARALLEL_MISSING_ITEMS'
  | 'DYN_PARALLEL_MISSING_FAN_IN'
  | 'DYN_PARALLEL_FAN_IN_UNDEFINED'
  | 'WHILE_LOOP_MISSING_CONDITION'
  | 'WHILE_LOOP_MAX_ITERATIONS'
  | 'WHILE_LOOP_MISSING_BODY'
  | 'WHILE_LOOP_NESTED'
  | 'INVALID_CONDITION'
  | 'INVALID_TEMPLATE'
  | 'UNKNOWN_ACTION'
  | 'INVALID_PARAMS'
  | 'UNREACHABLE_RULE'
  | 'IMPLICIT_CHAIN'
  | 'UNREFERENCED_NODE'
  | 'UNREACHABLE'
  | 'NO_END'
  | 'DEAD_STATE_KEY'
  | 'TOO_MANY'

/** A problem with an agent file. An error prevents it from running, a warning does not. */
export interface DocumentProblem extends FilePosition {
  readonly code: ProblemCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** What the author can do about it. */
  readonly hint?: string
  /** Keys and list indexes from the top of the document. */
  readonly path: readonly string[]
}

/** Formats a problem as one line: `agent.yaml:3:5: error MISSING_FIELD: … (hint)`. */
export function formatProblem(problem: DocumentProblem): string {
  const { file, line, column, severity, code, message, hint } = problem
  const advice = hint === undefined ? '' : ` (${hint})`
  return `${file}:${line}:${column}: ${severity} ${code}: ${message}${advice}`
}

/** Maximum number of problems reported. */
const maxProblems = 200

/** The problems ordered by position, without duplicates, at most 200; one more says how many were left out. */
export function sortProblems(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  // A problem at an anchor is found again through each alias.
  const once = new Map(problems.map((problem) => [formatProblem(problem), problem]))
  const sorted = [...once.values()].sort(
    (a, b) => compareProblems(a.file, b.file) || a.line - b.line || a.column - b.column,
  )
  const last = sorted[maxProblems]
  if (last === undefined) return sorted
  const rest = sorted.length - maxProblems
  const hasError = sorted.slice(maxProblems).some(({ severity }) => severity === 'error')
  const more: DocumentProblem = {
    code: 'TOO_MANY',
    severity: hasError ? 'error' : 'warning',
    message: `${rest} more problems follow`,
    path: [],
    file: last.file,
    line: last.line,
    column: last.column,
  }
  return [...sorted.slice(0, maxProblems), more]
}

function compareProblems(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
