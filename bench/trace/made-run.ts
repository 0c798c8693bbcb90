import { sha256 } from '../../src/kernel/json.ts'
import type { NewEvent, RunEvent } from '../../src/kernel/run/event.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'

/** Events of one node of the made run: two model calls, one search, two turns, the node's end. */
const eventsOfNode = 8
const startedAtMs = Date.UTC(2026, 0, 1)

/** Writes a run of `count` events as a question team leaves them, but for its outputs, which projections do not read. */
export async function writeRun(path: string, runId: string, count: number): Promise<void> {
  const store = openRunStore(path)
  const run = { runId, workflow: 'ask', title: 'A long run', createdAt: startedAtMs }
  const lease = await store.create(run, currentOwner())
  const begin: NewEvent = {
    key: '',
    type: 'run.started',
    data: {
      workflow: 'ask',
      seed: runId,
      versions: { package: '0', workflow: '0' },
      promptHashes: {},
      configuration: {},
      limits: {},
    },
    ts: startedAtMs,
  }
  await store.append(lease, [begin], [], 'normal')
  for (let node = 1; node <= count / eventsOfNode; node++)
    await store.append(lease, nodeEvents(node), [], 'normal')
  const end: NewEvent = {
    key: '',
    type: 'run.finished',
    data: { status: 'answered' },
    output: { claims: [] },
    ts: startedAtMs + count * 10,
  }
  await store.append(lease, [end], [], 'normal')
  await store.release(lease, 'answered')
  await store.close()
}

/** The events of a node, ten milliseconds apart. */
function nodeEvents(node: number): readonly NewEvent[] {
  const agent = `ask/researcher[${node}]/converse[1]/react`
  const base = startedAtMs + node * eventsOfNode * 10
  const at = (index: number) => base + index * 10
  const call = (turn: number, index: number): readonly NewEvent[] => {
    const facts = {
      name: 'model',
      effect: 'read' as const,
      inputHash: sha256('x'),
      attempt: 1,
      startedAt: at(index),
    }
    const usage = { inputTokens: 1_000, outputTokens: 100, costUsd: 0.001 }
    const reservation = { steps: 1, tokens: 9_000, costUsd: 0.01 }
    const input = {
      model: 'openai:gpt',
      role: 'researcher',
      settings: { temperature: 0, maxOutputTokens: 4096 },
    }
    const key = `${agent}/${turn}/model`
    return [
      { key, type: 'step.started', data: { ...facts, reservation }, output: input, ts: at(index) },
      {
        key,
        type: 'step.done',
        data: { ...facts, usage, steps: 1 },
        output: { parts: [], finishReason: 'stop' },
        ts: at(index + 1),
      },
    ]
  }
  const search = {
    name: 'call',
    effect: 'read' as const,
    inputHash: sha256('y'),
    attempt: 1,
    startedAt: at(2),
    steps: 1,
  }
  return [
    ...call(1, 0),
    {
      key: `${agent}/1/tool[1]:search_library/call`,
      type: 'step.done',
      data: search,
      output: { passages: [] },
      ts: at(3),
    },
    { key: `${agent}/1`, type: 'turn.done', data: { turn: 1, toolCalls: 1 }, ts: at(3) },
    ...call(2, 4),
    { key: `${agent}/2`, type: 'turn.done', data: { turn: 2, toolCalls: 0 }, ts: at(5) },
    {
      key: `ask/researcher[${node}]`,
      type: 'node.done',
      data: { node: 'researcher' },
      output: {},
      ts: at(6),
    },
  ]
}

/** Such events as a listener hears them, without a store. */
export function* heardEvents(count: number): Generator<RunEvent> {
  for (let node = 1, seq = 1; seq <= count; node++)
    for (const event of nodeEvents(node))
      yield { v: 1, runId: 'run', seq: seq++, epoch: 1, ...event }
}
