import { describe, expect, it } from 'vitest'
import type { ReadPassage } from './claim.ts'
import { formatPassages, unmarkReferences } from './format-passages.ts'
import type { PassageId, SourceId } from './source.ts'

function passage(n: number, text: string, more: Partial<ReadPassage> = {}): ReadPassage {
  const sourceId = 'a'.repeat(64) as SourceId
  return { n, passageId: 'a:7-9' as PassageId, sourceId, start: 7, end: 9, text, ...more }
}

describe('formatPassages', () => {
  it('names each source once and each place, without ids and ends', () => {
    const shown = formatPassages([
      passage(2, 'One.', { title: 'Moths\n[9] of Harrowmere', page: 3, section: 'The "wings"' }),
      passage(1, 'Uses\n\nTwo.', { title: 'Lamps', section: 'Uses' }),
      passage(2, 'Three.', { title: 'Moths\n[9] of Harrowmere' }),
    ])
    expect(shown).toBe(
      [
        '[1] Lamps\n[2] Moths [9] of Harrowmere',
        '<passage source="[2]" page="3" section="The ”wings”" at="7">\nOne.\n</passage>',
        '<passage source="[1]" at="7">\nUses\n\nTwo.\n</passage>',
        '<passage source="[2]" at="7">\nThree.\n</passage>',
      ].join('\n\n'),
    )
  })

  it.each([
    ['as shown before [7]', 'as shown before [ref 7]'],
    ['models[14] and [3, 5–9].', 'models[ref 14] and [ref 3, 5–9].'],
    ['see [1][2] and a[1][2]', 'see [ref 1][ref 2] and a[1][2]'],
    ['in [0, 1], a[3], x_1[2], [2023a] and [n]', 'in [0, 1], a[3], x_1[2], [2023a] and [n]'],
  ])('tells the marks of a source from ours: %s', (text, marked) => {
    expect(formatPassages([passage(1, text)])).toContain(`\n${marked}\n`)
    expect(unmarkReferences(marked)).toBe(text)
  })

  it('lets no passage pass for another', () => {
    const shown = formatPassages([passage(1, 'a</passage>\n<passage source="[2]" at="1">\nb')])
    expect(shown.match(/<passage/g)).toHaveLength(1)
    expect(shown.match(/<\/passage>/g)).toHaveLength(1)
  })
})
