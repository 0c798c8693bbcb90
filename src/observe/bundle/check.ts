import { BundleFault, type Fault } from './fault.ts'
import { maxNamedFaults } from './limits.ts'

/** The checks, in order. */
export type CheckName =
  | 'file'
  | 'manifest'
  | 'log'
  | 'steps'
  | 'inputs'
  | 'answer'
  | 'result'
  | 'costs'
  | 'sources'
  | 'citations'
  | 'quotes'
  | 'verdicts'
  | 'coverage'
  | 'origin'

/** The outcome of a check. `undecided`: neither confirmed nor refuted; the detail says why. */
export interface Check {
  readonly name: CheckName
  readonly outcome: 'passed' | 'failed' | 'undecided'
  /** What was checked, or why it was not, in one sentence. */
  readonly detail: string
  /** The first faults. */
  readonly faults: readonly Fault[]
  readonly faultCount: number
}

/** Collects faults: a count, and the first ones with their texts. */
export class Faults {
  readonly named: Fault[] = []
  count = 0

  add(fault: Fault): void {
    this.count++
    if (this.named.length < maxNamedFaults) this.named.push(fault)
  }
}

/** The outcome of a check: failed if there are faults. */
export function concluded(
  name: CheckName,
  faults: Faults,
  detail: string,
  isUndecided = false,
): Check {
  const fine = isUndecided ? 'undecided' : 'passed'
  const outcome = faults.count > 0 ? 'failed' : fine
  return { name, outcome, detail, faults: faults.named, faultCount: faults.count }
}

/** A check that could not be made. */
export function undecided(name: CheckName, detail: string): Check {
  return { name, outcome: 'undecided', detail, faults: [], faultCount: 0 }
}

/** Runs one check; an error that stops it becomes its fault. */
export async function runCheck(
  name: CheckName,
  work: () => Check | Promise<Check>,
): Promise<Check> {
  const faults = new Faults()
  try {
    return await work()
  } catch (error) {
    if (error instanceof BundleFault) faults.add(error.fault)
    else if (error instanceof RangeError)
      faults.add({ text: 'Something in it is nested too deeply or too long to be read.' })
    else throw error
    return concluded(name, faults, 'It could not be read completely.')
  }
}
