import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Claim, ReadPassage } from '../../citations/claim.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import { checkClaims, measureCoverage } from './check-claim.ts'
import { splitClaims } from './parse-claims.ts'

const sourceIds = ['a', 'b', 'c'].map((letter) => letter.repeat(64) as SourceId)

/** A passage of source `n` that starts at `offset` of its snapshot. */
function passage(text: string, n = 1, offset = 0, page?: number): ReadPassage {
  const sourceId = sourceIds[n - 1] as SourceId
  const end = offset + text.length
  const place = { n, passageId: passageId(sourceId, offset, end), sourceId, start: offset, end }
  return { ...place, ...(page === undefined ? {} : { page }), text }
}

function check(answer: string, ...sources: (string | ReadPassage)[]): Claim[] {
  const passages = sources.map((source, index) =>
    typeof source === 'string' ? passage(source, index + 1) : source,
  )
  const numbers = [...new Set(passages.map(({ n }) => n))]
  const citations = numbers.map((n) => ({
    n,
    sourceId: sourceIds[n - 1] as SourceId,
    title: `Page ${n}`,
  }))
  return checkClaims(splitClaims(answer), passages, citations)
}

function verdict(claim: string, source: string): string {
  const claims = check(`${claim} [1]`, source)
  expect(claims).toHaveLength(1)
  return claims[0]?.verdict ?? ''
}

const cas9 =
  'The paper of 2012 showed that Cas9, guided by crRNA, cuts DNA in a test tube. It was published online on 28 June ' +
  '2012. Doudna and Charpentier shared the prize. About 40 per cent of genomes carry such an array, of about 1,500 ' +
  'bases. The treatment did not raise blood pressure in 12 patients (all of them adults) after 3 weeks.'

describe('verbatim', () => {
  it.each([
    ['Doudna and Charpentier shared the prize.'],
    ['doudna and Charpentier shared the prize.'],
    ['Doudna  and\nCharpentier shared the prize.'],
    ['“Doudna and Charpentier shared the prize.”'],
    ['**Doudna** and Charpentier shared the prize.'],
    ['According to Page 1, "Doudna and Charpentier shared the prize."'],
    ['According to "Page 1", Doudna and Charpentier shared the prize.'],
    ['Page 1 states that Doudna and Charpentier shared the prize.'],
    ['The source says: "Doudna and Charpentier shared the prize".'],
    ['Doudna and Charpentier shared the prize, according to Page 1.'],
    ['Cas9, guided by crRNA, cuts DNA in a test tube.'],
    ['"The treatment did not raise blood pressure … after 3 weeks."'],
  ])('%s', (claim) => {
    expect(verdict(claim, cas9)).toBe('verbatim')
  })

  it.each([
    ['It’s a “well-known” drug – so they say.', 'It\'s a "well-known" drug — so they say.'],
    ['An example of hyphenation is here.', 'An exam-\nple of hyphenation is here.'],
    ['A well-known drug works.', 'A well-\nknown drug works.'],
    ['The effect was seen twice.', 'The effect was seen [3, 4] twice [12].'],
    ['The effect was seen [ref 3, 4] twice.', 'The effect was seen [3, 4] twice [12].'],
    ['Šikšnys saw the ﬁrst cut.', 'S\u030ciks\u030cnys saw the first cut.'],
    [
      'It was **Doudna** who won, with "help" from some.',
      'It was Doudna who won, with help from some.',
    ],
    ['Then |A| is the bound.', 'Then |A| is the bound.'],
    ['It says „so“.', 'It says "so".'],
    ['Yes it is.', 'Yes it is.'],
  ])('%s in %s', (claim, source) => {
    expect(verdict(claim, source)).toBe('verbatim')
  })

  it('has the exact words as evidence, with page and offsets in the snapshot', () => {
    const text = 'It rained. The dog “barked” twice.\nIt snowed.'
    const [claim] = check('The dog "barked" twice [1].', passage(text, 1, 1000, 7))
    expect(claim?.evidence).toEqual([
      {
        n: 1,
        passageId: passageId(sourceIds[0] as SourceId, 1000, 1000 + text.length),
        quote: 'The dog “barked” twice.',
        start: 1011,
        end: 1034,
        page: 7,
      },
    ])
  })

  it('shows each cited source that has it', () => {
    const [claim] = check(
      'The dog barked twice [1, 2].',
      'The dog barked twice.',
      'And the dog barked twice.',
    )
    expect(claim?.evidence.map(({ n }) => n)).toEqual([1, 2])
  })
})

