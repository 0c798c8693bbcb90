import { describe, expect, it } from 'vitest'
import { casesOf } from './cases.ts'
import { nameCorruptions, namePools } from './corrupt-names.ts'
import { numberCorruptions, otherNumber, swappedNumbers } from './corrupt-numbers.ts'
import { polarityCorruptions } from './corrupt-polarity.ts'
import { activeSides, passiveSides, roleCorruptions, spliced } from './corrupt-roles.ts'
import { strengthCorruptions } from './corrupt-strength.ts'
import { halfOf, plainSentences, type SourceText, sourceTexts } from './documents.ts'
import { definedForms, formatParaphrases } from './paraphrase-format.ts'
import { orderParaphrases } from './paraphrase-order.ts'
import { wordParaphrases } from './paraphrase-words.ts'
import { randomFrom } from './random.ts'
import { type Material, putAt, type Rewrite } from './rewriting.ts'
import { isPlural } from './verbs.ts'

const source: SourceText = {
  id: 'one',
  set: 'SciFact',
  title: 'A title',
  text: 'The liver was removed and the cells were counted. We studied body mass index (BMI). A20 (TNFAIP3) is a protein. Most patients with BMI data were men.',
}

function material(text = source.text, seed = 'test'): Material {
  const own = { ...source, text }
  return { random: randomFrom(seed), source: own, pools: namePools([own]) }
}

/** All that a rule makes of a sentence under fifty seeds. */
function allOf(rewrite: Rewrite | undefined, sentence: string, text?: string): string[] {
  const made = Array.from({ length: 50 }, (_, seed) =>
    rewrite?.(sentence, material(text, `${seed}`)),
  )
  return [...new Set(made.filter((one) => one !== undefined))].sort()
}

describe('numbers', () => {
  it('changes neither bounds, nor parts of names, nor the level of an interval', () => {
    for (const sentence of [
      'More than 500 patients improved (95% CI).',
      'IL-10 and p53 rose (P<0.05).',
      'Of 363 565 cases some were fatal.',
    ])
      expect(allOf(numberCorruptions.number, sentence)).toEqual([])
  })

  it('keeps a share below 100 % and always gives another number', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const random = randomFrom(`${seed}`)
      expect(Number(otherNumber('97', true, random))).toBeLessThanOrEqual(100)
      expect(otherNumber('0', false, random)).not.toBe('0')
      expect(otherNumber('1,500', false, random)).toMatch(/^(?:\d,\d{3}|\d{3})$/)
    }
  })

  it('exchanges numbers that say different things, not the items of a list or the ends of a range', () => {
    const rewrite = (sentence: string): string | undefined => swappedNumbers(sentence, material())
    expect(rewrite('Mortality was 12% in the first group and 8% in the second.')).toBe(
      'Mortality was 8% in the first group and 12% in the second.',
    )
    expect(rewrite('They were seen after 3, 5 and 7 days.')).toBeUndefined()
    expect(rewrite('Doses from 5 to 10 were given.')).toBeUndefined()
  })
})

describe('names', () => {
  it('never puts another name of the same thing', () => {
    const text = 'A20 (TNFAIP3) and Gata3 were seen, GATA-3 was not, and CD40 was.'
    expect(allOf(nameCorruptions.gene, 'We saw that GATA-3 was lost.', text)).toEqual([
      'We saw that CD40 was lost.',
    ])
    expect(
      allOf(nameCorruptions.gene, 'We saw that A20 was lost.', 'A20 or CD40 rose, CD28 not.'),
    ).toEqual(['We saw that CD28 was lost.'])
  })

  it('leaves names within longer names alone', () => {
    expect(allOf(nameCorruptions.place, 'He was born in Milanówek.')).toEqual([])
    expect(allOf(nameCorruptions.place, 'They were Mexican American girls.')).toEqual([])
    expect(allOf(nameCorruptions['drug or substance'], 'It dates from the Iron Age.')).toEqual([])
  })
})

describe('polarity and strength', () => {
  it('adds no second negation and none to an open question', () => {
    for (const sentence of [
      'It was found that no link was present.',
      'We asked whether growth was present.',
    ])
      expect(allOf(polarityCorruptions['negation added'], sentence)).toEqual([])
    expect(allOf(polarityCorruptions['negation added'], 'The gene is essential.')).toEqual([
      'The gene is not essential.',
    ])
  })

  it('does not take the opposite where both stand, nor from an idiom', () => {
    expect(allOf(polarityCorruptions.direction, 'It may increase or decrease.')).toEqual([])
    expect(allOf(polarityCorruptions.direction, 'The risk is higher.')).toEqual([
      'The risk is lower.',
    ])
    expect(allOf(polarityCorruptions.direction, 'It is more or less known.')).toEqual([])
  })

  it('makes a hedged sentence certain in good grammar', () => {
    expect(allOf(strengthCorruptions.hedge, 'Coffee may cause cancer.')).toEqual([
      'Coffee causes cancer.',
    ])
    expect(allOf(strengthCorruptions.hedge, 'It does not appear to be safe.')).toEqual([])
  })

  it('does not turn patients into children where the text speaks of children', () => {
    const sentence = 'All patients were treated.'
    expect(allOf(strengthCorruptions.scope, sentence, 'The children came.')).toEqual([])
    expect(allOf(strengthCorruptions.scope, sentence)).toEqual(['All children were treated.'])
  })
})

