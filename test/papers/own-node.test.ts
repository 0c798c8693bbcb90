import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { end, insertNode, type Node, replace } from '../../src/graph/index.ts'
import {
  type App,
  type AppOptions,
  type PapersAnswer,
  type PapersState,
  verifyBundle,
} from '../../src/index.ts'
import { callModel, messageText, type RunContext } from '../../src/kernel/index.ts'
import type { Script } from '../../src/testing/index.ts'
import { AppWorld } from './app-world.ts'
import { scriptPapers } from './paper-script.ts'

type Graphs = NonNullable<AppOptions['graphs']>
type Noted = PapersState & { readonly note: string }

const told = 'Sparse attention reduces memory use'

/** Asks a model for one sentence, which becomes part of the summary, and keeps it in a field of its own. */
const tell: Node<Noted> = async ({ draft }, context) => {
  if (draft === null) return {}
  const model = context.services.models.forRole('default')
  const { message } = await callModel(context, 'model', model, { messages: [ask(context)] })
  const note = messageText(message)
  return { note, draft: { ...draft, summary: `${draft.summary}\n\n${note} [1].` } }
}

function ask(context: RunContext) {
  const parts = [{ type: 'text' as const, text: 'Tell it.' }]
  return { id: context.id('question'), role: 'user' as const, parts, createdAt: context.now() }
}

const fields = { note: replace<string>('') }
const withTeller = (node = tell): Graphs => ({
  papers: (graph) => insertNode(graph, { name: 'teller', node, after: 'synthesizer', fields }),
})

const script: Script = (seen) =>
  seen.lastText === 'Tell it.' ? { text: told } : scriptPapers()(seen)

