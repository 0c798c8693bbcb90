import type { CodeRequest, SlashReport } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { SessionSite } from './session-port.ts'

/** Another session in the place of the one that is open, and what is said of it once it is. */
export interface SessionChange {
  readonly request: CodeRequest
  /** @param runId of the session that was opened */
  told(runId: string): string
}

type Action = Extract<SlashReport['action'], { kind: 'resume' | 'fork' }>

/**
 * What a command asks to go over to.
 * @param before what the session that is open was opened with
 * @throws `run_not_found`, `invalid_input` for a run that is no session, or that is open
 */
export async function changeOf(
  action: Action,
  site: SessionSite,
  before: CodeRequest,
  openId: string | undefined,
): Promise<SessionChange> {
  const { settings: _settings, resume: _resume, fork: _fork, workspace: _own, ...kept } = before
  if (action.kind === 'resume') {
    const { runId, workspace } = await site.find(action.run)
    if (runId === openId) throw new ScholiumError('invalid_input', `This is session ${runId}.`)
    return { request: { ...kept, resume: runId }, told: (id) => `Session ${id} in ${workspace}` }
  }
  const { run, turn } = action
  return {
    request: { ...kept, fork: { run, ...(turn === undefined ? {} : { turn }) } },
    told: (id) => `Session ${id}. Files are as they are now: a fork sets none back.`,
  }
}
