import {
  type AgentContext,
  type PermissionOption,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import type { PermissionAnswer, PermissionRequest } from '../app.ts'
import { showHiddenOnOneLine } from '../kernel/text/visible-text.ts'
import type { AcpEventForwarder } from './acp-event-forwarder.ts'

/** What asking a person through their editor needs. */
export interface AskingSite {
  readonly sessionId: string
  readonly client: AgentContext
  readonly teller: AcpEventForwarder
  /** Stops the turn, on the person's request. */
  stop(): void
}

/**
 * Asks the person about a call. A question without an answer ends with the turn.
 * @param signal aborts when nobody waits for the answer any longer
 */
export async function askEditor(
  { sessionId, client, teller, stop }: AskingSite,
  request: PermissionRequest,
  signal: AbortSignal,
): Promise<PermissionAnswer> {
  const asked: RequestPermissionRequest = {
    sessionId,
    toolCall: teller.asked(request),
    options: optionsFor(request),
  }
  const given = { cancellationSignal: signal, stopWaitingOnCancel: true }
  const { outcome } = await client
    .request<RequestPermissionResponse>('session/request_permission', asked, given)
    .catch(refusedOrGone)
  if (outcome.outcome === 'selected') return answers[outcome.optionId] ?? { decision: 'no' }
  stop()
  return new Promise<never>(() => {})
}

/** An editor that cannot ask responds with an error; one that is gone ends the turn, and another turn asks again. */
function refusedOrGone(error: unknown): RequestPermissionResponse | Promise<never> {
  if (!(error instanceof RequestError) || error.code === cancelledCode) return new Promise(() => {})
  return { outcome: { outcome: 'selected', optionId: 'no' } }
}

const cancelledCode = -32800

const answers: Readonly<Record<string, PermissionAnswer>> = {
  once: { decision: 'once' },
  always: { decision: 'always' },
  no: { decision: 'no' },
}

function optionsFor({ kind, always }: PermissionRequest): PermissionOption[] {
  if (kind === 'trust')
    return [
      { optionId: 'always', name: 'Trust this folder', kind: 'allow_always' },
      { optionId: 'once', name: 'Trust it for this session', kind: 'allow_once' },
      { optionId: 'no', name: 'Do not trust it', kind: 'reject_once' },
    ]
  const once: PermissionOption = { optionId: 'once', name: 'Allow once', kind: 'allow_once' }
  const no: PermissionOption = { optionId: 'no', name: 'Reject', kind: 'reject_once' }
  if (always.length === 0) return [once, no]
  const name = `Always allow in this session: ${always.map(showHiddenOnOneLine).join(', ')}`
  return [once, { optionId: 'always', name, kind: 'allow_always' }, no]
}
