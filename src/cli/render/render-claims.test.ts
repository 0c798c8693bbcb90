import { describe, expect, it } from 'vitest'
import type { Answer } from '../arguments/app-settings.ts'
import { createPaint } from './paint.ts'
import { claimLines, scoreLine } from './render-claims.ts'

type Claim = Answer['claims'][number]

const claim = (change: Partial<Claim>): Claim => ({
  text: 'Water boils at 90 °C [1].',
  citations: [1],
  verdict: 'verbatim',
  evidence: [],
  judge: 'code',
  reason: 'It stands there.',
  ...change,
})
const failedCall = (why: string): Partial<Claim> => ({
  verdict: 'unchecked',
  secondOpinion: { judge: 'm', verdict: 'unchecked', reason: `Not judged by a model: ${why}` },
})
const linesOf = (claims: readonly Claim[], models: Record<string, string> = { verifier: 'a:m' }) =>
  claimLines({ claims, models }, { paint: createPaint(false), columns: 80 }).map(({ text }) => text)

describe('the score', () => {
  it('gives what holds, of what was checked, of all; and why the rest was not, with counts', () => {
    const open = claim({ verdict: 'unchecked' })
    const claims = [
      ...[claim({}), claim({}), claim({}), claim({ verdict: 'supported' })],
      ...[claim({ verdict: 'altered' }), claim({ verdict: 'contradicted' })],
      ...[open, open, claim({ verdict: 'unchecked', citations: [] })],
      claim({ verdict: 'unavailable' }),
      claim(failedCall('its quotation is not in the passage: “x”.')),
      claim(failedCall('its quotation is not in the passage: “y”.')),
      claim(failedCall('The limit on tokens was reached. Used: 9 of 9.')),
    ]
    expect(scoreLine(claims)).toBe(
      'Claims: 13 · checked 6 · supported 4 (3 verbatim) · altered 1 · contradicted 1 · not checked 7 (2 undecided by code, no verifier model; 2 the verifier gave no verdict: its quotation is not in the passage; 1 calculated; 1 the text is no longer available; 1 the verifier gave no verdict: The limit on tokens was reached)',
    )
  })

  it('has no share of what was not checked', () => {
    const off = claim({ verdict: 'unchecked', judge: 'none', reason: 'Checking is turned off.' })
    expect(scoreLine([off, off])).toBe(
      'Claims: 2 · checked 0 · not checked 2 (checking is turned off)',
    )
  })
})

describe('the lines about claims', () => {
  it('name the numbers that stand nowhere, each once, in one line', () => {
    const lost = { verdict: 'not_found', numbers: ['1823', '15'] } as const
    const calculated = { verdict: 'unchecked', numbers: ['24.9'] } as const
    const lines = linesOf([claim(lost), claim({ ...lost, numbers: ['15'] }), claim(calculated)])
    expect(lines.filter((line) => /numbers not found/.test(line))).toEqual([
      '  numbers not found: 1823, 15',
    ])
  })

  it('show both opinions where code and model differ, also of what code supports', () => {
    const other = { judge: 'a:m', verdict: 'supported', reason: 'It says so.' } as const
    expect(
      linesOf([
        claim({ verdict: 'altered', reason: '90 is not 100.', secondOpinion: other }),
        claim({
          verdict: 'supported',
          secondOpinion: { ...other, verdict: 'not_found', reason: 'No.' },
        }),
        claim({ verdict: 'contradicted', judge: 'a:m', reason: 'It freezes.' }),
      ]).slice(1),
    ).toEqual([
      '  altered: “Water boils at 90 °C [1].” 90 is not 100. But a:m says: supported. It says so.',
      '  supported: “Water boils at 90 °C [1].” It stands there. But a:m says: not found. No.',
      '  contradicted: “Water boils at 90 °C [1].” It freezes.',
    ])
  })

  it('say why a model has not judged, and nothing of claims that hold', () => {
    expect(linesOf([claim({}), claim(failedCall('it is down.'))]).slice(1)).toEqual([
      '  unchecked: “Water boils at 90 °C [1].” It stands there. Not judged by a model: it is down.',
    ])
  })

  it('say once that a model could judge more, where none stands behind the verifier', () => {
    const open = claim({ verdict: 'not_found' })
    const hint = expect.stringContaining('--model verifier=NAME')
    expect(
      linesOf([open, open], { verifier: 'extractive' }).filter((line) =>
        hint.asymmetricMatch(line),
      ),
    ).toHaveLength(1)
    expect(linesOf([open], {}).at(-1)).toEqual(hint)
    expect(linesOf([open]).at(-1)).not.toEqual(hint)
    expect(linesOf([claim({}), claim({ verdict: 'altered' })], {}).at(-1)).not.toEqual(hint)
  })

  it('let nothing of a model steer the terminal', () => {
    const other = { judge: 'a:\u001b[2Jm', verdict: 'supported', reason: 'x\u001b[31m\ny' } as const
    const lines = linesOf([
      claim({ verdict: 'altered', reason: '\u001b]8;;', secondOpinion: other }),
    ])
    for (const sign of ['\u001b', '\n']) expect(lines.join('')).not.toContain(sign)
  })
})
