import { randomBytes } from 'node:crypto'
import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A new run's id: the day and six random signs, easy to say and sorted by day, such as `20261120-4kz9qd`. */
export function newRunId(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '')
  const signs = [...randomBytes(6)].map((byte) => alphabet[byte % alphabet.length])
  return `${day}-${signs.join('')}`
}

/** Among so many runs, the newest, one is found by a part of its id. */
const mostListed = 10_000

/**
 * The id of the run that a person means: a whole id, its beginning or its end, the beginning of what stands behind the day, or
 * `last`.
 * @throws `run_not_found` for none, `invalid_input` for several
 */
export async function findRunId(store: RunStore, given: string): Promise<string> {
  if (await holds(store, given)) return given
  const runs = await store.list({ limit: given === 'last' ? 1 : mostListed })
  if (given === 'last' && runs[0] !== undefined) return runs[0].runId
  const matches = runs.filter(
    ({ runId }) =>
      given !== '' &&
      (runId.startsWith(given) || runId.endsWith(given) || runId.includes(`-${given}`)),
  )
  if (matches.length === 1) return (matches[0] as { runId: string }).runId
  if (matches.length === 0) {
    throw new ScholiumError('run_not_found', `There is no run "${given}".`, {
      hint: 'List them with: scholium runs list',
    })
  }
  const ids = matches.slice(0, 5).map(({ runId }) => runId)
  throw new ScholiumError(
    'invalid_input',
    `"${given}" matches ${matches.length} runs: ${ids.join(', ')}.`,
    {
      hint: 'Give more characters of the id.',
    },
  )
}

async function holds(store: RunStore, runId: string): Promise<boolean> {
  try {
    await store.get(runId)
    return true
  } catch (error) {
    const code = error instanceof ScholiumError ? error.code : undefined
    if (code === 'run_not_found' || code === 'invalid_input') return false
    throw error
  }
}
