import { describe, expect, it } from 'vitest'
import { noEvidenceText } from '../../citations/role-requests.ts'
import type { ToolOutcome } from '../role-request.ts'
import { answerAsExpert } from '../roles/expert.ts'
import { research } from '../roles/researcher.ts'

const table = [
  'Product: Lamp; Price: 12.50; Stock: 30; Supplier: Acme.',
  'Product: Desk; Price: 240.00; Stock: 4; Supplier: Acme.',
  'Product: Chair; Price: 1,089.90; Stock: 12; Supplier: Birch & Co.',
].join('\n\n')
const passageOf = (text: string) => ({
  n: 1,
  passageId: 'p' as never,
  sourceId: 's' as never,
  start: 0,
  end: text.length,
  title: 'products',
  text,
})
const searched = (text = table): ToolOutcome => ({
  tool: 'search_library',
  output: { query: 'q', passages: [passageOf(text)] },
})
const search = searched()
const offered = new Set(['search_library', 'read_source'])
const read = (passagesLeft: number, text = table): ToolOutcome => ({
  tool: 'read_source',
  output: { citation: 1, passages: [passageOf(text)], passagesLeft },
})
const asked = (question: string, now: readonly ToolOutcome[]) =>
  research({ question, request: question, feedback: null }, { earlier: [], now }, offered)

function answered(question: string, rows = table) {
  const move = asked(question, [searched(rows), read(0, rows)])
  const result = 'answer' in move ? move.answer.result : ''
  const input = {
    question,
    expert_steps: [],
    research: [{ request: question, result }],
    feedback: null,
  }
  const next = answerAsExpert(input, { earlier: [], now: [] }, new Set(['calculate']))
  return 'calls' in next ? next.calls : next.answer.expert_answer
}

describe('questions over the rows of a table', () => {
  it.each([
    ['What is the price of the desk?', '"Price: 240.00" [1].'],
    ['How much does the chair cost?', '"Price: 1,089.90" [1].'],
    ['Who supplies the lamp?', '"Supplier: Acme" [1].'],
    ['Which product has the highest price?', '"Product: Chair" [1].'],
    ['What is the cheapest product?', '"Product: Lamp" [1].'],
  ])('quotes the cell and its row: %s', (question, line) => {
    expect(answered(question)).toMatch(
      new RegExp(`^${line.replaceAll(/[[\].]/g, '\\$&')}\n\nProduct: `),
    )
  })

  it.each([
    ['What is the total price of all products?', '12.50 + 240.00 + 1089.90'],
    ['What is the average stock?', '(30 + 4 + 12) / 3'],
    ['What is the total stock of products from Acme?', '30 + 4'],
    ['How many products does Acme supply?', '1 + 1'],
  ])('gives the calculator what the rows say: %s', (question, expression) => {
    expect(answered(question)).toEqual([{ tool: 'calculate', expression }])
  })

  it('reads the table to its end before it says what is most', () => {
    const question = 'Which product has the highest price?'
    expect(asked(question, [search])).toEqual({ read: { citation: 1 } })
    expect(asked(question, [search, read(2)])).toEqual({ read: { citation: 1, after: 'p' } })
  })

  it('says nothing of what is in no row and no column', () => {
    for (const question of ['What is the price of the sofa?', 'What is the weight of the desk?']) {
      expect(answered(question)).toBe(noEvidenceText)
    }
  })

  it.each([
    ['What is the height of the Vanda?', '"Height in cm: 120" [1].'],
    ['How tall is the Vanda?', '"Height in cm: 120" [1].'],
    ['What is the height of the Vanda in cm?', '"Height in cm: 120" [1].'],
    ['Which species is the tallest?', '"Species: Vanda" [1].'],
  ])('takes a column for its name without its unit: %s', (question, line) => {
    const rows = 'Species: Cattleya; Height in cm: 30.\nSpecies: Vanda; Height in cm: 120.'
    expect(answered(question, rows)).toMatch(line)
  })

  it('does not give a measure in a unit in which it does not stand there', () => {
    const rows = 'Species: Cattleya; Height in cm: 30.\nSpecies: Vanda; Height in cm: 120.'
    expect(answered('What is the height of the Vanda in inches?', rows)).toBe(noEvidenceText)
  })
})
