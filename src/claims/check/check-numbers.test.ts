import { describe, expect, it } from 'vitest'
import type { ReadPassage } from '../../citations/claim.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import { checkClaims } from './check-claim.ts'
import { findMissingNumbers } from './check-numbers.ts'
import { splitClaims } from './parse-claims.ts'
import { preparePassage } from './source-passage.ts'

const sourceId = 'a'.repeat(64) as SourceId

function missing(claim: string, ...texts: readonly string[]): readonly string[] {
  let start = 0
  const passages = texts.map((text): ReadPassage => {
    const end = start + text.length
    const place = { n: 1, sourceId, passageId: passageId(sourceId, start, end), start, end }
    start = end
    return { ...place, text }
  })
  return findMissingNumbers(claim, passages.map(preparePassage))
}

describe('a number that the source states', () => {
  it.each([
    ['It costs 15–20$.', 'The price is 15-20$.'],
    ['It took 1,283 seconds.', 'It took 1283 seconds.'],
    ['Twelve systems were compared.', 'We compare 12 systems.'],
    ['It was wrong in 12 cases.', 'It was wrong in twelve cases.'],
    ['They have 1.8 million pages.', 'They have 1,812,345 pages.'],
    ['It covers some 940 sites.', 'It covers 941 sites.'],
    ['About 43% are old.', '42.7% are old.'],
    ['37.5% are old.', 'A share of .375 is old.'],
    ['The rate was 21.7 Mb/s.', 'a throughput of 21 700 Kb/s'],
    ['They form 31,003,946 sites.', 'grouped into 31, 003, 946 sites'],
    ['It ran for 10,000 iterations.', "over 10'000 iterations"],
    ['The threshold is 10⁻⁷.', 'a threshold of 10−7 was used'],
    ['The rate is 3 × 10⁻⁶.', 'a rate of 3 × 10-6 per base'],
    ['The peak lies at 25,000 cm⁻¹.', 'the peak lies at 25,000 cm-1'],
    ['It lasted 2 minutes.', 'It lasted 120 seconds.'],
    ['It was found early in the 20th century.', 'It was found in 1907.'],
    ['It spread in the 1990s.', 'It spread from 1994 on.'],
    ['It has 180,000 features.', 'with 180k features'],
    ['The correlation is −0.343.', 'Closeness -0.343'],
    ['They tuned PaLM-8B and GPT-3.', 'Two models were tuned.'],
    ['One of three reasons is cost.', 'The reasons are cost, speed and size.'],
  ])('is found: %s', (claim, source) => {
    expect(missing(claim, source)).toEqual([])
  })
})

describe('a number that the source does not state', () => {
  it.each([
    ['It costs 15-25$.', 'The price is 15-20$.', ['25']],
    ['The computation took 1823 seconds.', 'The computation took 1283 seconds.', ['1823']],
    ['It covers 940 sites.', 'It covers 941 sites.', ['940']],
    ['The ℓ2 norm is 2.86 and 3.4.', 'The norm is 2.861.', ['3.4']],
    ['It was found early in the 19th century.', 'It was found in 1907.', ['19th']],
    ['It has four components.', 'It has three components.', ['four']],
    ['One in five patients (200%) objects.', '1 in 5 patients objects.', ['200']],
    ['They ran 10^12 records.', 'They ran 10^10 records.', ['10^12']],
    ['The flow was 350 mL.', 'The flow was 350 kg.', ['350']],
  ])('is named: %s', (claim, source, numbers) => {
    expect(missing(claim, source)).toEqual(numbers)
  })

  it('is looked for in the passages that fit the sentence, not on any page', () => {
    const others = Array.from({ length: 9 }, (_, page) => `Table ${page} lists 77 unrelated rows.`)
    const own = Array.from({ length: 6 }, (_, page) => `Grep scans records in experiment ${page}.`)
    expect(missing('Grep scans 77 records.', ...others)).toEqual([])
    expect(missing('Grep scans records in 77 experiments.', ...own, ...own, ...others)).toEqual([
      '77',
    ])
  })
})

