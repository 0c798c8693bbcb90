import { describe, expect, it } from 'vitest'
import { findChartTicks, isChartTicks } from './chart-ticks.ts'

/** As a PDF's reader gives the axes of two charts. */
const ticks =
  '500 1000\n\n0\n\n5000\n\n10000\n\n15000\n\nInput (MB/s)\n\n500 1000\n\n0\n\n5000\n\n10000'

describe('findChartTicks', () => {
  const found = (text: string) =>
    findChartTicks(text, 0, text.length).map(({ start, end }) => text.slice(start, end))

  it('finds axes with their labels between sentences', () => {
    expect(found(`It sorts.\n${ticks}\n\nFigure 3: Rates over time.`)).toEqual([ticks])
    expect(isChartTicks(ticks)).toBe(true)
    expect(isChartTicks(`${ticks}\n\nFigure 3: Rates over time.`)).toBe(false)
  })

  it('takes numbers and a label on one line for an axis where they are evenly spaced', () => {
    const axes = '0 5 10 15 20 #trials\n\n26\n\n28\n\n30\n\n32'
    expect(found(`${axes}\n\nHotpotQA EM`)).toEqual([axes])
  })

  it.each([
    ['a table', 'Standard 28.7 57.1\n\nCoT 29.4 56.3\n\nAct 25.7 58.9\n\nReAct 27.4 60.9'],
    ['cells on lines of their own', '79.3\n\n81.9\n\n83.9\n\n80.8\n\n51.6\n\n51.5\n\n50.3'],
    ['a list', '1. Read the file.\n2. Split it.\n3. Sort it.\n4. Write it.'],
    ['few numbers', 'It melts.\n\n1\n\n2\n\n3\n\nIt cools.'],
  ])('leaves %s alone', (_what, text) => expect(found(text)).toEqual([]))
})
