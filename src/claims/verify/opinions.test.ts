import { describe, expect, it } from 'vitest'
import type { Claim, Opinion, ReadPassage, Verdict } from '../../citations/claim.ts'
import { passageId, type SourceId } from '../../citations/source.ts'
import {
  createPassagePreparer,
  preparePassage,
  type SourcePassage,
} from '../check/source-passage.ts'
import { batchClaims } from './batch-claims.ts'
import {
  addSentencesBefore,
  applyOpinion,
  applyOpinions,
  isSupported,
  selectClaimsToJudge,
  toUnjudged,
} from './opinions.ts'
import { findQuote, type ModelVerdict, readVerdicts } from './read-verdicts.ts'
import { scoreClaims } from './score-claims.ts'

const sourceId = 'a'.repeat(64) as SourceId
const passage = (n: number, text: string, start = 0): ReadPassage => ({
  n,
  sourceId,
  passageId: passageId(sourceId, start, start + text.length),
  start,
  end: start + text.length,
  text,
})
const claim = (change: Partial<Claim> = {}): Claim => ({
  text: 'Salt lowers the freezing point of water [1].',
  citations: [1],
  verdict: 'unchecked',
  evidence: [],
  judge: 'code',
  reason: 'Not decided.',
  ...change,
})
const opinion = (verdict: Verdict): Opinion => ({
  verdict,
  evidence: [],
  judge: 'm',
  reason: 'So.',
})
const minted = [1, 2].map((n) => ({ n, sourceId, title: `T${n}` }))

describe('selectClaimsToJudge', () => {
  const read = [passage(1, 'Salt water freezes at lower temperatures.'), passage(2, '')]
  it.each([
    ['a claim that code left open', claim(), 1],
    ['one whose words code found altered', claim({ verdict: 'altered', alteration: 'words' }), 1],
    ['one with another number', claim({ verdict: 'altered', alteration: 'number' }), 0],
    ['one with a number that stands nowhere', claim({ verdict: 'not_found', numbers: ['25'] }), 0],
    ['one that code supports', claim({ verdict: 'supported' }), 0],
    ['one that stands there word for word', claim({ verdict: 'verbatim' }), 0],
    ['one without citation', claim({ citations: [] }), 0],
    ['one of which a number stands for nothing', claim({ citations: [1, 9] }), 0],
    ['one of which nothing can be read any more', claim({ citations: [2] }), 0],
  ])('takes %s, or leaves it', (_which, given, count) => {
    expect(selectClaimsToJudge([given], read, minted)).toHaveLength(count)
  })
})

describe('addSentencesBefore', () => {
  const read = [passage(1, 'Salt water freezes at lower temperatures.')]
  it.each([
    ['It is cold [1].', 'Salt is white.'],
    ['**Their training data** is new [1].', 'Salt is white.'],
    ['The latter freezes [1].', 'Salt is white.'],
    ['Italy is cold [1].', undefined],
    ['The water is cold [1].', undefined],
  ])('adds it where a sentence may speak of its subject: %s', (text, before) => {
    const claims = [claim({ text: 'Salt is white.', verdict: 'verbatim' }), claim({ text })]
    const asked = selectClaimsToJudge(claims, read, minted)
    const shownBefore = (all: readonly Claim[], written: string) =>
      addSentencesBefore(asked, all, written).map((one) => one.before)
    expect(shownBefore(claims, `Salt is white. ${text}`)).toEqual([before])
    expect(shownBefore(claims.slice(1), text)).toEqual([undefined])
  })

  it.each(['**Salt.** ', '- **Salt.** ', '**Salt.**\n\n'])(
    'adds a run-in heading right before instead: %j',
    (heading) => {
      const claims = [
        claim({ text: 'Sugar is white.', verdict: 'verbatim' }),
        claim({ text: 'It is cold [1].' }),
      ]
      const asked = selectClaimsToJudge(claims, read, minted)
      const text = `Sugar is white.\n\n${heading}It is cold [1].`
      const [shown] = addSentencesBefore(asked, claims, text)
      expect(shown?.before).toMatch(/^\*\*Salt\.\*\*$/)
    },
  )
})