describe('a calculation that the sentence shows', () => {
  const source =
    'The values are 89.5, 64.6, 12,789 and 12,560; four columns; 4.20, 5.31, 4.39 and 4.27.'
  it.each([
    ['It is better by 24.9 (89.5 − 64.6).'],
    ['The margin is 229 (12,789 − 12,560).'],
    ['The mean is 4.54: (4.20 + 5.31 + 4.39 + 4.27)/4.'],
    ['It shrank by 27.8% ((89.5 − 64.6) / 89.5).'],
    ['The margin is 12,789 − 12,560 = 229.'],
    ['The ratio of 89.5 to 64.6 is about 1.4 (89.5 / 64.6 ≈ 1.4).'],
  ])('gives its result: %s', (claim) => {
    expect(missing(claim, source)).toEqual([])
  })

  it.each([
    ['20% × 45,000 = 9,000 people said yes.', 'Of 45,000 people 20% said yes.'],
    ['It ends at 200 × (1 + 5%) = 210.', 'It begins at 200 and grows by 5%.'],
    ['Of all, 60% × 80% = 48% remain.', 'First 60%, then 80% of the others remain.'],
    ['It rose to −5 + 8 = 3 degrees.', 'It was at −5 and rose by 8 degrees.'],
    ['Both have 2 × 500,000 = 1 million pages.', 'The 2 collections have 500,000 pages each.'],
  ])('may have percent, signs and scales: %s', (claim, source) => {
    expect(missing(claim, source)).toEqual([])
  })

  it.each([
    ['20% × 45,000 = 8,000 people said yes.', 'Of 45,000 people 20% said yes.', '8,000'],
    ['Both have 2 × 500,000 = 2 million pages.', 'Two have 500,000 pages each.', '2 million'],
    ['It rose to −5 + 8 = 4 degrees.', 'It was at −5 and rose by 8 degrees.', '4'],
  ])('is named by its number alone if it is wrong: %s', (claim, source, number) => {
    expect(missing(claim, source)).toEqual([number])
  })

  it.each([
    ['It is better by 25.9 (89.5 − 64.6).', ['25.9']],
    ['The margin is 12,789 − 12,560 = 239.', ['239']],
    ['It is better by 24.9 (89.5 − 64.6 = 25.9).', ['25.9']],
    ['It is better by 1.2 (65.8 − 64.6).', ['65.8']],
  ])('has to be right, with numbers of the source: %s', (claim, numbers) => {
    expect(missing(claim, source)).toEqual(numbers)
  })
})

/** The verdict of code on a sentence that cites one text. */
function verdictOn(claim: string, text: string): string | undefined {
  const end = text.length
  const read = { n: 1, sourceId, passageId: passageId(sourceId, 0, end), start: 0, end, text }
  const cited = [{ n: 1, sourceId, title: 'Page 1' }]
  return checkClaims(splitClaims(`${claim} [1]`), [read], cited)[0]?.verdict
}

