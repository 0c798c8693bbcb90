import { valueError } from './template-error.ts'

/** The longest text a template may make, in UTF-16 units; also the longest source. */
export const maxTextLength = 1_000_000

/** The most items a template may put into one list. */
export const maxListLength = 100_000

/** The work one template may do; an iteration, an item and about a hundred characters of text each cost one. */
export const maxSteps = 1_000_000

/** From how many keys on it takes long enough to list them to keep the list. */
const manyKeys = 1_000

/** What one evaluation may still spend; it ends loops and blown-up values before they take the memory or the time of the process. */
export class Budget {
  #stepsLeft = maxSteps
  readonly #keys = new WeakMap<object, readonly string[]>()

  /** @throws {@link ScholiumError} `template_failed` when the template has done {@link maxSteps} of work */
  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft >= 0) return
    throw valueError(
      `it takes more than ${maxSteps.toLocaleString('en')} steps`,
      'Loop over fewer items, or use a code node.',
    )
  }

  /** The keys of an object, paid for. They are listed once: no value changes while a template is at work. */
  keysOf(value: object): readonly string[] {
    const keys = this.#keys.get(value) ?? Object.keys(value)
    if (keys.length >= manyKeys) this.#keys.set(value, keys)
    this.spend(keys.length / 10)
    return keys
  }

  /** Pays for looking for `part` characters at each place of a text, which in the worst case compares them all at each. */
  spendSearch(length: number, part: number): void {
    this.spend(1 + (length / 100) * Math.max(1, part / 20))
  }

  /** Pays for text of `length` UTF-16 units before it is made. */
  spendText(length: number): void {
    if (length > maxTextLength) {
      throw valueError(
        `its text is longer than ${maxTextLength.toLocaleString('en')} characters`,
        'Cut the values with `| truncate(…)` or a slice.',
      )
    }
    this.spend(1 + length / 100)
  }

  /** Pays for a list of `length` items before it is made. */
  spendList(length: number): void {
    if (length > maxListLength) {
      throw valueError(
        `it creates a list of more than ${maxListLength.toLocaleString('en')} items`,
        'Use a smaller range or slice.',
      )
    }
    this.spend(1 + length)
  }
}
