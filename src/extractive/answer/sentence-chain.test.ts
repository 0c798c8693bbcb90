import { describe, expect, it } from 'vitest'
import { readQuestion } from '../question/question.ts'
import { readEvidence } from './evidence.ts'
import { chooseChain, findBridgeQueries } from './sentence-chain.ts'

const page = (n: number, title: string, text: string) => ({
  n,
  passageId: `p${n}` as never,
  sourceId: `s${n}` as never,
  start: 0,
  end: text.length,
  title,
  text,
})
const actor = page(
  1,
  'Tom Rey',
  'Tom Rey is an actor. He played the miller in the film "Red Mill".',
)
const film = page(2, 'Red Mill', 'Red Mill is a drama. It was directed by Ann Lee in 1990.')
const other = page(3, 'Blue Hill', 'Blue Hill is a film that was directed by Bob Orr.')
const question = readQuestion('Who directed the film in which Tom Rey played the miller?')

describe('chooseChain', () => {
  it('takes a sentence that names a page and the one of that page that answers', () => {
    const chain = chooseChain(question, readEvidence([other, film, actor]))
    expect([chain?.first.text, chain?.second.text]).toEqual([
      'He played the miller in the film "Red Mill".',
      'It was directed by Ann Lee in 1990.',
    ])
  })

  it('takes nothing where no sentence leads to the page that would answer', () => {
    expect(chooseChain(question, readEvidence([actor, other]))).toBeUndefined()
  })

  it('takes nothing where a name, a figure or the deed of the question stands nowhere', () => {
    const evidence = readEvidence([film, actor])
    for (const asked of [
      'Who directed the film in which Tom Roe played the miller?',
      'Who directed the film of 1991 in which Tom Rey played the miller?',
      'Who financed the film in which Tom Rey played the miller?',
    ]) {
      expect(chooseChain(readQuestion(asked), evidence)).toBeUndefined()
    }
  })
})

describe('findBridgeQueries', () => {
  it('searches for what the best sentence names, with the words that it lacks', () => {
    expect(findBridgeQueries(question, readEvidence([actor]))).toEqual(['Red Mill directed'])
  })

  it('searches for nothing over a short question', () => {
    expect(findBridgeQueries(readQuestion('Who is Tom Rey?'), readEvidence([actor]))).toEqual([])
  })
})
