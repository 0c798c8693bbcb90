import type { AgentResult } from '../../agents/run/agent-result.ts'
import { changedFields } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import { accountsOf } from '../../kernel/run/accounts.ts'
import { isStepEnd } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { AppParts } from '../app-parts.ts'
import type { ForkRequest } from '../runs/fork-request.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'
import type { RunKind, RunWorkflow, TitledChanges } from '../runs/run-kind.ts'
import type { Right } from '../trust/right.ts'
import { type AgentAnswer, toAgentAnswer } from './agent-answer.ts'
import { type RecordedAgent, recordedAgentConditions } from './agent-conditions.ts'
import { requireSecrets } from './agent-environment.ts'

/** The roles that the models of agent files play: `critic` in `reason.self_correct`, `embedding` in `llm.embed`. A file can name models itself. */
const agentRoles: readonly ModelRole[] = ['default', 'critic', 'embedding']

/**
 * Runs of agent files under certain conditions.
 * @param more secrets that this execution is given beside those
 */
export async function agentKind(
  parts: AppParts,
  { conditions, promptHashes, mcpTools }: RecordedAgent,
  more: readonly string[] = [],
): Promise<RunKind> {
  requireSecrets(parts.environment, more)
  const given = { ...conditions, secrets: [...new Set([...conditions.secrets, ...more])] }
  return {
    async workflow() {
      const { agentWorkflow } = await import('../../agents/run/agent-workflow.ts')
      const agentParts = await parts.agents.partsOf(given, mcpTools)
      return agentWorkflow(agentParts, promptHashes) as unknown as RunWorkflow
    },
    roles: agentRoles,
    conditions: { agent: conditions },
    present: (runId, result) => agentAnswerOf(parts, runId, result as unknown as AgentResult),
    forkChanges: async (state, _place, request) => agentForkChanges(state, request),
    rolesAhead: () => undefined,
  }
}

/** The same under the conditions of a recorded run. */
export async function recordedAgentKind(
  parts: AppParts,
  runId: string,
  grants: readonly Right[] = [],
): Promise<RunKind> {
  const secrets = grants.flatMap(({ kind, value }) => (kind === 'secret' ? [value] : []))
  return agentKind(parts, await recordedAgentConditions(parts.store, runId), secrets)
}

async function agentAnswerOf(
  { store }: AppParts,
  runId: string,
  result: AgentResult,
): Promise<AgentAnswer> {
  const accounts = await accountsOf(store.events(runId, { withOutput: false }))
  const toolCalls = await toolCallsOf(store, runId)
  const { models } = await recordedConditions(store, runId)
  return toAgentAnswer(runId, result, { ...accounts, toolCalls }, models)
}

/** Calls of actions by nodes as well as by models. */
async function toolCallsOf(store: RunStore, runId: string): Promise<number> {
  let calls = 0
  for await (const event of store.events(runId, { withOutput: false })) {
    // What a fork shares with its parent was used by that.
    if (event.type === 'run.forked') calls = 0
    const isCall = isStepEnd(event) && event.key.endsWith('/call')
    if (isCall && event.data.usage === undefined) calls++
  }
  return calls
}

/** A state of an agent file takes any key. */
function agentForkChanges(
  state: JsonObject,
  { changes = [], question }: ForkRequest,
): TitledChanges {
  if (question !== undefined) {
    throw new ScholiumError('invalid_input', 'A run of an agent file asks no question.', {
      hint: 'Change its state instead: --set key=value. "scholium runs show RUN --state" shows it.',
    })
  }
  const known: Record<string, Json | undefined> = { ...state }
  for (const { path } of changes) {
    const [field = '', ...inner] = path.split('.')
    if (Object.hasOwn(known, field) || path.includes('[')) continue
    known[field] =
      field === 'parallel_results' ? [] : inner.length === 0 ? null : mapsFor(inner.slice(0, -1))
  }
  return { fields: changedFields(known, changes), remarks: [] }
}

/** Maps in maps, under these names. */
function mapsFor(names: readonly string[]): JsonObject {
  return names.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), {})
}