const prices = { 'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 4 } }
const query = 'sparse attention memory'

let world: AppWorld
let source: string
beforeAll(async () => {
  world = await AppWorld.start(script)
  source = world.pdfs('three', 3)
})
afterAll(() => world.close())

const appWith = (graphs?: Graphs) =>
  world.app({ prices, ...(graphs === undefined ? {} : { graphs }) })
const run = (app: App) => app.papers({ query, sources: [source], fresh: true })

describe('a node of an app’s own in the pipeline', () => {
  let answer: PapersAnswer
  let plain: PapersAnswer
  beforeAll(async () => {
    plain = await run(appWith())
    answer = await run(appWith(withTeller()))
  }, 60_000)

  it('gives what is checked like everything else, and a field that the result has', () => {
    expect(answer.status).toBe('answered')
    expect(answer.answer).toBe(`${plain.answer}\n\n${told} [1].`)
    const { text, verdict, evidence } = answer.claims.at(-1) ?? {}
    expect(text).toContain(told)
    expect(verdict).not.toBe('unchecked')
    expect(evidence?.[0]?.page).toBeGreaterThan(0)
    expect(answer.more).toEqual({ note: told })
    expect(plain).not.toHaveProperty('more')
  })

  it('has its span with its call, whose tokens and cost are counted', async () => {
    const app = appWith()
    const spans = await Array.fromAsync(app.traces.spans(answer.runId))
    const span = spans.find(({ key, kind }) => key === 'papers/teller[1]' && kind === 'node')
    expect(span).toMatchObject({ name: 'teller[1]', status: 'ok', usage: { modelCalls: 1 } })
    expect(spans.find(({ key }) => key === 'papers/teller[1]/model')?.kind).toBe('model')
    expect(answer.usage.modelCalls).toBeGreaterThanOrEqual(plain.usage.modelCalls + 1)
    expect(span?.usage.costUsd).toBeGreaterThan(0)
    expect(answer.costUsd).toBeGreaterThan(plain.costUsd ?? Infinity)
    const { state } = await appWith(withTeller()).stateAt(answer.runId, 'finalize[1]')
    expect(state.tokenUsage).toMatchObject({ input: answer.usage.inputTokens })
    expect(answer.models).toMatchObject({ default: 'openai-compatible:scripted' })
  })

  it('is replayed from the log, with no call', async () => {
    const calls = world.modelCalls
    const report = await appWith(withTeller()).replay(answer.runId)
    expect(report).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect(world.modelCalls).toBe(calls)
  })

  it('stands in the record of its run, which another graph does not go on with', async () => {
    const other = {
      papers: (graph) => insertNode(graph, { name: 'teller', node: tell, after: 'claims', fields }),
    } satisfies Graphs
    for (const app of [appWith(), appWith(other)]) {
      const going = [
        app.replay(answer.runId),
        app.fork(answer.runId, { at: 'claims[1]' }),
        app.papers({ continue: answer.runId }),
        app.stateAt(answer.runId),
      ]
      for (const one of await Promise.allSettled(going))
        expect(one).toMatchObject({
          reason: {
            code: 'run_incompatible',
            message: expect.stringContaining('with synthesizer → teller, teller → claims;'),
          },
        })
    }
    // What has ended is only read.
    expect(await appWith().resume(answer.runId)).toEqual(answer)
    expect(await appWith().recordedAnswer(answer.runId)).toEqual(answer)
  })

  it('is forked and gone on from with its graph, its field too', async () => {
    const app = appWith(withTeller())
    const { state } = await app.stateAt(answer.runId, 'claims[1]')
    expect(state.note).toBe(told)
    const changes = [{ path: 'note', value: 'another' }]
    const { answer: forked } = await app.fork(answer.runId, { at: 'claims[1]', changes })
    expect((forked as PapersAnswer).more).toEqual({ note: 'another' })
    const more = await app.papers({ continue: answer.runId })
    expect(more.more).toEqual({ note: told })
  })

  it('is no reason to give an earlier result again that was made without it', async () => {
    const again = await appWith().papers({ query, sources: [source] })
    expect(again.runId).toBe(plain.runId)
    const own = await appWith(withTeller()).papers({ query, sources: [source] })
    expect([own.runId, own.reused?.by]).toEqual([answer.runId, 'same'])
  })

  it('stands in a bundle that verifies where nobody knows it', async () => {
    const file = join(world.folder, 'own.scholium')
    await appWith().exportRun(answer.runId, { file })
    const report = await verifyBundle(file)
    rmSync(file)
    expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(report.isSound).toBe(true)
  })
})

describe('a node of an app’s own that does not work', () => {
  it('ends nothing: its failure is told, and the run goes on without it', async () => {
    const failing: Node<Noted> = async () => {
      throw new Error('the teller lost its voice')
    }
    const answer = await run(appWith(withTeller(failing)))
    expect(answer).toMatchObject({ status: 'partial', stopReason: 'error' })
    expect(answer.errors[0]).toMatch(/^teller: .*the teller lost its voice/)
    expect(answer.claims.length).toBeGreaterThan(0)
    expect(answer.more).toEqual({ note: '' })
  })

  it('changes nothing where there is nothing for it to work on', async () => {
    const papers: Graphs['papers'] = (graph) =>
      insertNode(graph, { name: 'teller', node: tell, before: 'synthesizer', fields })
    const answer = await run(appWith({ papers }))
    expect(answer).toMatchObject({ status: 'answered', errors: [], more: { note: '' } })
    expect(answer.answer).not.toContain(`${told} [1]`)
  })

  it('is stopped in the middle and resumed there, and nothing before is done again', async () => {
    const stop = new AbortController()
    const stopping = appWith(withTeller()).papers(
      { query, sources: [source], fresh: true },
      {
        signal: stop.signal,
        onEvent: ({ type, key }) => {
          if (type === 'step.started' && key === 'papers/teller[1]/model') stop.abort()
        },
      },
    )
    await expect(stopping).rejects.toMatchObject({ code: 'cancelled' })
    const before = world.modelCalls
    const answer = (await appWith(withTeller()).resume('last')) as PapersAnswer
    expect(answer).toMatchObject({ status: 'answered', more: { note: told } })
    // The teller, and the verifier where it is asked.
    expect(world.modelCalls - before).toBeLessThanOrEqual(2)
  })

  it('is stopped by a limit like the rest, which the answer says', async () => {
    const greedy: Node<Noted> = async (_state, context) => {
      const model = context.services.models.forRole('default')
      for (let call = 1; call <= 50; call++)
        await callModel(context, `model[${call}]`, model, { messages: [ask(context)] })
      return {}
    }
    const limits = { maxSteps: 20 }
    const answer = await appWith(withTeller(greedy)).papers(
      { query, sources: [source], fresh: true },
      { limits },
    )
    expect(answer).toMatchObject({ status: 'partial', stopReason: 'limit' })
    expect(answer.claims.length).toBeGreaterThan(0)
  })

  it.each<[string, Graphs, RegExp]>([
    [
      'stands behind the last',
      {
        papers: (graph) => insertNode(graph, { name: 'x', node: tell, after: 'finalize', fields }),
      },
      /must end with "finalize".*not with "x"/,
    ],
    [
      'ends the run',
      {
        papers: (graph) =>
          insertNode(graph, {
            name: 'x',
            node: tell,
            after: 'filter',
            edge: { targets: ['synthesizer', 'citation', end], route: () => end },
            fields,
          }),
      },
      /must end with "finalize"/,
    ],
    [
      'stands nowhere',
      { papers: (graph) => insertNode(graph, { name: 'x', node: tell, after: 'critic', fields }) },
      /at "critic", which is not a node of "papers": retriever, reader/,
    ],
  ])('is refused before there is a run where it %s', async (_what, graphs, text) => {
    const runs = (await appWith().listRuns()).length
    await expect(run(appWith(graphs))).rejects.toMatchObject({
      code: 'invalid_graph',
      message: expect.stringMatching(text),
    })
    expect(await appWith().listRuns()).toHaveLength(runs)
  })

  it('leaves a failed run where what takes the place of the last makes no result', async () => {
    const papers: Graphs['papers'] = (graph) => ({
      ...graph,
      nodes: { ...graph.nodes, finalize: async () => ({}) },
    })
    const answer = await run(appWith({ papers }))
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'invalid_graph' } })
  })
})