describe('applyOpinion', () => {
  const verdicts = ['supported', 'partial', 'contradicted', 'not_found'] as const

  it.each(['unchecked', 'partial', 'not_found'] as const)(
    'takes a model’s verdict where code has none: %s',
    (code) => {
      for (const verdict of verdicts)
        expect(applyOpinion(claim({ verdict: code }), opinion(verdict))).toMatchObject({
          verdict,
          judge: 'm',
          reason: 'So.',
        })
    },
  )

  it.each(['verbatim', 'supported', 'altered'] as const)(
    'keeps what code decided, with the other opinion beside it: %s',
    (code) => {
      for (const verdict of verdicts) {
        const both = applyOpinion(claim({ verdict: code }), opinion(verdict))
        expect(both).toMatchObject({ verdict: code, judge: 'code', reason: 'Not decided.' })
        const other = verdict === code ? undefined : { judge: 'm', verdict, reason: 'So.' }
        expect(both.secondOpinion).toEqual(other)
      }
    },
  )

  it('lets a verifier overrule altered words, and says that code disputes it', () => {
    const altered = claim({ verdict: 'altered', alteration: 'words' })
    expect(applyOpinion(altered, opinion('supported'))).toEqual({
      ...claim(),
      verdict: 'supported',
      judge: 'm',
      reason: 'So.',
      disputedBy: 'code',
      secondOpinion: { judge: 'code', verdict: 'altered', reason: 'Not decided.' },
    })
    expect(applyOpinion(altered, opinion('partial')).verdict).toBe('altered')
  })

  it.each(['number', 'quotation', 'address'] as const)('keeps another %s', (alteration) => {
    const altered = claim({ verdict: 'altered', alteration })
    expect(applyOpinion(altered, opinion('supported')).verdict).toBe('altered')
  })

  it('says why there is no opinion only where one was needed', () => {
    const none = opinion('unchecked')
    expect(applyOpinion(claim({ verdict: 'not_found' }), none)).toMatchObject({
      verdict: 'not_found',
      judge: 'code',
      secondOpinion: { verdict: 'unchecked', reason: 'So.' },
    })
    expect(applyOpinion(claim({ verdict: 'altered' }), none).secondOpinion).toBeUndefined()
  })

  it('keeps in mind that a quotation stands there', () => {
    const both = applyOpinion(claim({ verdict: 'partial' }), opinion('not_found'))
    expect(both.secondOpinion).toEqual({
      judge: 'code',
      verdict: 'partial',
      reason: 'Not decided.',
    })
  })

  it('finds opinions by the sentences’ texts', () => {
    const other = claim({ text: 'Other [1].' })
    const said = applyOpinions([other, claim()], [{ text: claim().text, ...opinion('supported') }])
    expect(said.map(isSupported)).toEqual([false, true])
  })
})

