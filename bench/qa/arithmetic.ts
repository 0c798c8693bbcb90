import { createCalculationTools } from '../../src/tools/calculator/calculation-tools.ts'
import type { Measure } from '../bench.ts'
import type { Expression } from './data-sets.ts'

/** Gives every expression to the calculator tool, and counts the results that are those of the set. */
export async function measureArithmetic(
  name: string,
  expressions: readonly Expression[],
  atLeast: number,
): Promise<Measure> {
  let right = 0
  for (const { expression, result } of expressions) {
    const [given, expected] = [await calculate(expression), await calculate(result)]
    if (isEqual(given, expected)) right++
    else console.log(`${name}: ${expression} = ${result}, not ${given}`)
  }
  return {
    what: `${name}, ${expressions.length} calculations: right`,
    value: right / expressions.length,
    target: { atLeast },
  }
}

const calculator = createCalculationTools().find(({ name }) => name === 'calculate')

/** The tool's result as a number, or why it refuses. */
async function calculate(expression: string): Promise<number | string> {
  const parsed = calculator?.parse({ expression })
  if (calculator === undefined || parsed === undefined || !parsed.ok) return 'refused'
  try {
    const run = { signal: new AbortController().signal, key: 'bench', emit: () => {} }
    const { result } = (await calculator.execute(parsed.value, run)) as { result: string }
    return Number(result.replaceAll(',', ''))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Results have at least two decimals. */
function isEqual(given: number | string, expected: number | string): boolean {
  if (typeof given !== 'number' || typeof expected !== 'number') return false
  return Math.abs(given - expected) <= 1e-6 * Math.max(1, Math.abs(expected))
}
