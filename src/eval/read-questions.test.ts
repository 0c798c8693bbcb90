import { describe, expect, it } from 'vitest'
import { readQuestions } from './read-questions.ts'

const lines = (...records: readonly (object | string)[]) =>
  records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')

describe('a question set of one’s own', () => {
  it('has questions with answers, labels, files and context', () => {
    const text = lines(
      { id: 7, question: ' How many? ', answer: 17.0 },
      { question: 'Who?', answers: ['Ann', 'Ann Lee'], files: 'a.pdf' },
      { question: 'Is it?', answer: true, labels: ['yes', 'no'], context: 'It is.' },
      { question: 'What?', context: [{ title: 'T', text: 'x' }, 'y'] },
    )
    const { questions, refused } = readQuestions(text, 'mine')
    expect(refused).toEqual([])
    expect(questions).toEqual([
      question({ id: '7', line: 1, question: 'How many?', answers: ['17'] }),
      question({
        id: 'line-2',
        line: 2,
        question: 'Who?',
        answers: ['Ann', 'Ann Lee'],
        files: ['a.pdf'],
      }),
      question({
        id: 'line-3',
        line: 3,
        question: 'Is it?',
        answers: ['yes', 'true'],
        labels: ['yes', 'no'],
        context: [{ title: 'Context', text: 'It is.' }],
      }),
      question({
        id: 'line-4',
        line: 4,
        question: 'What?',
        context: [
          { title: 'T', text: 'x' },
          { title: 'Context 2', text: 'y' },
        ],
      }),
    ])
  })

  it('takes true and false for yes and no, and for these words', () => {
    const text = lines(
      { question: 'Is it?', answer: true },
      { question: 'Is it?', answers: [false, 'never'] },
    )
    const { questions } = readQuestions(text, 'mine')
    expect(questions.map(({ answers }) => answers)).toEqual([
      ['yes', 'true'],
      ['no', 'false', 'never'],
    ])
  })

  it('tells each line that is none, and reads the rest', () => {
    const text = lines(
      '{"question": "Torn',
      '',
      '[1]',
      { answer: 'no question' },
      { question: 'Good?' },
      { question: 'Both?', files: 'a', context: 'b' },
      { pmid: 1, QUESTION: 'q', CONTEXTS: 'no list', final_decision: 'perhaps' },
    )
    const { questions, refused } = readQuestions(text, 'mine')
    expect(questions.map(({ question }) => question)).toEqual(['Good?'])
    expect(refused).toEqual([
      { line: 1, reason: expect.stringContaining('not JSON') },
      { line: 3, reason: 'it is not a JSON object' },
      { line: 4, reason: expect.stringContaining('"question"') },
      { line: 6, reason: expect.stringContaining('both files and context') },
      { line: 7, reason: expect.stringMatching(/read as pubmedqa, "CONTEXTS".*"final_decision"/) },
    ])
  })

  it('is refused with two questions of one id, which names both lines', () => {
    const text = lines(
      { id: 'a', question: 'x' },
      { id: 'b', question: 'y' },
      { id: 'a', question: 'z' },
    )
    expect(() => readQuestions(text, 'mine')).toThrow('Lines 1 and 3 have the same id "a".')
  })

  it('may begin with a byte order mark and have lines ended as on Windows', () => {
    const { questions } = readQuestions('\ufeff{"question":"a"}\r\n{"question":"b"}\r\n', 'mine')
    expect(questions.map(({ question }) => question)).toEqual(['a', 'b'])
  })
})

function question(parts: object) {
  return { set: 'mine', answers: [], labels: [], files: [], context: [], ...parts }
}
