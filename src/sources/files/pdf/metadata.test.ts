import { describe, expect, it } from 'vitest'
import type { PdfLine } from './lines.ts'
import { findAuthorsBelow } from './metadata.ts'

const title = 'The Growth of Oaks in Cities'

interface Style {
  readonly size?: number
  readonly font?: string
}

/** A first page from its lines, one below the other, with title and abstract around them. */
function page(below: readonly (readonly [string, Style?])[], after = 'Abstract'): PdfLine[] {
  const styled: readonly (readonly [string, Style?])[] = [
    [title, { size: 17 }],
    ...below,
    [after],
    ['Text follows.'],
  ]
  return styled.map(([text, { size = 10, font = 'f' } = {}], index) => {
    const y = 700 - 14 * index
    return { text, x0: 50, x1: 250, y, size, font, continuesRow: false, tilted: false }
  })
}

const names = (below: readonly (readonly [string, Style?])[], after?: string) =>
  findAuthorsBelow(title, page(below, after))?.map(({ given, family }) => `${given} | ${family}`)

const bold = { size: 12, font: 'b' }

describe('the authors below a title', () => {
  it('are names in one line, without marks of notes and memberships', () => {
    expect(
      names([['Ada Lovelace ¹,², M. J. de la Cruz∗ and Dr. Zoë O’Brien†, Member, IEEE', bold]]),
    ).toEqual(['Ada | Lovelace', 'M. J. | de la Cruz', 'Zoë | O’Brien'])
  })

  it('stand in several lines, with addresses of another style between', () => {
    const below = [
      ['Ada Lovelace', bold],
      ['University of London'],
      ['ada@example.org'],
      ['Mary Anning', bold],
      ['Lyme Regis Museum'],
    ] as const
    expect(names(below)).toEqual(['Ada | Lovelace', 'Mary | Anning'])
  })

  it('end before addresses of the same style', () => {
    const below = [['Ada Lovelace, Mary Anning'], ['University of London'], ['Lyme Regis']] as const
    expect(names(below)).toEqual(['Ada | Lovelace', 'Mary | Anning'])
  })

  it('are written in small letters where the page shouts, with initials apart', () => {
    expect(names([['ADA LOVELACE1,∗, AND MARY A. VAN ANNING2'], ['London 1840']])).toEqual([
      'Ada | Lovelace',
      'Mary A. | Van Anning',
    ])
    expect(names([['Yu.A.Pusep, L.Fernandes dos Santos', bold]])).toEqual([
      'Yu. A. | Pusep',
      'L. Fernandes | dos Santos',
    ])
  })

  it('are not told where it is not plain what is a name', () => {
    expect(
      names([
        ['Ada Lovelace, the first of all', bold],
        ['Mary Anning', bold],
      ]),
    ).toBeUndefined()
    expect(
      names([
        ['Ada Lovelace', bold],
        ['and some of her friends', bold],
      ]),
    ).toBeUndefined()
    expect(
      names([
        ['Ada Lovelace', bold],
        ['Ada Lovelace', bold],
      ]),
    ).toBeUndefined()
    expect(
      names([
        ['Department of Trees', bold],
        ['in London, 1840', bold],
      ]),
    ).toBeUndefined()
    expect(names([['Prepared in January', bold]])).toBeUndefined()
  })

  it('are not looked for where no abstract follows', () => {
    expect(names([['Ada Lovelace', bold]], 'Chapter One')).toBeUndefined()
    expect(findAuthorsBelow('Another Title', page([['Ada Lovelace', bold]]))).toBeUndefined()
  })
})
