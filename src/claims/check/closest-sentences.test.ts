import { describe, expect, it } from 'vitest'
import type { Claim, ReadPassage } from '../../citations/claim.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import { checkClaims } from './check-claim.ts'

const sourceId = 'a'.repeat(64) as SourceId

/** The verdict on `claim` against one passage, `source`. */
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
    ['who gives and who takes', 'The men were given the drug.', 'The men took the drug.'],
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

describe('supported', () => {
  it.each([
    ['an opening', 'As the authors note, the risk fell.', 'The risk fell.'],
    ['an opening', 'It was found that the risk fell.', 'The risk fell.'],
    ['an opening', 'Research shows that the risk fell.', 'The risk fell.'],
    ['an opening', 'One study reports that the risk fell.', 'The risk fell.'],
    ['a clause for "with"', 'The adults who have cancer slept.', 'The adults with cancer slept.'],
    ['a clause', 'The adults that were treated slept.', 'The adults treated slept.'],
    ['a clause', 'The name, which is a joke, stayed.', 'The name, a joke, stayed.'],
    [
      'a contraction',
      "It's the second station of the town.",
      'It is the second station of the town.',
    ],
    ['a contraction', "We've seen that they're well.", 'We have seen that they are well.'],
    ['a contraction', "They won't go there.", 'They will not go there.'],
    ['a contraction', "It isn't known who built it.", 'It is not known who built it.'],
    [
      'an abbreviation',
      'The LDL of all was low.',
      'Low-density lipoprotein (LDL) was seen. The low-density lipoprotein of all was low.',
    ],
    [
      'an abbreviation',
      'The low-density lipoproteins rose.',
      'We saw low-density lipoprotein (LDL). The LDLs rose.',
    ],
    [
      'an abbreviation',
      'Low-density lipoprotein was seen.',
      'LDL (low-density lipoprotein) was seen.',
    ],
    ['an abbreviation', 'The World Health Organization said so.', 'WHO said so.'],
    ['an abbreviation', 'WHO said so.', 'The World Health Organization (WHO) said so.'],
    ['an abbreviation', 'Chronic obstructive pulmonary disease is common.', 'COPD is common.'],
    ['a moved clause', 'Because it rained, the dog slept.', 'The dog slept because it rained.'],
    [
      'a moved clause',
      'The dog slept although it rained all day.',
      'Although it rained all day, the dog slept.',
    ],
    [
      'a moved phrase',
      'After 6 weeks of treatment, the response was seen.',
      'The response was seen after 6 weeks of treatment.',
    ],
    ['a list', 'It has red, blue and green walls.', 'It has blue, green and red walls.'],
    ['a noun', 'They met for the prevention of war.', 'They met to prevent war.'],
    [
      'a noun',
      'The risk fell through inhibition of growth.',
      'The risk fell by inhibiting growth.',
    ],
    ['a noun', 'Treating pain is hard.', 'Treatment of pain is hard.'],
    ['a noun', 'They carried out an analysis of the blood.', 'They analysed the blood.'],
    ['a range', 'It took 2 to 57 days.', 'It took 2–57 days.'],
    ['a rate', 'The dose was 5 mg per kg in all.', 'The dose was 5 mg/kg in all.'],
    ['versus', 'It was 1.5 versus 1.0 in all.', 'It was 1.5 vs. 1.0 in all.'],
    ['words for numbers', 'One hundred and twenty men came.', '120 men came.'],
    [
      'words for numbers',
      'A dozen men came in the twenty-first week.',
      '12 men came in the 21st week.',
    ],
    [
      'words for numbers',
      'World War 2 lasted 2.5 years there.',
      'World War II lasted 2½ years there.',
    ],
    ['digits in groups', 'It has 50 000 people there.', 'It has 50,000 people there.'],
    ['a number sign', 'He reached No. 1 there.', 'He reached number one there.'],
    ['a date', 'It ran from May 4, 1934 – June 5, 1935.', 'It ran from 4 May 1934 – 5 June 1935.'],
    ['a date', 'It was on the 4th of July, 1934.', 'It was on July 4, 1934.'],
    [
      'synonyms',
      'They carried out a study prior to the war.',
      'They performed a study before the war.',
    ],
    [
      'synonyms',
      'In spite of the rain, a variety of birds took part.',
      'Despite the rain, various birds participated.',
    ],
    ['more general people', 'The individuals slept well.', 'The patients slept well.'],
    ['an organ', 'The hepatic fat of all fell.', 'The liver fat of all fell.'],
    ['a filler', 'The effect was strong, however.', 'The effect was very strong.'],
  ])('%s: %s beside %s', (_rule, claim, source) => {
    expect(check(claim, source).verdict).toBe('supported')
  })
})

