import { resolve } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { AppParts } from '../app-parts.ts'
import { realPath } from '../trust/own-homes.ts'
import { sessionInput } from './session-messages.ts'
import { codeWorkflowName, sessionId } from './session-place.ts'

/** The session that a person means. */
export interface FoundSession {
  readonly runId: string
  /** Its folder. */
  readonly workspace: string
}

/** The last session is looked for among this number of the newest runs. */
const mostListed = 1_000

/**
 * Finds the session that a person means: by a run's id, a part of it, or `last` for the newest one of the folder.
 * @param workspace the folder that was named. Default for `last`: that of the app
 * @throws `run_not_found`; `invalid_input` for a run that is not a session, or one of another folder than was named
 */
export async function findSession(
  { store, folder }: Pick<AppParts, 'store' | 'folder'>,
  run: string,
  workspace?: string,
): Promise<FoundSession> {
  if (run === 'last') return lastSession(store, resolve(folder, workspace ?? '.'))
  const runId = await sessionId(store, run)
  const { workspace: own } = await sessionInput(store, runId)
  const named = workspace === undefined ? own : resolve(folder, workspace)
  if (isSameFolder(own, named)) return { runId, workspace: own }
  throw new ScholiumError('invalid_input', `Session ${runId} works in ${own}, not in ${named}.`, {
    hint: 'Omit --workspace to resume it, or omit --resume to start a session there.',
  })
}

async function lastSession(store: RunStore, folder: string): Promise<FoundSession> {
  for (const { runId, workflow } of await store.list({ limit: mostListed })) {
    if (workflow !== codeWorkflowName) continue
    const { workspace } = await sessionInput(store, runId)
    if (isSameFolder(workspace, folder)) return { runId, workspace }
  }
  throw new ScholiumError('run_not_found', `There is no session in ${folder}.`, {
    hint: 'Give the id of a session in another folder ("scholium runs list" shows them), or start one without --resume.',
  })
}

function isSameFolder(one: string, other: string): boolean {
  return (realPath(one) ?? one) === (realPath(other) ?? other)
}
