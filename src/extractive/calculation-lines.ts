import type { CalculationOutput } from '../citations/role-input.ts'

/** The line of reasoning that names the tool and what it gave: "calculator: 2 + 2 = 4". */
export function calculationLine(tool: string, output: CalculationOutput): string {
  return `${tool === 'calculate' ? 'calculator' : 'unit converter'}: ${equationOf(output)}`
}

/** "2 + 2 = 4", "100 km/h = 62.14 mph". */
export function equationOf({ expression, result }: CalculationOutput): string {
  return `${expression.replace(/^(.*\d.*) to [^=]*$/, '$1')} = ${result}`
}

/** The equation that a line of reasoning gives a calculator or unit converter as its origin, or `undefined`. */
export function calculationOf(line: string): string | undefined {
  const match = /^\s*(?:\d+\.\s*)?(?:calculator|unit converter)\s*:\s*(.+?)[\s.]*$/i.exec(line)
  return match?.[1]
}