describe('supported', () => {
  it.each([
    ['The paper showed that Cas9 cuts DNA.', 'The paper demonstrated that Cas9 cuts DNA.'],
    ['However, the drug lowers the risk.', 'The drug lowered the risk.'],
    ['The authors found that the drug lowers risk.', 'The drug lowered the risk.'],
    ['The drug lowered the risk.', 'We found that the drug lowered the risk.'],
    ['The tumor changed its color.', 'The tumour changed its colour.'],
    ['They analyzed 1,200 fibers.', 'They analysed 1200 fibres.'],
    ['About 12% of three million people died.', 'About 12 percent of 3,000,000 people died.'],
    ['It weighed 1.5 kg.', 'It weighed 1,500 g.'],
    ['It took twenty-one days.', 'It took 3 weeks.'],
    ['It opened on July 4, 1934.', 'It opened on 4 July 1934.'],
    ["It didn't raise blood pressure.", 'It did not raise blood pressure.'],
    ['It cannot be seen.', 'It can not be seen.'],
    ['The risk fell in adults.', 'The risk (n = 40) fell in adults.'],
    ['In 2012, the group moved to Paris.', 'The group moved to Paris in 2012.'],
    ['Mice and rats were used.', 'Rats and mice were used.'],
    ['The nonsignificant trend was seen.', 'The non-significant trend was seen.'],
    ['The US signed the treaty.', 'The United States signed the treaty.'],
    ['Protein B is inhibited by protein A.', 'Protein A inhibits protein B.'],
    ['TGF-beta was seen in the cells.', 'TGF-β was seen in the cells.'],
    ['The dose was < 5 mg in all.', 'The dose was less than 5 mg in all.'],
    ['The group of Doudna won.', 'The group of Jennifer Doudna won. Later Doudna retired.'],
    ['The group of Jennifer Doudna won.', 'The group of Doudna won. Jennifer Doudna retired.'],
    ['The drug lowered the risk.', 'The drug lowered the risk, which had risen before that.'],
  ])('%s beside %s', (claim, source) => {
    expect(['supported', 'verbatim']).toContain(verdict(claim, source))
  })

  it('takes a sentence that joins two, also of two sources, with both as evidence', () => {
    const [claim] = check(
      'The dog barked twice at night [1], and the cat slept all day [2].',
      'The dog barked twice at night.',
      'The cat slept all day.',
    )
    expect(claim).toMatchObject({ verdict: 'supported', citations: [1, 2] })
    expect(claim?.evidence.map(({ n, quote }) => [n, quote])).toEqual([
      [1, 'The dog barked twice at night.'],
      [2, 'The cat slept all day.'],
    ])
  })
})