describe('batchClaims', () => {
  const of = (n: number, ...texts: readonly string[]) => ({
    claim: claim({ citations: [n] }),
    passages: texts.map((text, index) => passage(n, text, index * 1_000)),
  })
  const batches = (claims: readonly ReturnType<typeof of>[], characters: number, most = 8) => {
    const size = { claims: most, characters }
    const found = [...batchClaims(claims, size)]
    return found.map(({ passages, shown, asked }) => ({
      texts: passages.map(({ text }) => text),
      shown,
      count: asked.length,
    }))
  }

  it('takes so many claims at once', () => {
    const claims = Array.from({ length: 5 }, (_, index) => of(index + 1, 'x'))
    expect(batches(claims, 100, 2).map(({ count }) => count)).toEqual([2, 2, 1])
  })

  it('picks what shares most words, after what code had found', () => {
    const texts = ['Nothing of it here.', 'Salt and water.', 'Salt lowers the freezing point.']
    const one = of(1, ...texts)
    expect(batches([one], 31)).toEqual([{ texts: [texts[2]], shown: [1], count: 1 }])
    const [first] = one.passages as [ReadPassage]
    const found = { ...one, claim: claim({ evidence: [{ ...first, quote: 'Nothing' }] }) }
    expect(batches([found], 31)).toEqual([{ texts: [texts[0]], shown: [1], count: 1 }])
  })

  it('shows the four passages that fit best, where rare words, numbers and names weigh more', () => {
    const common = Array.from({ length: 12 }, (_, page) => `The water of salt and point ${page}.`)
    const rows = ['Row Kelvar 79.3.', 'Row Kelvar.', 'Row 79.3.']
    const one = of(1, ...common, ...rows)
    const asked = { ...one, claim: claim({ text: 'The salt water of Kelvar reaches 79.3 [1].' }) }
    const [batch] = batches([asked], 10_000)
    expect(batch?.shown).toEqual([4])
    expect(batch?.texts).toEqual(expect.arrayContaining(rows))
  })

  it('shows the best passage of each source that a claim cites', () => {
    const own = of(1, ...Array.from({ length: 6 }, () => 'Salt lowers the freezing point.'))
    const asked = {
      claim: claim({ citations: [1, 2] }),
      passages: [...own.passages, passage(2, 'Sugar does, too.')],
    }
    expect(batches([asked], 10_000)[0]?.texts).toContain('Sugar does, too.')
  })

  it('shows passages that were prepared before in another reading', () => {
    const prepare = createPassagePreparer()
    const [one, again] = [of(1, 'Salt lowers.'), of(1, 'Salt lowers.')]
    const size = { claims: 8, characters: 100 }
    const shown = [one, again].flatMap((own) => [...batchClaims([own], size, prepare)])
    expect(shown.map((batch) => batch.shown)).toEqual([[1], [1]])
  })

  it('lets claims take turns, shows a passage once, and says how much of each is shown', () => {
    const shared = of(1, 'Salt lowers.', 'aaaa')
    expect(batches([shared, { ...shared }, of(2, 'Salt.', 'bbbb')], 24)).toEqual([
      { texts: ['Salt lowers.', 'aaaa', 'Salt.'], shown: [2, 2, 1], count: 3 },
    ])
    const [batch] = batches([of(1, 'Salt a.', 'bb'), of(2, 'Salt c.', 'dd')], 16)
    expect(batch).toEqual({ texts: ['Salt a.', 'bb', 'Salt c.'], shown: [2, 1], count: 2 })
  })

  it('leaves a claim without room to the next, and asks of one that can never be shown', () => {
    const long = 'Salt '.repeat(10)
    expect(batches([of(1, 'Salt one.'), of(2, 'Salt two.'), of(3, long)], 12)).toEqual([
      { texts: ['Salt one.'], shown: [1], count: 1 },
      { texts: ['Salt two.'], shown: [1], count: 1 },
      { texts: [], shown: [0], count: 1 },
    ])
  })
})

