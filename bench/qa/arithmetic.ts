import { readCalculation } from '../../src/extractive/question/calculation.ts'
import { createCalculationTools } from '../../src/tools/calculator/calculation-tools.ts'
import type { Expression } from './data-sets.ts'

/** How expressions fared with the calculator tool. */
export interface ArithmeticOutcome {
  readonly asked: number
  readonly right: number
  /** How many of them a question "What is …?" hands to the calculator as they stand. */
  readonly understood: number
  readonly wrong: readonly string[]
}

/** Gives every expression to the calculator tool and compares its result with the one that is given. */
export async function measureArithmetic(
  expressions: readonly Expression[],
): Promise<ArithmeticOutcome> {
  const wrong: string[] = []
  let understood = 0
  for (const { expression, result } of expressions) {
    const [given, expected] = [await calculated(expression), await calculated(result)]
    if (!isEqual(given, expected)) wrong.push(`${expression} = ${result}, not ${given}`)
    if (readCalculation(`What is ${expression}?`) !== undefined) understood++
  }
  return {
    asked: expressions.length,
    right: expressions.length - wrong.length,
    understood,
    wrong,
  }
}

const calculate = createCalculationTools().find(({ name }) => name === 'calculate')

/** What the tool gives, as a number; why it refuses, as a text. */
async function calculated(expression: string): Promise<number | string> {
  const parsed = calculate?.parse({ expression })
  if (calculate === undefined || parsed === undefined || !parsed.ok) return 'refused'
  try {
    const run = { signal: new AbortController().signal, key: 'bench', emit: () => {} }
    const { result } = (await calculate.execute(parsed.value, run)) as { result: string }
    return Number(result.replaceAll(',', ''))
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Results are given with two decimals at least. */
function isEqual(given: number | string, expected: number | string): boolean {
  if (typeof given !== 'number' || typeof expected !== 'number') return false
  return Math.abs(given - expected) <= 1e-6 * Math.max(1, Math.abs(expected))
}
