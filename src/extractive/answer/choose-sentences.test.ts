import { describe, expect, it } from 'vitest'
import type { ShownPassage } from '../../citations/role-requests.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import { readQuestion } from '../question/question.ts'
import { chooseSentences } from './choose-sentences.ts'
import { readEvidence } from './evidence.ts'

function passage(n: number, title: string, section: string, text: string): ShownPassage {
  const sourceId = `${n}`.repeat(64) as SourceId
  const start = section.length * 1000
  const end = start + text.length
  return {
    n,
    sourceId,
    passageId: passageId(sourceId, start, end),
    start,
    end,
    title,
    section,
    text,
  }
}

const pages = [
  passage(
    1,
    'The Vela lighthouse',
    'The Vela lighthouse',
    'The Vela lighthouse is a stone tower on the island of Ombra. The tower is 41 metres high. ' +
      'It was designed by Ines Calder. Ines Calder was born in Porto Novo in 1801.',
  ),
  passage(
    1,
    'The Vela lighthouse',
    'Building',
    'Workers built the lighthouse between 1830 and 1834. The lamp was invented by Tomas Rey, who sold it for 900 crowns. ' +
      'Captain Leo Marsh brought the stones in 12 ships.\n\n' +
      'Sources differ on the cost of the tower. The Harbour Office names 70,000 crowns, while the city archive names 82,500 crowns.',
  ),
  passage(
    1,
    'The Vela lighthouse',
    'Today',
    'The lighthouse was closed in 1971, because ships no longer used the strait. The keepers received the Harbour Medal in Silver in 1972. ' +
      'About 5,000 people visit the tower each year. The light did not go out during the storm of 1902.',
  ),
  passage(
    2,
    'Ombra',
    'Ombra',
    'Ombra is an island in the Strait of Vela with 1,200 inhabitants. The island is 9 kilometres long. ' +
      'LOA, or "Light Of Ombra", is the name of its newspaper. Anna Calder opened the harbour in 1850. ' +
      '| Year | Ships |\n| 1850 | 12 |\n\n## Harbour\n\nThe first keeper of the harbour was Oskar Lind [4]. A keeper earns little.',
  ),
]

const evidence = readEvidence(pages)
const answer = (question: string) =>
  chooseSentences(readQuestion(question), evidence)
    .map(({ text }) => text)
    .join(' ')

describe('chooseSentences answers', () => {
  it.each([
    [
      'What is the Vela lighthouse?',
      'The Vela lighthouse is a stone tower on the island of Ombra.',
    ],
    ['What is Ombra?', 'Ombra is an island in the Strait of Vela with 1,200 inhabitants.'],
    ['What does LOA stand for?', 'LOA, or "Light Of Ombra", is the name of its newspaper.'],
    ['When was Ines Calder born?', 'Ines Calder was born in Porto Novo in 1801.'],
    ['Where was Ines Calder born?', 'Ines Calder was born in Porto Novo in 1801.'],
    ['Who opened the harbour?', 'Anna Calder opened the harbour in 1850.'],
    ['Who was the first keeper of the harbour?', 'The first keeper of the harbour was Oskar Lind.'],
    ['How many people visit the tower?', 'About 5,000 people visit the tower each year.'],
    ['How many ships brought the stones?', 'Captain Leo Marsh brought the stones in 12 ships.'],
  ])('%s', (question, expected) => {
    expect(answer(question)).toBe(expected)
  })

  it.each([
    ['How high is the Vela lighthouse?', 'The tower is 41 metres high.'],
    ['How long is Ombra?', 'The island is 9 kilometres long.'],
    ['Who invented the lamp?', 'Tomas Rey'],
    ['Why was the lighthouse closed?', 'because ships no longer'],
    ['Did the light go out in the storm?', 'did not go out'],
  ])('%s, with: %s', (question, part) => {
    expect(answer(question)).toContain(part)
  })

  it('with the sentence before, where one cannot stand alone', () => {
    expect(answer('Who designed the lighthouse?')).toContain(
      'The tower is 41 metres high. It was designed by Ines',
    )
    expect(answer('How much did the tower cost?')).toMatch(
      /^Sources differ .* 70,000 crowns, while .* 82,500 crowns\.$/,
    )
  })

  it('with what a person won where another prize was asked for', () => {
    expect(answer('When did the keepers receive the Harbour Medal in Gold?')).toBe('')
    const won = readEvidence([
      passage(
        3,
        'Prizes',
        'Prizes',
        'Ines Calder won the Crown Prize in Music in 1840. Others won less.',
      ),
    ])
    const [corrected] = chooseSentences(
      readQuestion('When did Ines Calder win the Crown Prize in Painting?'),
      won,
    )
    expect(corrected?.text).toBe('Ines Calder won the Crown Prize in Music in 1840.')
  })
})