describe('readVerdicts', () => {
  const text =
    'Salt water freezes at lower temperatures. The “effect” — see [3] — was\nmeasured in 1871.'
  const read = passage(1, text, 100)
  const one = { claim: claim(), passages: [read] }
  const verdicts = (change: Partial<ModelVerdict>, asked = one, shown = 1) =>
    readVerdicts(
      [{ claim: 1, verdict: 'supported', quote: '', reason: '', ...change }],
      { asked: [asked], passages: [read], shown: [shown] },
      'm',
    )[0]

  it('makes the words of a passage the evidence, with their place in the source', () => {
    const quote = 'Salt water freezes at lower temperatures'
    expect(verdicts({ quote, reason: ' So\n it is. ' })).toEqual({
      text: one.claim.text,
      verdict: 'supported',
      judge: 'm',
      reason: 'So it is.',
      evidence: [{ n: 1, passageId: read.passageId, quote, start: 100, end: 140 }],
    })
  })

  it.each([
    ['lower temperatures. The effect', 'lower temperatures. The “effect”'],
    ['freezes at lower temperatures', 'freezes at lower temperatures'],
  ])('closes a bracket or quotation mark that was opened in the words: %j', (quote, whole) => {
    expect(verdicts({ quote })?.evidence[0]?.quote).toBe(whole)
  })

  it('takes no words from a passage under another number', () => {
    const quote = 'Salt water freezes at lower temperatures'
    const other = { claim: claim({ citations: [2] }), passages: [{ ...read, n: 2 }] }
    expect(verdicts({ quote }, other)).toMatchObject({ verdict: 'unchecked', evidence: [] })
  })

  it('takes that nothing was found only where everything was shown', () => {
    expect(verdicts({ verdict: 'not_found' })).toMatchObject({ verdict: 'not_found', judge: 'm' })
    const two = { ...one, passages: [read, passage(1, 'More.', 900)] }
    expect(verdicts({ verdict: 'not_found' }, two)).toMatchObject({
      verdict: 'unchecked',
      reason:
        'Not judged by a model: it was shown 1 of the 2 passages that fit best, and none of them supports this.',
    })
  })

  it('shortens what a model says at length', () => {
    const { reason } = verdicts({ verdict: 'not_found', reason: 'long '.repeat(500) }) ?? {
      reason: '',
    }
    expect(reason.length).toBeLessThanOrEqual(300)
  })

  it.each([
    ['"Salt water  freezes at lower temperatures."', 'Salt water freezes at lower temperatures'],
    ['The effect - see - was measured', 'The “effect” — see [3] — was\nmeasured'],
    ['The effect — see [ref 3] — was measured', 'The “effect” — see [3] — was\nmeasured'],
    ['… was measured in 1871 …', 'was\nmeasured in 1871'],
    ['“indeed”', 'Indeed.'],
    ['see', undefined],
    ['Salt water … was measured in 1871.', undefined],
    ['Salt water ... lower temperatures.', undefined],
    ['was measured … Salt water freezes', undefined],
    ['Salt water boils at lower temperatures', undefined],
    ['1871', undefined],
    ['7', undefined],
    ['at lower', undefined],
    ['', undefined],
    ['…', undefined],
  ])('finds %j as one stretch or not: %j', (quote, found) => {
    const own = `${text} Indeed. Group 7 was`
    const place = findQuote(quote, [preparePassage(passage(1, own))])
    expect(place && own.slice(place.start, place.end)).toBe(found)
  })

  it('finds words also where they stand once more, or in another passage', () => {
    const texts = ['It was effectively over.', 'Was effective? It was effective in rats.']
    const [one, other] = texts.map((own, index) => preparePassage(passage(index + 1, own)))
    const place = findQuote('was effective in rats', [one, other] as SourcePassage[])
    expect(place).toMatchObject({ passage: other, start: 18, end: 39 })
  })

  it.each(['The drug was … effective in adults', '5', 'effective', 'not … effective'])(
    'takes no verdict that rests on %j',
    (quote) => {
      const own = passage(1, 'The drug was not effective in adults. It helped 5 children.')
      const asked = { claim: claim({ text: 'The drug works [1].' }), passages: [own] }
      const [said] = readVerdicts(
        [{ claim: 1, verdict: 'supported', quote, reason: '' }],
        { asked: [asked], passages: [own], shown: [1] },
        'm',
      )
      expect(said).toMatchObject({ verdict: 'unchecked', evidence: [] })
    },
  )
})

describe('scoreClaims', () => {
  it('counts what holds of what was checked of all', () => {
    const [none] = toUnjudged([{ claim: claim(), passages: [] }], 'm', 'it is down.')
    const claims = [
      claim({ verdict: 'verbatim' }),
      applyOpinion(claim(), none),
      claim({ verdict: 'altered' }),
    ]
    expect(scoreClaims(claims)).toEqual({
      claims: 3,
      checked: 2,
      supported: 1,
      verbatim: 1,
      uncited: 0,
      notChecked: [{ reason: 'the verifier gave no verdict: it is down', count: 1 }],
    })
  })
})
