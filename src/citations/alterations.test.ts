import { describe, expect, it } from 'vitest'
import { checkClaims } from './check-claim.ts'
import type { Claim, ReadPassage } from './claim.ts'
import { passageId, type SourceId } from './source.ts'

const sourceId = 'a'.repeat(64) as SourceId

/** What becomes of `claim` beside one passage, `source`. */
function check(claim: string, source: string): Claim {
  const passage: ReadPassage = {
    n: 1,
    passageId: passageId(sourceId, 0, source.length),
    sourceId,
    start: 0,
    end: source.length,
    text: source,
  }
  const cited = { text: claim, plain: claim, citations: [1], start: 0, end: claim.length }
  const [checked] = checkClaims([cited], [passage], [{ n: 1, sourceId, title: 'Page 1' }])
  if (checked === undefined) throw new Error(`no verdict: ${claim}`)
  return checked
}

describe('altered', () => {
  it.each([
    ['Over 30 billion albums were sold.', 'Over 30 million albums were sold.'],
    ['The dose of calcium was raised in rats.', 'The dose of calcium was raised in mice.'],
    [
      'Potassium was given to all patients at night.',
      'Calcium was given to all patients at night.',
    ],
    ['They gave atorvastatin to the women.', 'They gave aspirin to the women.'],
    ['The T cells were cultured for a day.', 'The hepatocytes were cultured for a day.'],
    ['It was seen in patients with lung cancer.', 'It was seen in patients with melanoma.'],
    ['It was seen in the hippocampus of mice.', 'It was seen in the liver of mice.'],
    ['The effect was seen in vivo by all.', 'The effect was seen in vitro by all.'],
    ['The risk fell in older people.', 'The risk fell in children.'],
    ['The risk fell in many children.', 'The risk fell in many patients.'],
    ['All of the patients recovered soon.', 'Most of the patients recovered soon.'],
    ['The pain always came back at night.', 'The pain often came back at night.'],
    ['The wound was completely healed by May.', 'The wound was partially healed by May.'],
    ['Exactly 50 people came to the fair.', 'About 50 people came to the fair.'],
    ['The drug causes cancer in mice.', 'The drug may cause cancer in mice.'],
    ['The drug will cause cancer in mice.', 'The drug could cause cancer in mice.'],
    ['These data prove that it works.', 'These data suggest that it works.'],
    ['The gene is involved in cancer.', 'The gene is thought to be involved in cancer.'],
    ['Smoking causes cancer in adults.', 'Smoking is associated with cancer in adults.'],
    ['There was strong evidence of harm here.', 'There was no evidence of harm here.'],
    ['He is both tall and rich, they say.', 'He is neither tall nor rich, they say.'],
    [
      'It was not found that the risk fell in adults last year.',
      'The risk fell in adults last year.',
    ],
    ['The level in the presence of air fell.', 'The level in the absence of air fell.'],
    ['Patients had hypotension after the drug.', 'Patients had hypertension after the drug.'],
    ['The rate of birth was lower there.', 'The rate of death was lower there.'],
  ])('%s beside %s', (claim, source) => {
    expect(check(claim, source).verdict).toBe('altered')
  })

  it('shows the words that differ', () => {
    expect(check('The risk fell in rats.', 'The risk fell in mice.').reason).toBe(
      '"rats" in the answer, "mice" in the source.',
    )
  })
})

describe('not altered', () => {
  it.each([
    ['a name of the same thing', 'The murine cells grew fast.', 'The mouse cells grew fast.'],
    ['what contains the other', 'The brain of each was seen.', 'The hippocampus of each was seen.'],
    [
      'people that the source names elsewhere',
      'The risk fell in many children.',
      'The risk fell in many patients. They were children.',
    ],
    ['people left open', 'The risk fell in many patients.', 'The risk fell in many children.'],
    ['a weaker word', 'The drug may cause cancer in mice.', 'The drug causes cancer in mice.'],
    [
      'a hedge in another place',
      'Possibly the drug causes cancer in mice.',
      'The drug may cause cancer in mice.',
    ],
    ['what could be done', 'The samples were used at once.', 'The samples could be used at once.'],
    ['a tie for a cause', 'Smoking is associated with cancer.', 'Smoking causes cancer.'],
    ['one step', 'The pain frequently came back at night.', 'The pain often came back at night.'],
    [
      'little for none',
      'There was little evidence of harm here.',
      'There was no evidence of harm here.',
    ],
    [
      'two more words',
      'The cats and horses of the town were fed.',
      'The horses, cows and cats of the town were fed.',
    ],
  ])('%s: %s beside %s', (_rule, claim, source) => {
    expect(check(claim, source).verdict).not.toBe('altered')
  })
})
