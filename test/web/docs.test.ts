import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lookupSources } from '../../src/sources/lookup/sources.ts'

const text = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')

describe('docs/sources.md', () => {
  it.each(Object.values(lookupSources))(
    'says of $title what it needs, and what of it was tried',
    ({ title, keyVariable, baseUrlVariable, isTriedLive, untried }) => {
      const row = text.split('\n').find((line) => line.startsWith(`| ${title} |`))
      const tried = !isTriedLive ? 'no' : untried === undefined ? 'yes' : `yes, except ${untried}`
      expect(row).toMatch(new RegExp(`\\| ${tried} \\|$`))
      for (const variable of [keyVariable, baseUrlVariable])
        if (variable !== undefined) expect(row).toContain(`\`${variable}\``)
    },
  )

  it('has them in the order in which they are asked', () => {
    const titles = Object.values(lookupSources).map(({ title }) => text.indexOf(`| ${title} |`))
    expect(titles).toEqual(titles.toSorted((one, other) => one - other))
  })
})
