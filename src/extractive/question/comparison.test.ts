import { describe, expect, it } from 'vitest'
import { readComparison } from './comparison.ts'

describe('readComparison', () => {
  it.each([
    [
      'Which was built first, the tower or the bridges?',
      ['When was the tower built?', 'When were the bridges built?'],
      'earlier',
    ],
    [
      'Who won the cup first, Ann or Bob?',
      ['When did Ann win the cup?', 'When did Bob win the cup?'],
      'earlier',
    ],
    [
      'Which tennis player was born last, Ann or Bob?',
      ['When was Ann born?', 'When was Bob born?'],
      'later',
    ],
    [
      'Which contains more iron, spinach or beef?',
      ['How much iron does spinach contain?', 'How much iron does beef contain?'],
      null,
    ],
    [
      'Are Ann Lee and Bob Orr both American?',
      ['Is Ann Lee American?', 'Is Bob Orr American?'],
      null,
    ],
    [
      'Were Red Mill and Blue Hill released in the same year?',
      ['When was Red Mill released?', 'When was Blue Hill released?'],
      null,
    ],
    [
      'What occupation do Ann Lee and Bob Orr share?',
      ['What is Ann Lee?', 'What is Bob Orr?'],
      null,
    ],
    [
      'Which band, Red Mill or Blue Hill, is from England?',
      ['Is Red Mill from England?', 'Is Blue Hill from England?'],
      null,
    ],
    [
      'Who was born first Ann Lee or Bob Orr?',
      ['When was Ann Lee born?', 'When was Bob Orr born?'],
      'earlier',
    ],
    [
      'Which is older, the tower or the bridges?',
      ['What is the tower?', 'What are the bridges?'],
      'earlier',
    ],
    ['Who is older, Ann or Bob?', ['When was Ann born?', 'When was Bob born?'], 'earlier'],
    [
      'Which is larger, the Nile or the Rhine?',
      ['How does the Nile compare (larger)?', 'How does the Rhine compare (larger)?'],
      null,
    ],
    [
      "Whose map was more exact, Ann's or Bob's?",
      ["How does Ann's map compare (more exact)?", "How does Bob's map compare (more exact)?"],
      null,
    ],
    ['What is the difference between tin and lead?', ['What is tin?', 'What is lead?'], null],
    ['How does tin differ from lead?', ['What is tin?', 'What is lead?'], null],
    ['tin vs lead', ['What is tin?', 'What is lead?'], null],
    ['Compare type 1 and type 2 cells', ['What are type 1 cells?', 'What are type 2 cells?'], null],
    [
      'Compare how fast the Nile and the Rhine flow.',
      ['How fast does the Nile flow?', 'How fast does the Rhine flow?'],
      null,
    ],
    [
      'How many years passed between the discovery of argon and the death of Ann Lee?',
      ['When was argon discovered?', 'When did Ann Lee die?'],
      'span',
    ],
  ])('%s', (question, steps, order) => {
    expect(readComparison(question)).toMatchObject({ steps, order })
  })

  it.each([
    'What is tin?',
    'How long does light take from the Sun to the Earth?',
    'Who was first?',
    'Which of them, then?',
    'What is the birthday of this actress, singer, and dancer?',
  ])('%s compares nothing', (question) => {
    expect(readComparison(question)).toBeUndefined()
  })
})