describe('roles', () => {
  it('finds the sides of short sentences only', () => {
    expect(activeSides('NEMO prevents colon inflammation in mice.')).toMatchObject({
      subject: 'NEMO',
      verb: 'prevents',
      object: 'colon inflammation',
    })
    expect(activeSides('It inhibits growth.')).toBeUndefined()
    expect(activeSides('Participants receiving it improved their sleep.')).toBeUndefined()
    expect(passiveSides('It was designed by Ajoy Kar.')).toBeUndefined()
    expect(passiveSides('The film was designed by Ajoy Kar.')?.object).toBe('Ajoy Kar')
  })

  it('exchanges the sides in a corruption and keeps them in a paraphrase', () => {
    const sentence = 'NEMO prevents colon inflammation in mice.'
    const text = `${source.text} In colon inflammation, cells die.`
    expect(allOf(roleCorruptions.roles, sentence, text)).toEqual([
      'Colon inflammation prevents NEMO in mice.',
    ])
    expect(allOf(orderParaphrases.voice, sentence, text)).toEqual([
      'Colon inflammation is prevented by NEMO in mice.',
    ])
  })

  it('exchanges the sides of a comparison', () => {
    expect(
      allOf(roleCorruptions.comparison, 'Incidence was higher in boys than in girls.'),
    ).toEqual(['Incidence was higher in girls than in boys.'])
  })

  it('splices two sentences only where their subjects have no word in common', () => {
    const own = 'The old cells were counted in the early morning of the day.'
    const text = `${own} The new livers were removed from all of the treated mice.`
    expect(spliced(own, material(text))).toBe(
      'The old cells were removed from all of the treated mice.',
    )
    expect(spliced(own, material(text.replace('livers', 'cells')))).toBeUndefined()
  })
})

describe('paraphrases', () => {
  it('spells out only what the text defines', () => {
    expect(definedForms('We used magnetic resonance imaging (MRI) and rest (SD).')).toEqual([
      ['MRI', 'magnetic resonance imaging'],
    ])
    expect(allOf(formatParaphrases.abbreviation, 'High BMI was common.')).toEqual([
      'High body mass index was common.',
    ])
  })

  it('keeps parentheses that limit what is said', () => {
    const rule = formatParaphrases['dropped parentheses']
    expect(allOf(rule, 'All patients (except one) died.')).toEqual([])
    expect(allOf(rule, 'All patients (n = 10) died.')).toEqual(['All patients died.'])
  })

  it('does not take a month or a television show for a verb', () => {
    expect(allOf(wordParaphrases.synonym, 'He was born on May 2 at the show.')).toEqual([])
  })

  it('keeps the order of what belongs together by "respectively"', () => {
    expect(
      allOf(
        orderParaphrases['list reordered'],
        'Sites such as liver, colon and lung, had 1, 2 and 3, respectively.',
      ),
    ).toEqual([])
  })
})

describe('the generator', () => {
  it('writes "an" where the new word needs it', () => {
    expect(putAt('a small dog', 2, 7, 'old')).toBe('an old dog')
    expect(putAt('an old dog', 3, 6, 'European')).toBe('a European dog')
    expect(putAt('an 80 % rise', 3, 5, '70')).toBe('a 70 % rise')
  })

  it('tells a plural subject from a singular one', () => {
    expect(['mice', 'These genes', 'levels of insulin'].map(isPlural)).toEqual([true, true, true])
    expect(['diabetes', 'apoptosis', 'level of genes'].map(isPlural)).toEqual([false, false, false])
  })

  it('takes whole sentences without headings, questions and torn abbreviations', () => {
    expect(
      plainSentences(
        'BACKGROUND Hearts are big in all of the many known cases. Dr. Smith saw that all of the hearts were big. Is it so that all of the hearts were big?',
      ),
    ).toEqual(['Dr. Smith saw that all of the hearts were big.'])
  })
})

const data = process.env.SCHOLIUM_DATA

describe.skipIf(data === undefined)('the claims of a seed (needs SCHOLIUM_DATA)', () => {
  const texts = data === undefined ? [] : sourceTexts(data)
  const dev = data === undefined ? [] : casesOf(texts, 'dev', 1)

  it('are the same each time and others under another seed', () => {
    const claims = (cases: ReturnType<typeof casesOf>) => cases.map(({ claim }) => claim)
    expect(claims(casesOf(texts, 'dev', 1))).toEqual(claims(dev))
    const some = texts.slice(0, 40)
    expect(claims(casesOf(some, 'dev', 2))).not.toEqual(claims(casesOf(some, 'dev', 1)))
    expect(dev.length).toBeGreaterThan(2000)
  })

  it('come from texts of their half, and no corruption stands in its text', () => {
    const halves = { dev, test: casesOf(texts, 'test', 1) }
    for (const [half, cases] of Object.entries(halves))
      for (const { label, claim, original, source: own } of cases) {
        expect(halfOf(own)).toBe(half)
        expect(own.text.includes(claim)).toBe(label === 'verbatim')
        if (label !== 'verbatim') expect(claim).not.toBe(original)
      }
  })
})
