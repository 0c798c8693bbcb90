import { valueError } from './template-error.ts'

/** Maximum length of a text that a template creates, in UTF-16 units; also of its source. */
export const maxTextLength = 1_000_000

/** Maximum length of a list that a template creates. */
const maxListLength = 100_000

/** Maximum work of a template; an iteration, an item and about a hundred characters of text each cost one. */
export const maxSteps = 1_000_000

/** Objects with at least this many keys have their key list kept, since listing them takes time. */
const manyKeys = 1_000

/**
 * Limits what one evaluation may consume; it stops loops and inflated values before they exhaust the process's memory
 * or time.
 */
export class Budget {
  #stepsLeft = maxSteps
  readonly #keys = new WeakMap<object, readonly string[]>()

  /** @throws {@link ScholiumError} `template_failed` after {@link maxSteps} of work */
  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft >= 0) return
    throw valueError(
      `it takes more than ${maxSteps.toLocaleString('en')} steps`,
      'Loop over fewer items, or use a code node.',
    )
  }

  /**
   * The keys of an object, charged to the budget. They are listed once, since values do not change during an
   * evaluation.
   */
  listKeys(value: object): readonly string[] {
    const keys = this.#keys.get(value) ?? Object.keys(value)
    if (keys.length >= manyKeys) this.#keys.set(value, keys)
    this.spend(keys.length / 10)
    return keys
  }

  /**
   * Charges for a search for `part` characters at each position of a text, in the worst case comparing all of them
   * each time.
   */
  spendSearch(length: number, part: number): void {
    this.spend(1 + (length / 100) * Math.max(1, part / 20))
  }

  /** Charges for a text of `length` UTF-16 units before it is created. */
  spendText(length: number): void {
    if (length > maxTextLength) {
      throw valueError(
        `its text is longer than ${maxTextLength.toLocaleString('en')} characters`,
        'Cut the values with `| truncate(…)` or a slice.',
      )
    }
    this.spend(1 + length / 100)
  }

  /** Charges for a list of `length` items before it is created. */
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
