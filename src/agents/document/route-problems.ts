import { nearest } from '../../kernel/text/nearest.ts'
import { type Located, placeOf } from './located.ts'
import type { DocumentProblem, ProblemCode } from './problem.ts'

/** Collects what is wrong with the ways of one document. */
export class RouteProblems {
  readonly found: DocumentProblem[] = []
  readonly #root: Located
  readonly #names: ReadonlySet<string>

  constructor(root: Located, names: readonly string[]) {
    this.#root = root
    this.#names = new Set(names)
  }

  /** Whether a name is a node's, whatever is wrong with that node. */
  isNode(name: string): boolean {
    return this.#names.has(name)
  }

  add(
    severity: 'error' | 'warning',
    code: ProblemCode,
    path: readonly string[],
    message: string,
    hint?: string,
  ): void {
    const advice = hint === undefined ? {} : { hint }
    this.found.push({ code, severity, message, ...advice, path, ...placeOf(this.#root, path) })
  }

  /** Whether a target is there; says so where it is not. */
  checkTarget(name: string, code: ProblemCode, path: readonly string[], says: string): boolean {
    if (this.isNode(name)) return true
    this.add('error', code, path, `${says} "${name}", which is not a node`, this.#otherNames(name))
    return false
  }

  #otherNames(name: string): string {
    const names = [...this.#names]
    const meant = nearest(name, names)
    if (meant !== undefined) return `Did you mean "${meant}"?`
    const shown = names.slice(0, 10).join(', ')
    return `Nodes: ${shown}${names.length > 10 ? ', …' : ''}.`
  }
}
