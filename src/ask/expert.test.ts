import { describe, expect, it } from 'vitest'
import type { ToolCallPart, ToolResultPart } from '../kernel/agent/message.ts'
import type { Json } from '../kernel/json.ts'
import { collectPythonCalculations, FigureCollector } from './expert.ts'

const ran = (output: Json, others: Partial<ToolResultPart> = {}): ToolResultPart => ({
  type: 'tool-result',
  toolCallId: '1',
  toolName: 'python',
  output,
  ...others,
})
const call = (code: string): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: '1',
  toolName: 'python',
  input: { code },
})
const svg = (n: number) => `<svg width="${n}" height="2"></svg>`

describe('Figures', () => {
  it('are kept up to twelve, and the models are told of each', () => {
    const figures = new FigureCollector([])
    const all = Array.from({ length: 14 }, (_, index) => svg(index + 1))
    const { output } = figures.present(ran({ figures: all }))
    expect((output as { figures: Json[] }).figures).toHaveLength(14)
    expect((output as { figures: Json[] }).figures.at(-1)).toBe('figure 14: 14×2, kept')
    expect(figures.all.map(({ figure }) => figure)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('are counted on over the expert’s attempts', () => {
    const first = new FigureCollector([])
    first.present(ran({ figures: [svg(1)] }))
    const second = new FigureCollector(first.all)
    second.present(ran({ figures: [svg(2)] }))
    expect(second.all).toMatchObject([
      { figure: 1, width: 1 },
      { figure: 2, width: 2 },
    ])
  })

  it('are none where the code failed, or another tool has given something of the name', () => {
    const figures = new FigureCollector([])
    for (const others of [{ isError: true }, { toolName: 'other' }]) {
      const result = ran({ figures: [svg(1)] }, others)
      expect(figures.present(result)).toBe(result)
    }
    expect(figures.all).toEqual([])
  })
})

describe('calculationsOfPython', () => {
  it('are what the code printed or gave that does not stand in it, with its sign', () => {
    const output = { stdout: '3 -5\n2019-12-29', value: { sum: 11 } }
    expect(collectPythonCalculations([ran(output)], [call('print(3, 3 - 8)')])).toEqual([
      { tool: 'python', expression: 'print(3, 3 - 8)', result: '-5 ; 2019-12-29 ; 11' },
    ])
  })

  it('are none where it failed, another tool ran, or nothing new came out', () => {
    const output = { stdout: '5' }
    expect(collectPythonCalculations([ran(output, { isError: true })], [call('x')])).toEqual([])
    expect(collectPythonCalculations([ran(output, { toolName: 'y' })], [call('x')])).toEqual([])
    expect(collectPythonCalculations([ran(output)], [call('print(5)')])).toEqual([])
  })

  it('are cut where the code printed very many numbers', () => {
    const stdout = Array.from({ length: 5_000 }, (_, index) => index + 10).join('\n')
    const [calculation] = collectPythonCalculations([ran({ stdout })], [call('x')])
    expect(calculation?.result).toHaveLength(4_000)
    expect(calculation?.result.startsWith('10 ; 11 ; ')).toBe(true)
  })
})
