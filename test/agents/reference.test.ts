import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { actionsReference } from '../../tools/actions-docs.ts'

describe('docs/actions.md', () => {
  it('is up to date; if not: node tools/actions-docs.ts', () => {
    const path = new URL('../../docs/actions.md', import.meta.url)
    expect(readFileSync(path, 'utf8')).toBe(actionsReference())
  })

  it('says of every parameter what it is', () => {
    const silent = actionsReference()
      .split('\n')
      .filter((line) => /^\| `[^`]+` \|.*\|\s+\|$/.test(line))
    expect(silent).toEqual([])
  })
})
