import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readQuestions } from '../../src/eval/read-questions.ts'

const data = process.env.SCHOLIUM_DATA
const read = (name: string) =>
  readQuestions(readFileSync(join(data ?? '', '02-qa', `${name}.dev.jsonl`), 'utf8'), 'own')

describe.skipIf(!data)('public question sets as they are published (needs SCHOLIUM_DATA)', () => {
  it.each([
    ['hotpotqa-distractor-with-context', 'hotpotqa-distractor', 42],
    ['hotpotqa-questions', 'hotpotqa', 1000],
    ['gsm8k', 'gsm8k', 647],
    ['svamp', 'svamp', 481],
    ['pubmedqa', 'pubmedqa', 500],
    ['climate-fever', 'climate-fever', 793],
    ['fever-claims-no-pages', 'fever', 1000],
    ['scifact-claims', 'scifact', 809],
  ])('%s: every record is read as %s', (name, set, count) => {
    const { questions, refused, treatments } = read(name)
    expect(refused).toEqual([])
    expect(questions).toHaveLength(count)
    expect([...new Set(questions.map((question) => question.set))]).toEqual([set])
    expect(treatments).toMatchObject([{ set }])
    expect(questions.every(({ answers }) => answers.length > 0)).toBe(true)
  })

  it('HotpotQA brings ten pages', () => {
    const [first] = read('hotpotqa-distractor-with-context').questions
    expect(first).toMatchObject({
      id: '5adfdef9554299025d62a36b',
      question: 'Where was the first governor after the The Missouri Compromise from?',
      answers: ['Bath, Maine'],
    })
    expect(first?.context).toHaveLength(10)
    expect(first?.context[3]).toEqual({
      title: 'William King (governor)',
      text: expect.stringContaining('Maine'),
    })
  })

  it('GSM8K has a number without commas as its answer', () => {
    const { questions } = read('gsm8k')
    expect(questions[0]?.answers).toEqual(['18'])
    expect(questions.every(({ answers }) => /^-?\d+(\.\d+)?$/.test(answers[0] ?? ''))).toBe(true)
  })

  it('SVAMP is asked with its body', () => {
    expect(read('svamp').questions[0]).toMatchObject({
      id: 'chal-2',
      question:
        'Dan had $ 3 left with him after he bought a candy bar. If he had $ 4 at the start. How much did the candy bar cost?',
      answers: ['1'],
    })
  })

  it('PubMedQA brings its abstract in parts, without its conclusion', () => {
    const [first] = read('pubmedqa').questions
    expect(first).toMatchObject({
      id: '10808977',
      answers: ['yes'],
      labels: ['yes', 'no', 'maybe'],
      context: [
        { title: 'PubMed 10808977', text: expect.stringMatching(/^## BACKGROUND\n\nTele/) },
      ],
    })
    expect(first?.context[0]?.text).not.toContain('the preferred first-line intervention')
  })

  it('Climate-FEVER brings its evidence by article, without its labels', () => {
    const [first] = read('climate-fever').questions
    expect(first).toMatchObject({ id: '5', answers: ['SUPPORTS'] })
    expect(first?.context.map(({ title }) => title)).toEqual(['Famine', 'Weather', 'Winter'])
    expect(JSON.stringify(first?.context)).not.toMatch(/SUPPORTS|NOT_ENOUGH/)
    const labels = new Set(read('climate-fever').questions.flatMap(({ answers }) => answers))
    expect(labels).toEqual(new Set(['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO', 'DISPUTED']))
  })

  it('FEVER and SciFact have labels, and claims without evidence not enough of it', () => {
    expect(read('fever-claims-no-pages').questions[0]).toMatchObject({
      id: '91198',
      answers: ['NOT ENOUGH INFO'],
      context: [],
    })
    expect(
      read('scifact-claims')
        .questions.slice(0, 2)
        .map(({ answers }) => answers),
    ).toEqual([['NOT ENOUGH INFO'], ['CONTRADICT']])
  })
})