describe('not supported', () => {
  it.each([
    ['a doubt in the opening', 'The risk fell.', 'It is doubted that the risk fell.'],
    ['a statement out of a clause', 'The adults were treated.', 'The adults treated slept.'],
    [
      'another long form',
      'The high-density lipoprotein rose.',
      'We saw low-density lipoprotein (LDL). The LDL rose.',
    ],
    [
      'another long form',
      'The high-density lipoprotein (LDL) rose.',
      'The low-density lipoprotein (LDL) rose.',
    ],
    ['other initials', 'The World Trade Office said so.', 'WHO said so.'],
    ['cause for effect', 'Because the dog slept, it rained.', 'The dog slept because it rained.'],
    [
      'other words in a list',
      'It has red, blue and old walls.',
      'It has blue, green and red walls.',
    ],
    [
      'pairs',
      'A, C and B had 1, 2 and 3 legs, respectively.',
      'A, B and C had 1, 2 and 3 legs, respectively.',
    ],
    ['another noun', 'They met for the promotion of war.', 'They met to prevent war.'],
    ['numbers that only look alike', 'It took 257 days.', 'It took 2-57 days.'],
    ['numbers that only look alike', 'It has 50 000 people there.', 'It has 5,000 people there.'],
    ['none of one', 'No 1 is here.', 'Number one is here.'],
    ['another scale', 'It sold 30 billion copies.', 'It sold 30 million copies.'],
    ['another scale', 'It sold 4.5-billion copies.', 'It sold 4.5-million copies.'],
    ['another bound', 'It was seen at most twice there.', 'It was seen at least twice there.'],
    ['percentage points', 'It rose by 20 percentage points.', 'It rose by 20%.'],
    ['data in brackets', 'It took 8 [2-31] days.', 'It took 8 [2-20] days.'],
    ['less general people', 'The patients slept well.', 'The individuals slept well.'],
    ['another organ', 'The renal fat of all fell.', 'The liver fat of all fell.'],
    ['a weakened denial', 'The effect was not strong.', 'The effect was not very strong.'],
  ])('%s: %s beside %s', (_rule, claim, source) => {
    expect(['supported', 'verbatim']).not.toContain(check(claim, source).verdict)
  })
})

describe('two sentences in one', () => {
  const source =
    'Blood samples were taken at baseline. Summary estimates were made with a random model. The people were seen twice.'

  it('is altered where it says of one thing what the source says of another', () => {
    expect(check('Blood samples were made with a random model.', source)).toMatchObject({
      verdict: 'altered',
      reason: '"Blood samples" in the answer, "Summary estimates" in the source.',
    })
  })

  it('may name what the other sentence points back to', () => {
    expect(check('Blood samples were seen twice.', source).verdict).toBe('unchecked')
  })
})

describe('not_found', () => {
  it('is for what shares no more than one word with what was read', () => {
    expect(
      check('Ripe bananas and cheap oranges come from warm islands.', 'Cheap hats sell.').verdict,
    ).toBe('not_found')
  })

  it('is not for a free rewording, which is unchecked', () => {
    const claim =
      'Ripe bananas and cheap oranges, so people say, come from sunny distant islands that regulate trade.'
    expect(check(claim, 'The regulation of fruit brought orange groves there.').verdict).toBe(
      'unchecked',
    )
  })
})

describe('words in quotes', () => {
  it('may be a term, which is no quotation', () => {
    expect(
      check('The risk fell in the "hot spot" of the town.', 'The risk fell there.').verdict,
    ).toBe('unchecked')
  })

  it.each([
    ['The song "Hot Spot" was heard.'],
    ['They said "it is hot in the spot here" at once.'],
  ])('are checked where they are a title or longer: %s', (claim) => {
    expect(['altered', 'not_found']).toContain(check(claim, 'The risk fell there.').verdict)
  })
})

describe('a passage that is one endless sentence', () => {
  it('is compared in part, and leaves open what stands behind', () => {
    const source = 'low-density lipoprotein (LDL) rose. '.repeat(8000)
    expect(check('The dog rose early, and the lipoprotein was low in May.', source).verdict).toBe(
      'unchecked',
    )
  })
})