describe('a part of a sentence', () => {
  it.each([
    ['Few patients reported nausea.', 'Patients reported nausea.'],
    ['No deaths occurred before day 30.', 'No deaths occurred.'],
    ['At least 30 people died.', '30 people died.'],
    ['In mice, the drug reduces mortality by half.', 'The drug reduces mortality by half.'],
    ['The drug is safe, critics falsely claim.', 'The drug is safe.'],
    ['The earth is flat, according to a debunked book.', 'The earth is flat.'],
    ['Critics say: "The drug is poison." They are wrong.', 'The drug is poison.'],
    ['Nobody was hurt and nothing broke before noon.', 'Nobody was hurt.'],
  ])('of "%s" that says more alone is not word for word: %s', (source, claim) => {
    expect(['verbatim', 'supported']).not.toContain(verdict(claim, source))
  })

  it.each([
    ['Paris is the capital of France and its largest city.', 'Paris is the capital of France.'],
    ['The reef is 2,300 km long; it can be seen from space.', 'The reef is 2,300 km long.'],
    ['Caffeine is a stimulant, which blocks receptors.', 'Caffeine is a stimulant.'],
    ['However, the trial was stopped early.', 'The trial was stopped early.'],
  ])('of "%s" that says the same alone is word for word: %s', (source, claim) => {
    expect(verdict(claim, source)).toBe('verbatim')
  })
})

describe('altered', () => {
  it.each([
    [
      'number',
      'The paper of 2011 showed that Cas9, guided by crRNA, cuts DNA in a test tube.',
      '"2011" in the answer, "2012" in the source',
    ],
    [
      'number',
      'It was published online on 18 June 2012.',
      '"18" in the answer, "28" in the source',
    ],
    [
      'number',
      'Doudna and Charpentier shared the prize in 1999.',
      '"1999" in the answer, not in the source',
    ],
    [
      'unit',
      'The treatment did not raise blood pressure in 12 patients after 3 days.',
      '"days" in the answer, "weeks" in the source',
    ],
    [
      'name',
      'Doudna and Zhang shared the prize.',
      '"Zhang" in the answer, "Charpentier" in the source',
    ],
    [
      'name',
      'The paper of 2012 showed that Cas12, guided by crRNA, cuts DNA in a test tube.',
      '"Cas12" in the answer, "Cas9" in the source',
    ],
    [
      'negation',
      'The treatment raised blood pressure in 12 patients after 3 weeks.',
      '"not" in the source, not in the answer',
    ],
    [
      'negation',
      'It was not published online on 28 June 2012.',
      '"not" in the answer, not in the source',
    ],
    [
      'direction',
      'The treatment did not lower blood pressure in 12 patients after 3 weeks.',
      '"lower" in the answer, "raise" in the source',
    ],
    [
      'direction',
      'The treatment did not raise blood pressure in 12 patients before 3 weeks.',
      '"before" in the answer, "after" in the source',
    ],
    [
      'role',
      'The paper of 2012 showed that crRNA, guided by Cas9, cuts DNA in a test tube.',
      '"crRNA" and "Cas9" are swapped',
    ],
  ])('%s: %s', (_kind, claim, reason) => {
    const [checked] = check(claim.replace(/\.$/, ' [1].'), cas9)
    expect(checked?.verdict).toBe('altered')
    expect(checked?.reason).toContain(reason)
    expect(cas9).toContain(checked?.evidence[0]?.quote)
  })

  it.each([
    ['Protein B inhibits protein A.', 'Protein A inhibits protein B.'],
    ['Protein A is inhibited by protein B.', 'Protein A inhibits protein B.'],
    ['The effect is independent of age.', 'The effect is dependent of age.'],
    ['The drug works without food.', 'The drug works with food.'],
    ['The rate rose from 10 to 5 last year.', 'The rate rose from 5 to 10 last year.'],
    ['The word is notable here.', 'The word is not able here.'],
  ])('%s beside %s', (claim, source) => {
    expect(verdict(claim, source)).toBe('altered')
  })

  it('is a quotation that does not stand so, even when it says the same', () => {
    const [claim] = check(
      'The paper "demonstrates that Cas9 cuts DNA" [1].',
      'The paper showed that Cas9 cuts DNA.',
    )
    expect(claim?.verdict).toBe('altered')
    expect(claim?.reason).toContain('not verbatim')
  })
})

