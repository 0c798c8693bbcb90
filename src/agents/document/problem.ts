/** A place in a file, line and column from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** What can be wrong with an agent file, by name. */
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

/** One thing that is wrong with an agent file. An error keeps it from running, a warning does not. */
export interface DocumentProblem extends Place {
  readonly code: ProblemCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** What the author can do about it. */
  readonly hint?: string
  /** Keys and list indexes from the top of the document to the part in question. */
  readonly path: readonly string[]
}

/** A problem as one line: `agent.yaml:3:5: error MISSING_FIELD: … (hint)`. */
export function formatProblem(problem: DocumentProblem): string {
  const { file, line, column, severity, code, message, hint } = problem
  const advice = hint === undefined ? '' : ` (${hint})`
  return `${file}:${line}:${column}: ${severity} ${code}: ${message}${advice}`
}

/** More problems than these say nothing new. */
const maxProblems = 200

/** The problems in the order of their places, each once, the first 200; one more says how many others there are. */
export function sortProblems(problems: readonly DocumentProblem[]): readonly DocumentProblem[] {
  // What stands at an anchor is found wherever an alias leads to it.
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
    message: `there are ${rest} more problems from here on`,
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
