import { describe, expect, it } from 'vitest'
import type { ShownPassage } from '../citations/role-requests.ts'
import { passageId, type SourceId } from '../citations/source.ts'
import { chooseSentences } from './answer/choose-sentences.ts'
import { readEvidence } from './answer/evidence.ts'
import { readQuestion } from './question/question.ts'

function passage(title: string, text: string, section = title): ShownPassage {
  const sourceId = '1'.repeat(64) as SourceId
  const end = text.length
  const id = passageId(sourceId, 0, end)
  return { n: 1, sourceId, passageId: id, start: 0, end, title, section, text }
}

const answer = (page: ShownPassage, question: string) =>
  chooseSentences(readQuestion(question, true), readEvidence([page]))
    .map(({ text }) => text)
    .join(' ')

describe('a plain statement', () => {
  const page = passage('note', 'The code word is zebra. It was chosen by Anna in 1999.')

  it.each([
    ['What is the code word?', 'The code word is zebra.'],
    ['Who chose the code word?', 'It was chosen by Anna in 1999.'],
    ['When was the code word chosen?', 'It was chosen by Anna in 1999.'],
    ['What is the password?', ''],
  ])('%s', (question, expected) => {
    expect(answer(page, question)).toBe(expected)
  })

  it('that tells only of a quality or a place defines nothing', () => {
    const reef = passage(
      'Reefs',
      'Rope is expensive. Rope is found in ships. Rope is resilient to salt.',
    )
    expect(answer(reef, 'What is rope?')).toBe('')
  })
})

describe('notes', () => {
  const page = passage(
    'V4 prototype',
    'The V4 prototype is led by Anna Berg.\n\n- Warranty: 3 years\n- Weight: 12 kg\n- Office: Hamburg\n\n' +
      'CEO: Jane Roe\nBudget: 400 euros\n\nMary Holt, the CFO, joined in 2019. ' +
      'Captain Leo Marsh brought stones. Tom Wu is responsible for testing. The shop opens at 9 am.',
  )

  it.each([
    ['How long is the warranty?', 'Warranty: 3 years'],
    ['What is the warranty?', 'Warranty: 3 years'],
    ['How heavy is the V4 prototype?', 'Weight: 12 kg'],
    ['What is the budget of the V4 prototype?', 'Budget: 400 euros'],
    ['Where is the office?', 'Office: Hamburg'],
    ['Who is the CEO?', 'CEO: Jane Roe'],
    ['Who is the CFO?', 'Mary Holt, the CFO, joined in 2019.'],
    ['Who is responsible for the V4 prototype?', 'The V4 prototype is led by Anna Berg.'],
    ['Who is responsible for testing?', 'Tom Wu is responsible for testing.'],
    ['When does the shop open?', 'The shop opens at 9 am.'],
    ['How long is the delivery?', ''],
    ['How much does the V4 prototype cost?', ''],
    ['Who is the captain?', ''],
    ['Who is the chairman?', ''],
    ['Who is responsible for sales?', ''],
  ])('%s %s', (question, expected) => {
    expect(answer(page, question)).toBe(expected)
  })

  it('that name who leads, not who is responsible for something else', () => {
    const team = passage('Falcon', 'Project lead: Max Lind\n\nTom Wu is responsible for testing.')
    expect(answer(team, 'Who leads the Falcon project?')).toBe('Project lead: Max Lind')
    expect(answer(team, 'Who is the project lead?')).toBe('Project lead: Max Lind')
  })

  it('line by line where the writer ended the lines, and not where an editor wrapped them', () => {
    const lines =
      'the key is with Peter\nThe next meeting is on 4 April in Room 12 of the old house.'
    expect(answer(passage('notes', lines), 'When is the next meeting?')).toBe(
      'The next meeting is on 4 April in Room 12 of the old house.',
    )
    const wrapped =
      'In the year 1911 the great Harbour Prize went to Ada\nRey for the lamp of 1909.'
    expect(answer(passage('prizes', wrapped), 'Who won the Harbour Prize?')).toContain('Ada Rey')
  })
})

describe('what a paper presents', () => {
  it.each([
    ['In this work, we present Zorro, a tool that reads maps.'],
    ['From these figures we see that Zorro is a reasonable tool.'],
    ['We introduce the Zorro algorithm for reading maps.'],
    ['Reading of maps by ropes (Zorro) is a method for sailors.'],
  ])('%s', (text) => {
    expect(answer(passage('Reading maps', text), 'What is Zorro?')).toBe(text)
  })

  it.each([
    ['a list of references', 'Zorro: Combining the reading of maps with ropes.', 'References'],
    ['a reference', 'Zorro is a tool for maps, pages 12-15.', 'Maps'],
    ['authors', 'A. Lee, B. Marsh, and T. Rey: Zorro is a tool.', 'Maps'],
    ['a torn end', 'Zorro is a tool for the reading of maps that', 'Maps'],
    ['a torn word', 'Zorro is a tool for the reading of repro-', 'Maps'],
    ['labels of a figure', '0.0 0.2 0.4 0.6 Zorro is a tool for maps.', 'Maps'],
    ['work on it', 'We have developed an implementation of Zorro that runs well.', 'Maps'],
    ['a quality', 'The lines are the Zorro realizations of noise.', 'Maps'],
  ])('but not from %s', (_what, text, section) => {
    expect(answer(passage('Reading maps', text, section), 'What is Zorro?')).toBe('')
  })
})

describe('questions that ask whether or who not', () => {
  const page = passage(
    'Prizes',
    'Runge, a German chemist, found tin. Albert Marsh measured light. Ada Rey won the Harbour Prize. ' +
      'Tom Rey never won the Harbour Prize.',
  )

  it('need the one who is asked about', () => {
    expect(answer(page, 'Was Marsh German?')).toBe('')
    expect(answer(page, 'Was Runge German?')).toBe('Runge, a German chemist, found tin.')
  })

  it('need a sentence that denies it', () => {
    expect(answer(page, 'Who did not win the Harbour Prize?')).toBe(
      'Tom Rey never won the Harbour Prize.',
    )
    const winners = passage('Prizes', 'Ada Rey won the Harbour Prize.')
    expect(answer(winners, 'Who did not win the Harbour Prize?')).toBe('')
  })
})

describe('words that say the same', () => {
  const page = passage(
    'The influenza of 1918',
    'The influenza of 1918 was an outbreak that lasted from 1918 to 1920. A cup holds 80 milligrams of caffeine. ' +
      'A study found that the tower was painted in 1750. In Samoa the influenza of 1918 killed 500 people. ' +
      'Ada Rey estimated 9,000 deaths by influenza.',
  )

  it.each([
    ['When did the 1918 flu start?', 'lasted from 1918 to 1920'],
    ['How many mg of caffeine are in a cup?', '80 milligrams'],
    ['How many people died of influenza?', 'Ada Rey estimated 9,000 deaths by influenza.'],
  ])('%s', (question, part) => {
    expect(answer(page, question)).toContain(part)
  })

  it('but what a study found is not the thing that was found', () => {
    expect(answer(page, 'When was the tower found?')).toBe('')
  })

  it('and a portion may be another', () => {
    const coffee = passage('Coffee', 'Espresso has 80 milligrams of caffeine in 60 millilitres.')
    expect(answer(coffee, 'How much caffeine is in a cup of espresso?')).not.toBe('')
  })
})
