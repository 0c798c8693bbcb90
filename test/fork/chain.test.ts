import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf, linesOf, thorough } from '../cli/command.ts'

const question = 'What does CRISPR stand for?'
const ownStep = 'What is the role of Cas9?'
const otherQuestion = 'Who invented CRISPR?'

/** A run of the chain, and what has to be found of it wherever one looks. */
interface Link {
  readonly name: string
  readonly question: string
  /** Where its state is looked at, and what of it is known. */
  readonly at: string
  readonly state: object
  /** The links whose spans are its own past. */
  readonly parent?: string
}

const links: readonly Link[] = [
  {
    name: 'run',
    question,
    at: 'expert[1]',
    state: { question: { text: question }, research: { index: 1, results: [expect.anything()] } },
  },
  {
    name: 'fork',
    question,
    at: 'researcher[1]',
    state: {
      question: { text: question },
      plan: { researchSteps: [ownStep] },
      research: { index: 0 },
    },
    parent: 'run',
  },
  {
    name: 'fork of the fork',
    question: otherQuestion,
    at: 'critic[1]',
    // It leaves before the place where its parent changed the plan.
    state: {
      question: { text: otherQuestion },
      plan: { researchSteps: [question] },
      research: { index: -1 },
    },
    parent: 'fork',
  },
]

describe.each(['extractive', 'openai-compatible:scripted'])('with %s', (model) => {
  const cli = new CommandLine(thorough)
  const ids = new Map<string, string>()
  const answers = new Map<string, object>()
  let server: ScriptedModel
  let requests = 0

  const scholium = (...args: string[]) => {
    const env = { OPENAI_BASE_URL: server.url }
    return cli.run(args, { env })
  }
  const keep = async (name: string, ...args: string[]) => {
    const outcome = await scholium(...args, '--json')
    expect(outcome.exitCode).toBe(0)
    const answer = jsonOf(outcome)
    ids.set(name, answer.runId)
    answers.set(name, answer)
    return answer
  }
  const idOf = (name: string) => ids.get(name) ?? ''

  beforeAll(async () => {
    const team = scriptTeam()
    server = await startScriptedModel((seen) => {
      requests++
      return team(seen)
    })
    const models = model === 'extractive' ? [] : ['--model', model]
    await keep('run', 'ask', question, ...models)
    const set = `plan.researchSteps=["${ownStep}"]`
    await keep('fork', 'fork', idOf('run'), '--at', 'researcher[1]', '--set', set)
    const asking = ['--at', 'critic[1]', '--question', otherQuestion]
    await keep('fork of the fork', 'fork', idOf('fork'), ...asking)
    requests = 0
  })
  afterAll(async () => {
    cli.remove()
    await server.close()
  })

  describe.each(links)('the $name', ({ name, question: own, at, state, parent }) => {
    const file = `${name.replaceAll(' ', '-')}`

    it('is titled with its question, which its answer has', async () => {
      const shown = jsonOf(await scholium('runs', 'show', idOf(name), '--json'))
      expect(shown).toMatchObject({ title: own, answer: { question: own } })
      expect(shown.parent?.runId).toBe(parent && idOf(parent))
      expect(shown.answer).toEqual(answers.get(name))
    })

    it('has its state at its place', async () => {
      const args = ['runs', 'show', idOf(name), '--state', '--at', at, '--json']
      expect(jsonOf(await scholium(...args)).state).toMatchObject(state)
    })

    it('has a log without a gap, of which it shows the part up to its place', async () => {
      const events = linesOf(await scholium('runs', 'show', idOf(name), '--events'))
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
      expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
      const shown = jsonOf(await scholium('runs', 'show', idOf(name), '--at', at, '--json'))
      const part = linesOf(await scholium('runs', 'show', idOf(name), '--at', at, '--events'))
      expect(part).toEqual(events.slice(0, shown.upTo.seq))
    })

    it('is exported, and sound', async () => {
      const { exitCode } = await scholium('export', idOf(name), `${file}.scholium`)
      expect(exitCode).toBe(0)
      expect(await scholium('verify', `${file}.scholium`)).toMatchObject({ exitCode: 0 })
    })

    it('is replayed to the same answer, without a call', async () => {
      const replayed = jsonOf(await scholium('replay', idOf(name), '--json'))
      expect(replayed).toMatchObject({ isIdentical: true, unclaimed: [], differences: [] })
      expect(replayed.answer).toEqual(answers.get(name))
      expect(requests).toBe(0)
    })

    it('is one trace with one root', async () => {
      const shown = jsonOf(await scholium('trace', 'show', idOf(name), '--json'))
      expect(shown.spans).toHaveLength(1)
      expect(shown.title).toBe(own)
      const drawn = await scholium('trace', 'show', idOf(name))
      expect(drawn.stdout.split('\n')[0]).toBe(own)
      expect(await scholium('trace', 'export', idOf(name), `${file}.json`)).toMatchObject({
        exitCode: 0,
      })
      const traces = JSON.parse(readFileSync(join(cli.folder, `${file}.json`), 'utf8'))
      expect(traces).toHaveLength(1)
      expect(traces[0]).toMatchObject({ runId: idOf(name), title: own, status: 'answered' })
      const spans: { readonly spanId: string; readonly parentId: string | null }[] = traces[0].spans
      const roots = spans.filter(({ parentId }) => parentId === null)
      expect(roots).toHaveLength(1)
      const known = new Set(spans.map(({ spanId }) => spanId))
      expect(known.size).toBe(spans.length)
      for (const { parentId } of spans) expect(parentId === null || known.has(parentId)).toBe(true)
    })
  })

  it('is listed as a family, newest family first', async () => {
    const { stdout } = await scholium('runs', 'list')
    const drawn = stdout.split('\n').slice(1, 4)
    expect(drawn[0]).toMatch(new RegExp(`^${idOf('run')} .* ${question.replace('?', '\\?')}$`))
    expect(drawn[1]).toMatch(new RegExp(`^└ ${idOf('fork')} `))
    expect(drawn[2]).toMatch(new RegExp(`^  └ ${idOf('fork of the fork')} .*Who invented`))
  })
})
