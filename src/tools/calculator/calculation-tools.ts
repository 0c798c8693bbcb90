import * as z from 'zod'
import type { CalculationOutput } from '../../citations/role-requests.ts'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { createCalculator } from './calculator.ts'

/** Tools for calculations: exact, offline, and unable to run code. */
export function createCalculationTools(): readonly Tool[] {
  const calculator = createCalculator()
  const calculate = defineTool({
    name: 'calculate',
    description:
      'Calculates an arithmetic expression, for example "15% of 240", "sqrt(2) * 3" or "2^10".',
    input: z.object({
      expression: z
        .string()
        .min(1)
        .max(1_000)
        .describe('The expression, numbers and operators only.'),
    }),
    effect: 'pure',
    timeoutMs: 10_000,
    async execute({ expression }): Promise<CalculationOutput> {
      const evaluated = await calculator.evaluate(expression)
      if (evaluated.ok) return { expression, result: evaluated.text }
      throw new ScholiumError(
        'tool_failed',
        `"${expression}" cannot be calculated: ${evaluated.reason}`,
      )
    },
  })
  const convert = defineTool({
    name: 'convert_units',
    description: 'Converts a quantity into another unit, for example "100 km/h" to "mph".',
    input: z.object({
      quantity: z.string().min(1).max(200).describe('A number and its unit.'),
      to: z.string().min(1).max(100).describe('The unit to convert to.'),
    }),
    effect: 'pure',
    timeoutMs: 10_000,
    async execute({ quantity, to }): Promise<CalculationOutput> {
      const converted = await calculator.convert(quantity, to)
      if (converted.ok) return { expression: `${quantity} to ${to}`, result: converted.text }
      throw new ScholiumError(
        'tool_failed',
        `"${quantity}" cannot be converted to "${to}": ${converted.reason}`,
      )
    },
  })
  return [calculate, convert]
}
