import { describe, expect, it } from 'vitest'
import type { ReadPassage } from '../../citations/claim.ts'
import { passageId } from '../../citations/source.ts'
import { sha256 } from '../../kernel/json.ts'
import { checkClaims } from './check-claim.ts'
import { splitClaims } from './parse-claims.ts'

const sourceId = sha256('lake')

/** The verdicts of an answer's sentences about one source. */
function judge(text: string, answer: string) {
  const id = passageId(sourceId, 0, text.length)
  const read: ReadPassage = { n: 1, passageId: id, sourceId, start: 0, end: text.length, text }
  return checkClaims(splitClaims(answer), [read], [{ n: 1, sourceId, title: '' }])
}

const lake =
  'Der Bodensee ist an der tiefsten Stelle 251,1 Meter tief. Im Jahr 2019 lebten 1.250.000 Menschen in der Region. ' +
  'Der Rhein fließt durch den See. Die Insel Mainau gehört zu Konstanz.'
const ferry = 'Die Fähre hat im Jahr 2019 mehr als 1.250 Fahrzeuge über den See gebracht.'
const river =
  '长江全长约6300公里。三峡大坝坝高185米。长江流域人口超过4亿人。长江流域面积约180万平方公里。重庆位于长江上游。'
const nile =
  'يبلغ طول نهر النيل حوالي ٦٦٥٠ كيلومترًا. بُني السد العالي بين عامي ١٩٦٠ و١٩٧٠. يبلغ ارتفاع السد العالي ١١١ مترًا. تقع القاهرة على نهر النيل.'

describe('a claim in another language than English', () => {
  it.each([
    ['German', lake, 'Der Rhein fließt durch den See [1].'],
    ['German, in quotation marks', lake, '„Der Rhein fließt durch den See.“ [1]'],
    ['Chinese', river, '三峡大坝坝高185米[1]。'],
    ['Chinese, mark behind the full stop', river, '重庆位于长江上游。[1]'],
    ['Chinese with fullwidth digits', river, '三峡大坝坝高１８５米[1]。'],
    ['Arabic', nile, 'تقع القاهرة على نهر النيل [1].'],
    ['Arabic with other digits', nile, 'يبلغ ارتفاع السد العالي 111 مترًا [1].'],
  ])('is found word for word: %s', (_, text, answer) => {
    expect(judge(text, answer).map(({ verdict }) => verdict)).toEqual(['verbatim'])
  })

  it.each([
    ['a decimal comma', lake, 'Der Bodensee ist an der tiefsten Stelle 251,10 Meter tief [1].'],
    ['points for thousands', lake, 'Im Jahr 2019 lebten 1250000 Menschen in der Region [1].'],
    ['Millionen', lake, 'Im Jahr 2019 lebten 1,25 Millionen Menschen in der Region [1].'],
    ['亿', river, '长江流域人口超过400000000人[1]。'],
    ['万', river, '长江流域面积约1,800,000平方公里[1]。'],
    ['千', river, '长江全长约6.3千公里[1]。'],
    ['百万', river, '长江流域面积约1.8百万平方公里[1]。'],
    ['Mio.', lake, 'Im Jahr 2019 lebten 1,25 Mio. Menschen in der Region [1].'],
    ['the letter for "and" before a number', nile, 'بُني السد العالي بين عامي 1960 و 1970 [1].'],
  ])('has the same number in another form: %s', (_, text, answer) => {
    const [claim] = judge(text, answer)
    expect(['supported', 'verbatim']).toContain(claim?.verdict)
  })

  it.each([
    ['German', lake, 'Der Bodensee ist an der tiefsten Stelle 351,1 Meter tief [1].'],
    ['German thousands', lake, 'Im Jahr 2019 lebten 1.350.000 Menschen in der Region [1].'],
    ['Chinese', river, '长江全长约5300公里[1]。'],
    ['Chinese with a scale', river, '长江流域面积约190万平方公里[1]。'],
    ['Arabic', nile, 'يبلغ طول نهر النيل حوالي 5650 كيلومترًا [1].'],
  ])('is altered by another number: %s', (_, text, answer) => {
    expect(judge(text, answer).map(({ verdict }) => verdict)).toEqual(['altered'])
  })

  it.each([
    ['German', lake, 'Der Bodensee hat eine Tiefe von rund 251 Metern [1].'],
    ['Arabic', nile, 'يصل طول هذا النهر إلى حوالي 6700 كيلومتر [1].'],
    ['German thousands', ferry, 'Mit der Fähre kamen rund 1.250 Autos über das Wasser [1].'],
  ])('may round a number: %s', (_, text, answer) => {
    expect(judge(text, answer).map(({ verdict }) => verdict)).toEqual(['unchecked'])
  })

  it.each([
    ['German', lake, 'Der Bodensee hat eine Tiefe von rund 480 Metern [1].'],
    ['Chinese', river, '整个长江流域的人口一共有7亿[1]。'],
    ['Arabic', nile, 'يصل طول هذا النهر إلى حوالي 9000 كيلومتر [1].'],
  ])('states a number that its source does not have: %s', (_, text, answer) => {
    expect(judge(text, answer)).toMatchObject([
      { verdict: 'not_found', numbers: [expect.any(String)] },
    ])
  })

  it.each([
    ['a name', lake, 'Die Insel Mainau gehört zu Lindau [1].'],
    ['a negation', lake, 'Der Rhein fließt nicht durch den See [1].'],
    ['an order', lake, 'Der See fließt durch den Rhein [1].'],
    ['a Chinese name', river, '重庆位于长江下游[1]。'],
    ['an Arabic name', nile, 'تقع الخرطوم على نهر النيل [1].'],
  ])(
    'is left to a verifier where words differ, since the rules for words are English: %s',
    (_, text, answer) => {
      expect(judge(text, answer).map(({ verdict }) => verdict)).toEqual(['unchecked'])
    },
  )

  it('is left to a verifier where its source is in another language', () => {
    const [claim] = judge(lake, 'The flowers of an island belong to the city [1].')
    expect(claim).toMatchObject({ verdict: 'unchecked' })
    expect(claim?.reason).toContain('another language')
  })
})
