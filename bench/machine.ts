import { execFileSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'

/** Where and when figures were measured. */
export interface Circumstances {
  /** `2026-11-23` */
  readonly date: string
  /** The short hash; with `+` if files differed from it. */
  readonly commit: string
  readonly cores: number
  readonly node: string
  /** The load of the last minute before the bench began. */
  readonly load: number
  /** The time of {@link arithmeticMs}: how fast one core was just then. */
  readonly arithmeticMs: number
}

export function describeMachine(): Circumstances {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: describeCommit(),
    cores: availableParallelism(),
    node: process.version,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    arithmeticMs: Number(arithmeticMs().toFixed(1)),
  }
}

/** The records of measurements themselves do not make a commit another one. */
function describeCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!bench/record.json', ':!docs')
    return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : '+')
  } catch {
    return 'unknown'
  }
}

const matrixSize = 200

/** A fixed piece of arithmetic on one core: the product of two matrices of 200 × 200 numbers. The fastest of nine, in milliseconds. */
function arithmeticMs(): number {
  const count = matrixSize * matrixSize
  const left = Float64Array.from({ length: count }, (_, index) => (index * 7919) % 101)
  const right = Float64Array.from({ length: count }, (_, index) => (index * 104_729) % 97)
  const times = Array.from({ length: 9 }, () => {
    const startedAt = performance.now()
    if (sumOfProduct(left, right) < 0) throw new Error('A sum of positive numbers is negative.')
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

function sumOfProduct(left: Float64Array, right: Float64Array): number {
  let sum = 0
  for (let row = 0; row < matrixSize; row++) {
    for (let column = 0; column < matrixSize; column++) {
      for (let at = 0; at < matrixSize; at++) {
        sum += (left[row * matrixSize + at] ?? 0) * (right[at * matrixSize + column] ?? 0)
      }
    }
  }
  return sum
}