describe('unchecked', () => {
  it.each([
    ['The drug works in mice and rats.', 'The drug works in mice or rats.'],
    [
      'In treated mice the level of protein B was lower than that of protein A.',
      'In treated mice the level of protein A was higher than that of protein B.',
    ],
    ['The group of York won the cup.', 'The group of New York won the cup.'],
    ['The risk fell in all adults.', 'The risk fell (but not in women) in all adults.'],
    ['The drug lowered blood pressure in mice.', 'The drug did not raise blood pressure in mice.'],
    ['The goal was reached in all cases.', 'The goal was to be reached in all cases.'],
    ['X causes Y in cells.', 'It is not true that X causes Y in cells.'],
    ['"X causes Y in cells."', 'Nobody has shown that X causes Y in cells.'],
    ['The bridge is closed.', 'The bridge is closed if it snows.'],
    [
      'The bridge is closed to cars.',
      'The bridge is closed to all cars and lorries that come from the north.',
    ],
    [
      'A hospital treated him for his illness there.',
      'He was in a hospital there, where his illness got better.',
    ],
  ])('%s beside %s', (claim, source) => {
    expect(['unchecked', 'partial']).toContain(verdict(claim, source))
  })
})

describe('a sentence without citation', () => {
  it('is not found, whatever was read', () => {
    expect(check('It rained.', 'It rained.')).toMatchObject([
      { verdict: 'not_found', reason: 'It has no citation.', evidence: [] },
    ])
  })
})

describe('partial', () => {
  it('is a quotation that holds in a sentence that code cannot judge', () => {
    const [claim] = check(
      'As Smith put it in his diary, "the dog barked twice at night" [1].',
      'Then the dog barked twice at night.',
    )
    expect(claim?.verdict).toBe('partial')
  })

  it('keeps a name that is no title of the source', () => {
    expect(verdict('According to Smith, "the dog barked twice."', 'The dog barked twice.')).toBe(
      'partial',
    )
  })
})

describe('not_found', () => {
  it.each([
    ['Bananas ripen faster beside apples.'],
    ['The report says that "bananas are blue all over".'],
  ])('%s', (claim) => {
    expect(verdict(claim, cas9)).toBe('not_found')
  })

  it.each([['[2]'], ['[0]'], ['[1, 2]'], ['[99]']])(
    'names the number that stands for nothing in %s',
    (mark) => {
      const [claim] = check(`It rained ${mark}.`, 'It rained.')
      expect(claim?.verdict).toBe('not_found')
      expect(claim?.reason).toMatch(
        /\[(?:2|0|99)\] does not refer to a source: valid numbers are 1 to 1/,
      )
    },
  )

  it('says when nothing was read under a number', () => {
    const citations = [{ n: 1, sourceId: sourceIds[0] as SourceId, title: 'A' }]
    expect(checkClaims(splitClaims('It rained [1].'), [], citations)).toMatchObject([
      { verdict: 'not_found', reason: 'No passage was read under [1].' },
    ])
    expect(checkClaims(splitClaims('It rained [1].'), [], [])).toMatchObject([
      { verdict: 'not_found', reason: expect.stringContaining('nothing was read') },
    ])
  })

  it('looks only at what was read under the number', () => {
    const [claim] = check(
      'The dog barked twice [1].',
      'Bananas ripen on trees.',
      'The dog barked twice.',
    )
    expect(claim?.verdict).toBe('not_found')
  })
})

describe('unavailable', () => {
  it('is a text that is no longer there', () => {
    expect(check('It rained [1].', passage(''))).toMatchObject([{ verdict: 'unavailable' }])
  })

  it('does not hide what another passage shows', () => {
    const [claim] = check(
      'The dog barked twice [1, 2].',
      passage(''),
      passage('The dog barked twice.', 2),
    )
    expect(claim?.verdict).toBe('verbatim')
  })
})

