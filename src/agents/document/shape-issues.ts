import type { z } from 'zod'
import { findNearest } from '../../kernel/text/nearest.ts'
import { findPlace, type Located } from './located.ts'
import type { DocumentProblem, ProblemCode } from './problem.ts'

type Issue = z.core.$ZodIssue

/** A part's location in the document, and how its problems are described. */
export interface PartInfo {
  readonly root: Located
  /** From the top of the document to the part. */
  readonly path: readonly string[]
  /** What the part is called in messages, such as `node "fetch"`. */
  readonly called: string
  /** Known keys of the object at a path inside the part, joined by `.`. */
  readonly knownKeys: (path: readonly string[]) => readonly string[]
  /** Specific problem codes for keys of this part. */
  readonly codes?: Readonly<Record<string, ProblemCode>>
}

/** Converts schema issues to problems of a part. */
export function toShapeProblems(
  issues: readonly Issue[],
  part: PartInfo,
): readonly DocumentProblem[] {
  return issues.flatMap((issue) => toProblems(issue, [], part))
}

function toProblems(
  issue: Issue,
  above: readonly string[],
  part: PartInfo,
): readonly DocumentProblem[] {
  const inside = [...above, ...issue.path.map(String)]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => explainUnknownKey(key, inside, part))
  }
  if (issue.code === 'invalid_union') {
    const meant = findMeantBranch(issue.errors)
    if (meant !== undefined) return meant.flatMap((inner) => toProblems(inner, inside, part))
  }
  if (issue.code === 'invalid_key')
    return [
      createProblem('INVALID_TYPE', inside, issue.issues[0]?.message ?? 'is not a name', part),
    ]
  const isMissing = issue.input === undefined && !hasValue(inside, part)
  const named = part.codes?.[inside.join('.')]
  if (isMissing) return [createProblem(named ?? 'MISSING_FIELD', inside, 'is missing', part)]
  return [createProblem(named ?? 'INVALID_TYPE', inside, issue.message, part)]
}

/** The alternative of a union that matches except for something inside it; none if the value is of another kind. */
function findMeantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const fitting = branches.filter(
    (issues) => !issues.some(({ code, path }) => path.length === 0 && code === 'invalid_type'),
  )
  return fitting.toSorted((a, b) => a.length - b.length)[0]
}

function hasValue(inside: readonly string[], { root, path }: PartInfo): boolean {
  let current: Located | undefined = root
  for (const key of [...path, ...inside]) {
    if (current?.kind === 'map') current = current.members.get(key)?.value
    else current = current?.kind === 'list' ? current.items[Number(key)] : undefined
  }
  return current !== undefined
}

function explainUnknownKey(
  key: string,
  inside: readonly string[],
  part: PartInfo,
): DocumentProblem {
  const known = part.knownKeys(inside)
  const meant = findNearest(key, known)
  const there = inside.length === 0 ? part.called : `${inside.join('.')} of ${part.called}`
  const path = [...part.path, ...inside, key]
  return {
    code: 'UNKNOWN_KEY',
    severity: 'error',
    message: `unknown key "${key}" in ${there}`,
    hint:
      meant === undefined ? `Known: ${known.toSorted().join(', ')}.` : `Did you mean "${meant}"?`,
    path,
    ...findPlace(part.root, path, 'key'),
  }
}

const hints: Partial<Record<ProblemCode, string>> = {
  WHILE_LOOP_MAX_ITERATIONS: 'Add the maximum number of rounds, as in max_iterations: 10.',
  WHILE_LOOP_MISSING_CONDITION:
    'Add the condition for another round, as in condition: state.n < 3.',
  WHILE_LOOP_MISSING_BODY:
    "Give it steps, as in body: [{name: add, run: \"return {'n': state['n'] + 1}\"}].",
}

function createProblem(
  code: ProblemCode,
  inside: readonly string[],
  message: string,
  part: PartInfo,
): DocumentProblem {
  const path = [...part.path, ...inside]
  const what = inside.length === 0 ? part.called : `${inside.join('.')} of ${part.called}`
  const hint = hints[code]
  return {
    code,
    severity: 'error',
    message: `${what} ${message}`,
    ...(hint === undefined ? {} : { hint }),
    path,
    ...findPlace(part.root, path),
  }
}
