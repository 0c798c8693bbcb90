import { describe, expect, it } from 'vitest'
import type { Right } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { askingForGrants } from './ask-grants.ts'

const web: Right = { kind: 'web', value: '' }
const token: Right = { kind: 'secret', value: 'TOKEN' }

/** A run that was begun with the web and a variable. */
async function goOn(grants: readonly Right[]): Promise<readonly Right[]> {
  const missing = [web, token].filter(({ kind }) => !grants.some((grant) => grant.kind === kind))
  if (missing.length === 0) return grants
  throw new ScholiumError('invalid_input', 'It was begun with more.', {
    details: { notGranted: missing },
  })
}

describe('askingForGrants', () => {
  it('asks for what is missing, and only then', async () => {
    const asked: unknown[] = []
    const ask = async (prompt: unknown) => {
      asked.push(prompt)
      return 'yes'
    }
    expect(await askingForGrants([web, token], ask, goOn)).toEqual([web, token])
    expect(asked).toEqual([])
    expect(await askingForGrants([web], ask, goOn)).toEqual([web, token])
    expect(asked).toEqual([{ kind: 'grants', text: 'It was begun with more.' }])
  })

  it.each([['no'], [undefined]])('does nothing where the person says %s', async (said) => {
    const going = askingForGrants([web], async () => said, goOn)
    await expect(going).rejects.toThrow('It was begun with more.')
  })

  it('passes on what is no question of rights', async () => {
    const failing = () => Promise.reject(new ScholiumError('run_busy', 'It is worked on.'))
    await expect(askingForGrants([], async () => 'yes', failing)).rejects.toThrow('worked on')
  })
})
