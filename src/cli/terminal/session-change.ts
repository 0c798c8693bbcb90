import type { CodeRequest, Right, SettingsChange, SlashReport } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { SessionSite } from './session-port.ts'

/** Another session in the place of the one that is open, and what is said of it once it is. */
export interface SessionChange {
  readonly request: CodeRequest
  /** @param runId of the session that was opened */
  told(runId: string): string
}

/** How a session was opened, with what the person at this terminal lets it do without asking: for when it goes on. */
export function granting(request: CodeRequest, settings: SettingsChange): CodeRequest {
  const rules = (settings.allow ?? []).map((value): Right => ({ kind: 'allow', value }))
  const yolo: readonly Right[] = settings.isYolo === true ? [{ kind: 'yolo', value: '' }] : []
  return { ...request, grants: [...rules, ...yolo] }
}

type Action = Extract<SlashReport['action'], { kind: 'resume' | 'fork' }>

/**
 * What a command asks to go over to.
 * @param before what the session that is open was opened with
 * @param open that session: a fork may do without asking what it may
 * @throws `run_not_found`, `invalid_input` for a run that is no session, or that is open
 */
export async function changeOf(
  action: Action,
  site: SessionSite,
  before: CodeRequest,
  open: { readonly runId: string | undefined; readonly settings: SettingsChange },
): Promise<SessionChange> {
  const { settings: _set, resume: _resume, fork: _fork, workspace: _own, ...kept } = before
  if (action.kind === 'resume') {
    const { runId, workspace } = await site.find(action.run)
    if (runId === open.runId) throw new ScholiumError('invalid_input', `This is session ${runId}.`)
    const { grants: _granted, ...other } = kept
    return { request: { ...other, resume: runId }, told: (id) => `Session ${id} in ${workspace}` }
  }
  const { run, turn } = action
  return {
    request: granting(
      { ...kept, fork: { run, ...(turn === undefined ? {} : { turn }) } },
      open.settings,
    ),
    told: (id) => `Session ${id}. A fork does not restore files: they stay as they are now.`,
  }
}