describe('what a model words differently', () => {
  it.each([
    [
      'a system for its authors',
      'ALCE uses greedy decoding.',
      'In contrast, We do so. We use greedy decoding.',
    ],
    [
      'a system for its authors, whose model has a name and a kind',
      'ALCE uses TRUE, a T5-11B model fine-tuned on a collection of NLI datasets.',
      'We use TRUE (Honovich et al., 2022), a T5-11B (Raffel et al., 2020) model fine-tuned on a collection of NLI datasets.',
    ],
    [
      'what a speedup is over',
      'The speedup over SpiderMonkey was 10.',
      'The speedup about SpiderMonkey was 10.',
    ],
    [
      'a hyphen in a name',
      'They finetune PaLM-8/62B on 3,000 trajectories.',
      'They finetune PaLM8/62B on 3,000 trajectories.',
    ],
    [
      'alternatives in another order',
      'They succeed with one- or two-shot prompting.',
      'They succeed with two or even one-shot prompting.',
    ],
  ])('is not altered: %s', (_what, claim, source) => {
    expect(verdictOn(claim, source)).toMatch(/^(?:supported|unchecked)$/)
  })

  it.each([
    ['TraceMonkey is about 2 times faster.', 'TraceMonkey is over 2 times faster.'],
    [
      'They succeed with one- or two-shot prompting.',
      'They succeed with one- or five-shot prompting.',
    ],
  ])('is altered where a bound or an alternative differs: %s', (claim, source) => {
    expect(verdictOn(claim, source)).toBe('altered')
  })

  it('is verbatim across "vs."', () => {
    const source =
      'ReAct outperforms CoT on Fever (60.9 vs.\n56.3) and lags behind on HotpotQA (27.4 vs. 29.4).'
    expect(verdictOn('ReAct outperforms CoT on Fever (60.9 vs. 56.3).', source)).toBe('verbatim')
  })
})

describe('a number with an exponent', () => {
  it.each([
    ['It is 10^5 cells.', 'It is 10⁵ cells.', 'verbatim'],
    ['It is 100,000 cells.', 'It is 10⁵ cells.', 'supported'],
    ['The rate is 3 × 10^-6 per base.', 'The rate is 3 × 10⁻⁶ per base.', 'verbatim'],
    ['The rate is 3e-6 per base.', 'The rate is 3 × 10⁻⁶ per base.', 'supported'],
    ['The rate is 0.000003 per base.', 'The rate is 3 × 10⁻⁶ per base.', 'supported'],
    ['It sorts 10 billion records.', 'It sorts 10¹⁰ records.', 'supported'],
    ['The key has 4,294,967,296 values.', 'The key has 2³² values.', 'supported'],
    ['It is 105 cells.', 'It is 10⁵ cells.', 'altered'],
    ['It is 451 patients.', 'It is 45¹ patients.', 'altered'],
    ['It is 10⁶ cells.', 'It is 10⁵ cells.', 'altered'],
    ['The rate is 3 × 10⁶ per base.', 'The rate is 3 × 10⁻⁶ per base.', 'altered'],
    ['The rate is 1.2e3 per year.', 'The rate is 1.2e-3 per year.', 'altered'],
    ['The size is 6.02 × 1023 units.', 'The size is 6.02 × 10²³ units.', 'altered'],
    ['It sorts 1,010 records.', 'It sorts 10¹⁰ records.', 'altered'],
    ['The charge is Ca²⁻ here.', 'The charge is Ca²⁺ here.', 'altered'],
    ['The flux is 5 cm² here.', 'The flux is 5 cm⁻² here.', 'unchecked'],
    ['It moves 12 m s¹ here.', 'It moves 12 m s⁻¹ here.', 'unchecked'],
  ])('counts with its sign: %s', (claim, source, expected) => {
    expect(verdictOn(claim, source)).toBe(expected)
  })
})

describe('a number in another notation or sentence', () => {
  it.each([
    ['They saw the best 1,250 sites.', 'They saw the top 1, 250 sites.'],
    ['It reached 12,000 sites.', 'It reached 12k sites.'],
    ['It reached 280 million users.', 'It reached 280M users.'],
    [
      'The sort finished in 891 seconds in all.',
      'The sort finished in 933 seconds in all. Otherwise it takes 891 seconds.',
    ],
  ])('is not altered: %s', (claim, source) => {
    expect(verdictOn(claim, source)).toBe('unchecked')
  })

  it.each([
    ['It reached 12,000 sites.', 'It reached 12M sites.'],
    ['It finished in 891 seconds.', 'It finished in 933 seconds. They saw 891 sites.'],
  ])('is altered if the value or what it measures differs: %s', (claim, source) => {
    expect(verdictOn(claim, source)).toBe('altered')
  })
})