describe('odd texts', () => {
  it.each([
    ['😀 [1].'],
    ['"" [1].'],
    ['… [1].'],
    ['1 [1].'],
    ['\u0000\u0007 x [1].'],
    ['\ud800 broken [1].'],
    ['$^*(.*)+[a-z]\\ [1].'],
    ['| [1] |'],
    [`${'word '.repeat(2000)}[1].`],
    [`${'(('.repeat(500)} [1].`],
    ['日本語の文章です [1]。'],
  ])('%j gets a verdict', (answer) => {
    for (const claim of check(answer, `${cas9} 日本語の文章です。 (( 😀`)) {
      expect(claim.judge).toBe('code')
      expect(claim.reason).not.toBe('')
    }
  })
})

describe('measureCoverage', () => {
  it('counts verdicts; what is unchecked, unavailable or cites nothing is not checked', () => {
    const answer =
      'The dog barked twice [1]. The dog barked 3 times at night [1]. It rained. Every dog slept well [1]. So [9].'
    const coverage = measureCoverage(
      check(answer, 'The dog barked twice. The dog barked 2 times at night.'),
    )
    expect(coverage).toEqual({
      claims: 5,
      checked: 3,
      uncited: 1,
      verbatim: 1,
      supported: 0,
      altered: 1,
      partial: 0,
      contradicted: 0,
      notFound: 1,
      numbersNotFound: 0,
      unavailable: 0,
      unchecked: 1,
    })
  })
})

describe('any sentence of a passage', () => {
  const word = fc.constantFrom(
    'dog',
    'Doudna',
    'mRNA',
    'risk',
    'of',
    'the',
    'was',
    'increased',
    'β-cell',
    '1,204',
    '3.5',
    '17',
    '%',
    'mg',
    'in',
    '(n',
    'Šikšnys',
    'well-known',
    '–',
    '2012',
    'kg',
  )
  const sentence = fc
    .tuple(
      fc.constantFrom('Mice', 'Adults', 'Cells'),
      fc.array(word, { minLength: 3, maxLength: 14 }),
    )
    .map(([first, rest]) => `${first} ${rest.join(' ')} end.`)
  const text = fc.array(sentence, { minLength: 1, maxLength: 5 })

  it('is verbatim, with its own words as evidence', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(1000), (sentences, pick, offset) => {
        const own = sentences[pick % sentences.length] as string
        const source = passage(sentences.join(' '), 1, offset)
        const cited = { text: own, plain: own, citations: [1], start: 0, end: own.length }
        const citations = [{ n: 1, sourceId: source.sourceId, title: 'A' }]
        const [claim] = checkClaims([cited], [source], citations)
        expect(claim?.verdict).toBe('verbatim')
        for (const { quote, start, end } of claim?.evidence ?? []) {
          expect(quote).toBe(source.text.slice(start - offset, end - offset))
          expect(quote).toBe(own)
        }
      }),
    )
  })

  it('is neither verbatim nor supported with one digit changed', () => {
    fc.assert(
      fc.property(sentence, fc.nat(), fc.integer({ min: 1, max: 9 }), (own, pick, step) => {
        const digits = [...own.matchAll(/\d/g)]
        fc.pre(digits.length > 0)
        const { index, 0: digit } = digits[pick % digits.length] as RegExpExecArray
        const changed = own.slice(0, index) + ((Number(digit) + step) % 10) + own.slice(index + 1)
        const cited = {
          text: changed,
          plain: changed,
          citations: [1],
          start: 0,
          end: changed.length,
        }
        const source = passage(own)
        const citations = [{ n: 1, sourceId: source.sourceId, title: 'A' }]
        const [claim] = checkClaims([cited], [source], citations)
        expect(['verbatim', 'supported']).not.toContain(claim?.verdict)
      }),
    )
  })
})

it('leaves a Chinese sentence about English passages with a table open', () => {
  const [claim] = check(
    '排序用了891秒 [1]。',
    passage('The sort took 891 seconds in the test.'),
    passage('x 1 2 3', 1, 90),
  )
  expect(claim?.verdict).toBe('unchecked')
})
