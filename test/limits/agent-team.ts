import * as z from 'zod'
import {
  createToolRegistry,
  defineTool,
  type Json,
  type LiveEvent,
  type ModelBinding,
  type Price,
  type RunContext,
  runAgent,
  type StepFacts,
  sha256,
  type Tool,
  toFailure,
} from '../../src/kernel/index.ts'
import { withLimits } from '../../src/kernel/limits/with-limits.ts'
import { createRandom, type Script, type ScriptedReply } from '../../src/testing/index.ts'
import type { Body } from '../kernel/runs.ts'

/** Bills are whole numbers of this part of a dollar, so that they add up without rounding. */
export const unitsPerUsd = 1e8

/** What a service bills for one attempt, in units. */
interface Bill {
  readonly path: string
  readonly units: number
}

/** An agent at work: where, what its model costs, and what its call under way can use at most. */
interface AtWork {
  readonly path: string
  readonly price: Price
  promptBound: number
  attempts: number
}

const maxOutputTokens = 60
/** Hundredths of a dollar for a million tokens, so that a token costs whole units. */
const cents = (value: number) => Math.floor(value) / 100

/**
 * Agents in parallel branches that give work to agents of their own, several at once and up to three deep, each with a model of
 * its own price, some with limits of their own; and the service that they ask, which keeps its own accounts. What happens
 * depends on the seed, the agent's place and the number of its call alone.
 */
export class AgentTeam {
  readonly bills: Bill[] = []
  /** The dollar limits of parts, in units, by path. */
  readonly parts = new Map<string, number>()
  stopped = 0
  /** The most agents that were at work at once. */
  mostAtOnce = 0
  private readonly seed: number
  private readonly bind: (name: string, price: Price) => ModelBinding
  private readonly agents = new Map<string, AtWork>()
  private working = 0

  constructor(seed: number, bind: (name: string, price: Price) => ModelBinding) {
    this.seed = seed
    this.bind = bind
  }

  readonly body: Body = async (context) => {
    const branches = [0, 1, 2].map((index) => context.branch(`branch ${index}`))
    const outcomes = await Promise.all(branches.map((branch) => this.work(branch, 'agent', 2)))
    context.join(branches)
    return outcomes
  }

  /** Hears what each call reserves. */
  readonly listen = (event: LiveEvent): void => {
    if (event.type !== 'step.started') return
    const { reservation } = event.data as StepFacts
    for (const agent of this.agents.values())
      if (event.key.startsWith(`${agent.path}/turn`) && reservation !== undefined)
        agent.promptBound = reservation.tokens - maxOutputTokens
  }

  readonly script: Script = ({ model, tools }): ScriptedReply => {
    const agent = this.agents.get(model)
    if (agent === undefined) throw new Error(`Nobody is ${model}.`)
    const random = this.randomOf(`${model} ${agent.attempts++}`)
    if (random() < 0.1) return { status: 503 }
    const most = (bound: number) => (random() < 0.5 ? bound : Math.floor(bound * random()))
    const usage = {
      prompt: Math.max(1, most(agent.promptBound)),
      output: most(maxOutputTokens),
      cached: 0,
    }
    if (random() < 0.4) usage.cached = Math.floor(usage.prompt * random())
    this.bills.push({ path: agent.path, units: unitsOf(usage, agent.price) })
    if (random() < 0.15) return { reset: true }
    const delegated =
      tools.includes('delegate') && random() < 0.7 ? 1 + Math.floor(random() * 2) : 0
    return { status: 200, body: completion(usage, delegated) }
  }

  /** One agent's work: its answer, or what stopped it. */
  private async work(context: RunContext, segment: string, depth: number): Promise<Json> {
    const random = this.randomOf(`${context.path} ${segment}`)
    const price = randomPrice(random)
    const limit = Math.floor(random() * 4 * 1_500 * price.inputUsdPerMTok * 100)
    const isPart = random() < 0.4
    const inside = isPart
      ? await withLimits(context, segment, { maxCostUsd: limit / unitsPerUsd })
      : context.child(segment)
    if (isPart) this.parts.set(inside.path, limit)
    const id = inside.id('agent')
    this.agents.set(id, { path: inside.path, price, promptBound: 0, attempts: 0 })
    const model = this.bind(id, price)
    const tools = createToolRegistry(depth === 0 ? [] : [this.delegation(inside, depth - 1)])
    const parts = [{ type: 'text' as const, text: `Work on ${'x'.repeat(random() * 200)}.` }]
    const question = { id, role: 'user' as const, parts, createdAt: inside.now() }
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.working)
    try {
      return (await runAgent(inside.child('turn'), { model, tools, maxTurns: 3 }, [question])).text
    } catch (error) {
      const { code, details } = toFailure(error)
      if (code === 'model_unavailable') return code
      if (code !== 'limit_reached') throw error
      this.stopped++
      return `${details?.limit} of ${details?.part ?? 'run'}`
    } finally {
      this.working--
    }
  }

  private delegation(context: RunContext, depth: number): Tool {
    return defineTool({
      name: 'delegate',
      description: 'Lets another agent do a part of the work.',
      input: z.object({}),
      effect: 'read',
      execute: (_input, { key }) =>
        this.work(context.branch(key.slice(context.path.length + 1)), 'agent', depth),
    })
  }

  private randomOf(name: string): () => number {
    return createRandom(Number.parseInt(sha256(`${this.seed} ${name}`).slice(0, 8), 16))
  }
}

/** Prices with a cheaper rate for what is cached, and some with a dearer one for long prompts. */
function randomPrice(random: () => number): Price {
  const [input, output] = [1 + random() * 3_000, 1 + random() * 9_000]
  const rates = (factor: number) => ({
    inputUsdPerMTok: cents(input * factor),
    outputUsdPerMTok: cents(output * factor),
    cachedInputUsdPerMTok: cents(input * factor * 0.25),
  })
  const isStepped = random() < 0.5
  return isStepped ? { ...rates(1), longPrompt: { ...rates(2), aboveTokens: 700 } } : rates(1)
}

interface Counted {
  readonly prompt: number
  readonly output: number
  readonly cached: number
}

function unitsOf({ prompt, output, cached }: Counted, price: Price): number {
  const isLong = price.longPrompt !== undefined && prompt > price.longPrompt.aboveTokens
  const rate = isLong ? (price.longPrompt as Price) : price
  const units = (usdPerMTok: number) => Math.round(usdPerMTok * 100)
  return (
    (prompt - cached) * units(rate.inputUsdPerMTok) +
    cached * units(rate.cachedInputUsdPerMTok as number) +
    output * units(rate.outputUsdPerMTok)
  )
}

function completion({ prompt, output, cached }: Counted, delegated: number) {
  const calls = Array.from({ length: delegated }, (_, index) => ({
    id: `c${index}`,
    type: 'function',
    function: { name: 'delegate', arguments: '{}' },
  }))
  const message = { role: 'assistant', content: 'Done.', tool_calls: calls }
  return {
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, finish_reason: delegated > 0 ? 'tool_calls' : 'stop', message }],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: output,
      total_tokens: prompt + output,
      prompt_tokens_details: { cached_tokens: cached },
    },
  }
}
