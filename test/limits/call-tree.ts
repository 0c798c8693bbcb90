import fc from 'fast-check'
import {
  callModel,
  type Json,
  type Limits,
  type Message,
  type ModelBinding,
  type RunContext,
  toFailure,
} from '../../src/kernel/index.ts'
import { withLimits } from '../../src/kernel/limits/with-limits.ts'
import { estimateAttempt } from '../../src/kernel/model/model-attempts.ts'
import type { Script, ScriptedReply } from '../../src/testing/index.ts'
import type { Body } from '../kernel/runs.ts'

/** What a service does with an attempt: answers, is busy, or loses the answer on its way and bills it all the same. */
export type Manner = 'answers' | 'is busy' | 'loses it'

/** A paid call: how long its prompt is, which part of its upper bound is used, and the outcome of each attempt. */
export interface PaidCall {
  readonly promptBytes: number
  /** Of the bound of the prompt and of the answer, 0 to 1. */
  readonly used: readonly [number, number]
  readonly manners: readonly Manner[]
}

/** Calls one after the other, then further nodes, at once or one after the other, within limits of their own or none. */
export interface CallNode {
  readonly calls: readonly PaidCall[]
  readonly children: readonly CallNode[]
  readonly isParallel: boolean
  readonly limits: Limits | null
}

const fraction = fc.constantFrom(0, 0.5, 1, 1, 1)
const manner = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Manner>('answers') },
  { weight: 1, arbitrary: fc.constant<Manner>('is busy') },
  { weight: 2, arbitrary: fc.constant<Manner>('loses it') },
)
const paidCall: fc.Arbitrary<PaidCall> = fc.record({
  promptBytes: fc.integer({ min: 1, max: 200 }),
  used: fc.tuple(fraction, fraction),
  manners: fc.array(manner, { minLength: 1, maxLength: 3 }),
})
const partLimits: fc.Arbitrary<Limits | null> = fc.option(
  fc.oneof(
    fc.record({ maxCostUsd: fc.integer({ min: 0, max: 3_000 }) }),
    fc.record({ maxTokens: fc.integer({ min: 0, max: 2_000 }) }),
    fc.record({ maxSteps: fc.integer({ min: 0, max: 5 }) }),
  ),
  { freq: 2 },
)

/** Trees of paid calls, up to three deep. */
export const callTrees: fc.Arbitrary<CallNode> = fc.letrec<{ node: CallNode }>((tie) => ({
  node: fc.record({
    calls: fc.array(paidCall, { minLength: 1, maxLength: 4 }),
    children: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant([]),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }),
    ),
    isParallel: fc.boolean(),
    limits: partLimits,
  }),
})).node

/** About what the calls of a tree cost at most, in dollars: for limits that stop some of them. */
export function costUsdOf({ calls, children }: CallNode): number {
  const own = calls.reduce((sum, { promptBytes }) => sum + 170 + promptBytes, 0)
  return children.reduce((sum, child) => sum + costUsdOf(child), own)
}

/** A dollar a token of the prompt, two a token of the answer: sums are whole numbers, so that nothing is rounded. */
export const price = { inputUsdPerMTok: 1e6, outputUsdPerMTok: 2e6 }

/** What a service bills for one attempt. */
export interface Billed {
  /** The path of the context in which the call was made. */
  readonly path: string
  readonly tokens: number
  readonly costUsd: number
}

/** A workflow that makes the calls of a tree, and the service that it makes them to, which keeps its own accounts. */
export class CallTree {
  readonly billed: Billed[] = []
  /** The limits of each part that was begun, by its path. */
  readonly parts = new Map<string, Limits>()
  private readonly tree: CallNode
  private readonly binding: ModelBinding
  private readonly asked = new Map<string, { call: PaidCall; promptTokens: number; path: string }>()
  private readonly attempts = new Map<string, number>()

  constructor(tree: CallNode, binding: ModelBinding) {
    this.tree = tree
    this.binding = binding
  }

  /** Says for each call whether it was made or which limit stopped it, in the order of the tree. */
  readonly body: Body = (context) => this.runNode(context, 'root', this.tree)

  readonly script: Script = (seen): ScriptedReply => {
    const [id = ''] = seen.lastText.split(' ')
    const asked = this.asked.get(id)
    if (asked === undefined) throw new Error(`Nobody asked ${id}.`)
    const number = this.attempts.get(id) ?? 0
    this.attempts.set(id, number + 1)
    const { call, promptTokens, path } = asked
    const manner = call.manners[number] ?? 'answers'
    if (manner === 'is busy') return { status: 503 }
    const [prompt, output] = [promptTokens, Number(seen.body.max_tokens)].map((most, index) =>
      Math.floor(most * (call.used[index] as number)),
    ) as [number, number]
    // A service that reports no prompt at all is one that reports nothing.
    const usage = { prompt: Math.max(1, prompt), output }
    this.billed.push({
      path,
      tokens: usage.prompt + usage.output,
      costUsd: usage.prompt + 2 * usage.output,
    })
    return manner === 'loses it' ? { reset: true } : { status: 200, body: completion(usage) }
  }

  private async runNode(context: RunContext, name: string, node: CallNode): Promise<Json> {
    const inside =
      node.limits === null ? context.child(name) : await withLimits(context, name, node.limits)
    if (node.limits !== null) this.parts.set(inside.path, node.limits)
    const outcomes: Json[] = []
    for (const [index, call] of node.calls.entries())
      outcomes.push(await this.outcomeOf(inside, `call ${index}`, call))
    const children = node.isParallel
      ? await this.runAtOnce(inside, node.children)
      : await this.runInTurn(inside, node.children)
    return { outcomes, children }
  }

  private async runAtOnce(context: RunContext, nodes: readonly CallNode[]): Promise<Json[]> {
    const branches = nodes.map((_, index) => context.branch(`branch ${index}`))
    const results = await Promise.all(
      nodes.map((node, index) => this.runNode(branches[index] as RunContext, 'node', node)),
    )
    context.join(branches)
    return results
  }

  private async runInTurn(context: RunContext, nodes: readonly CallNode[]): Promise<Json[]> {
    const results: Json[] = []
    for (const [index, node] of nodes.entries())
      results.push(await this.runNode(context, `node ${index}`, node))
    return results
  }

  /** Goes on after a limit: what comes later may be smaller, and must not find more than there is. */
  private async outcomeOf(context: RunContext, name: string, call: PaidCall): Promise<Json> {
    const id = context.id(name)
    const text = `${id} ${'x'.repeat(call.promptBytes)}`
    const messages: Message[] = [
      { id, role: 'user', parts: [{ type: 'text', text }], createdAt: context.now() },
    ]
    const { tokens, output } = estimateAttempt(this.binding, { messages })
    this.asked.set(id, { call, promptTokens: tokens - (output?.usual ?? 0), path: context.path })
    try {
      return (await callModel(context, name, this.binding, { messages })).finishReason
    } catch (error) {
      const { code, details } = toFailure(error)
      if (code === 'limit_reached')
        return `stopped by ${details?.limit} of ${details?.part ?? 'run'}`
      if (code === 'model_unavailable') return code
      throw error
    }
  }
}

function completion({ prompt, output }: { prompt: number; output: number }) {
  const message = { role: 'assistant', content: 'yes' }
  return {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    usage: { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output },
  }
}
