import * as z from 'zod'
import { runAgent } from '../../kernel/agent/agent-loop.ts'
import type { Message } from '../../kernel/agent/message.ts'
import { createToolRegistry, defineTool } from '../../kernel/agent/tool.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { chooseEmbedding } from '../../kernel/model/choose-model.ts'
import { callEmbedding } from '../../kernel/model/embed-call.ts'
import type { ModelSource } from '../../kernel/model/model.ts'
import { callModelForObject } from '../../kernel/model/model-object.ts'
import { sumAccounts } from '../../kernel/run/accounts.ts'
import { systemClock } from '../../kernel/run/clock.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import { currentOwner } from '../../stores/process-owner.ts'
import { openRunStore } from '../../stores/sqlite/run-store.ts'
import { packageVersion } from '../version.ts'

/** The result of probing a model. */
export interface ProbeOutcome {
  readonly works: boolean
  /** Whether it did what it was asked, even if wrongly. */
  readonly isTried: boolean
  /** What was done differently because the service refuses it. */
  readonly remarks: readonly string[]
  /** `null` if the price is unknown. */
  readonly costUsd: number | null
}

/** How to probe a model. */
export interface ProbeOptions {
  readonly signal: AbortSignal
  /** Values that must not appear in findings. */
  readonly secrets: readonly string[]
}

type Probe = (context: RunContext) => Promise<Pick<ProbeOutcome, 'works' | 'isTried'>>

/** What a model is tested for: calling a tool on request, answering in a given format, creating vectors. */
export const probes = {
  tools: probeTools,
  form: probeForm,
  vectors: probeVectors,
} as const satisfies Record<string, Probe>

/**
 * Probes a model as a run would use it, in a run that is not stored.
 * @throws what a model call throws
 */
export async function probeModel(
  name: keyof typeof probes,
  models: ModelSource,
  { signal, secrets }: ProbeOptions,
): Promise<ProbeOutcome> {
  const store = openRunStore(':memory:')
  const runId = `doctor-${name}`
  try {
    const { result } = await startRun(workflowOf(probes[name]), {}, runId, {
      store,
      owner: currentOwner(),
      clock: systemClock,
      models,
      packageVersion,
      configuration: {},
      signal,
      secrets,
    })
    const { costUsd } = await sumAccounts(store.events(runId))
    const remarks: string[] = []
    for await (const { data } of store.events(runId, { types: ['notice'] }))
      remarks.push(data.text.replace(/\.$/, ''))
    const [works, isTried] = [result.works === true, result.isTried === true]
    return { works, isTried, remarks, costUsd }
  } finally {
    await store.close()
  }
}

function workflowOf(probe: Probe): Workflow<JsonObject, JsonObject> {
  return {
    name: 'doctor',
    version: '1',
    promptHashes: {},
    title: () => 'A probe of a model',
    run: async (context) => ({ ...(await probe(context)) }),
    status: () => 'answered',
  }
}

async function probeTools(context: RunContext): ReturnType<Probe> {
  const add = defineTool({
    name: 'add',
    description: 'Adds two whole numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    effect: 'pure',
    execute: async ({ a, b }) => a + b,
  })
  const agent = {
    model: context.services.models.forRole('researcher'),
    tools: createToolRegistry([add]),
    maxTurns: 1,
  }
  const task =
    'Call the tool "add" with a = 417 and b = 325. Do not answer before you have called it.'
  const { results } = await runAgent(context, agent, [asked(context, task)])
  const works = results.some(({ output }) => JSON.stringify(output).includes('742'))
  return { works, isTried: results.length > 0 }
}

async function probeForm(context: RunContext): ReturnType<Probe> {
  const schema = z.object({ colour: z.string(), legs: z.number() })
  const task =
    'A grey elephant has four legs. Give its colour and the number of its legs as one JSON object with the keys "colour" and "legs".'
  const binding = context.services.models.forRole('planner')
  const messages = [asked(context, task)]
  const { value } = await callModelForObject(context, 'form', binding, { messages }, schema)
  return { works: value.legs === 4, isTried: true }
}

function asked(context: RunContext, text: string): Message {
  return {
    id: context.id('task'),
    role: 'user',
    parts: [{ type: 'text', text }],
    createdAt: context.now(),
  }
}

async function probeVectors(context: RunContext): ReturnType<Probe> {
  const binding = await chooseEmbedding(context)
  const { dimensions } = await callEmbedding(context, 'vectors', binding, ['A short text.'])
  return { works: dimensions > 0, isTried: true }
}
