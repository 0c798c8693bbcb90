import type { Budget } from './budget.ts'
import { valueError } from './template-error.ts'
import { describeKind, isTruthy, toNumber, toText, type Value } from './value.ts'

/** Arguments of a filter, method or test, given by position or by name. */
export class Arguments {
  readonly budget: Budget
  readonly #positional: readonly Value[]
  readonly #named: ReadonlyMap<string, Value>
  readonly #owner: string

  constructor(
    owner: string,
    positional: readonly Value[],
    named: ReadonlyMap<string, Value>,
    budget: Budget,
  ) {
    this.#owner = owner
    this.#positional = positional
    this.#named = named
    this.budget = budget
  }

  /** Whether there are no arguments. */
  get isEmpty(): boolean {
    return this.#positional.length === 0 && this.#named.size === 0
  }

  /** The argument, or `undefined` if it was not given. */
  value(place: number, name: string): Value {
    return this.#positional[place] ?? this.#named.get(name)
  }

  /** The argument as text. @throws {@link ScholiumError} `template_failed` if it is missing and has no default */
  text(place: number, name: string, fallback?: string): string {
    const value = this.value(place, name) ?? fallback
    if (value === undefined) throw valueError(`\`${this.#owner}\` needs the argument \`${name}\``)
    return toText(value, this.budget)
  }

  /** The argument as a whole number. @throws {@link ScholiumError} `template_failed` if it is not one */
  wholeNumber(place: number, name: string, fallback: number): number {
    const value = this.value(place, name) ?? fallback
    const number = toNumber(value)
    if (number !== undefined && Number.isInteger(number)) return number
    throw valueError(
      `\`${this.#owner}\` needs a whole number for \`${name}\`, not ${describeKind(value)}`,
    )
  }

  /** Whether the argument was given and is true. */
  flag(place: number, name: string): boolean {
    return isTruthy(this.value(place, name), this.budget)
  }

  /** The arguments after the first `count`, for a filter that forwards them. */
  after(owner: string, count: number): Arguments {
    return new Arguments(owner, this.#positional.slice(count), this.#named, this.budget)
  }

  /** All positional arguments. */
  get positional(): readonly Value[] {
    return this.#positional
  }
}