describe('chooseSentences finds nothing', () => {
  it.each([
    ['another attribute of a thing that is there', 'How wide is the Vela lighthouse?'],
    ['another attribute of a person who is there', 'When did Ines Calder die?'],
    ['another person of that family', 'Where was Anna Calder born?'],
    ['a person who is not there', 'When did Rosa Lund build the lighthouse?'],
    ['a title that is no office', 'Who was the captain of the harbour?'],
    ['an office that is another', 'Who was the second keeper of the harbour?'],
    ['a figure of another kind', 'How many metres of rope are on Ombra?'],
    ['a deed without a doer', 'Who closed the lighthouse?'],
    ['a reason that is not given', 'Why was the lighthouse built?'],
    ['a subject that is not there', 'What is the capital of Mongolia?'],
    ['a word that nothing defines', 'What is rope?'],
    ['weak words alone', 'What is the main thing today?'],
    ['nothing', '?'],
  ])('for %s', (_what, question) => {
    expect(answer(question)).toBe('')
  })

  it('in an empty library', () => {
    expect(chooseSentences(readQuestion('What is Ombra?'), readEvidence([]))).toEqual([])
  })
})

/** What is chosen from one page titled `title`. */
const from = (title: string, text: string, question: string) =>
  chooseSentences(readQuestion(question), readEvidence([passage(1, title, title, text)])).map(
    (sentence) => sentence.text,
  )

describe('chooseSentences tells apart', () => {
  it('a person and relatives, on the page of the person', () => {
    const page =
      'Tom Rey died in a storm in 1850. Ada Rey lived on Ombra. Ada Rey died at home in 1871.'
    expect(from('Ada Rey', page, 'When did Ada Rey die?')).toEqual([
      'Ada Rey died at home in 1871.',
    ])
    expect(from('Ada Rey', 'Tom Rey died in a storm in 1850.', 'When did Ada Rey die?')).toEqual([])
  })

  it('what was asked about and what is said next', () => {
    const page = 'Ada Rey was born in May. She lives in Rome.'
    expect(from('Ada Rey', page, 'Where was Ada Rey born?')).toEqual([])
    const long =
      'Ada Rey (born in May) is a painter, a singer, a dancer, and a friend of many who has a house in Rome.'
    expect(from('Ada Rey', long, 'Where was Ada Rey born?')).toEqual([])
  })

  it('who did it and who did something like it', () => {
    const page =
      'Ada Rey invented the lamp. Tom Rey described the lamp in a book. Ann Lee sold the lamp.'
    expect(from('Lamps', page, 'Who invented the lamp?')).toEqual(['Ada Rey invented the lamp.'])
  })

  it('who gave and who got', () => {
    expect(
      from('Medals', 'The Harbour Medal went to Ada Rey.', 'Who won the Harbour Medal?'),
    ).toHaveLength(1)
    expect(from('Films', 'The film stars Ada Rey.', 'Who stars in the film?')).toHaveLength(1)
  })

  it('a question that lacks one word of five and one that lacks two', () => {
    const others =
      'Rain fell on Ombra for days. The harbour was full. Many ships lay there. Bread was cheap.'
    const page = `${others} Ada Rey painted the northern door of the old chapel with green colour.`
    const ask = (rest: string) =>
      from('Chapels', page, `Who painted the northern door of the chapel ${rest}?`)
    expect(ask('with fine colour')).toHaveLength(1)
    expect(ask('with fine brushes in winter')).toEqual([])
  })
})

describe('chooseSentences gives', () => {
  const estimates = ['Lee', 'Marsh', 'Calder', 'Lind', 'Rey', 'Holm'].map(
    (name, index) => `${name} counted ${index + 2}00 deaths.`,
  )

  it('every figure where sources differ, four sentences at most', () => {
    const page = `The storm killed many. ${estimates.slice(0, 3).join(' ')}`
    expect(from('The storm', page, 'How many people died in the storm?')).toEqual(
      estimates.slice(0, 3),
    )
    const more = `The storm killed many. ${estimates.join(' ')}`
    expect(from('The storm', more, 'How many people died in the storm?')).toHaveLength(4)
  })

  it('two sentences where both tell how', () => {
    const page =
      'The lamp works with whale oil. The lamp works by pumping fuel into glass. Tom sold it.'
    expect(from('Lamps', page, 'How does the lamp work?')).toHaveLength(2)
  })

  it('one sentence where a second says the same', () => {
    const page = 'Ada Rey built the tower in 1850. In 1850 Ada Rey built the tall tower.'
    expect(from('Towers', page, 'When did Ada Rey build the tower?')).toHaveLength(1)
  })
})

describe('readEvidence', () => {
  it('leaves out headings, tables and marks of citations, and counts a passage once', () => {
    const texts = readEvidence([...pages, ...pages]).sentences.map(({ text }) => text)
    expect(texts).toHaveLength(new Set(texts).size)
    expect(texts.join('\n')).not.toMatch(/[|#[\]]/)
    expect(texts).toContain('A keeper earns little.')
  })
})
