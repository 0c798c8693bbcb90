import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { webActions } from '../../src/agents/actions/tools/web-actions.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { systemClock } from '../../src/kernel/run/clock.ts'
import { createDocumentReader } from '../../src/sources/files/worker/document-reader.ts'
import { createWeb } from '../../src/sources/web/web.ts'
import { pageOf, startService } from '../web/services.ts'
import { useComposedWorld } from './composed/composed-world.ts'

const world = useComposedWorld()

const step = (thought: string, action: string, input: JsonObject) => ({
  json: { thought, action, action_input: input },
})

/** A site of one page, and `web.scrape` that may read it. */
async function openSite() {
  const site = await startService(() => ({
    body: pageOf(
      'Lumen Works',
      'Lumen Works was founded by Ada Quill in 1907 and makes lamps for lighthouses in the town of Harrowmere.',
      'It employs eighty people, most of whom have been there for longer than they care to say.',
    ),
  }))
  const reader = createDocumentReader()
  const web = createWeb({
    clock: systemClock,
    random: () => 0,
    userAgent: 'test',
    allowedOrigins: [site.origin],
    pace: { atOnce: 4, gapMs: 0 },
  })
  const access = { userAgent: 'test', baseUrls: {} }
  const sources = { pages: web, lookups: web, access, clock: systemClock, reader }
  return {
    origin: site.origin,
    actions: webActions({ web: () => sources }),
    close: () => Promise.all([site.close(), reader.close()]),
  }
}

describe('an agent file with reasoning', () => {
  it('reaches a research goal with web.scrape', async () => {
    const site = await openSite()
    try {
      world().moreActions = site.actions
      world().says(
        step('I read the page.', 'web.scrape', { url: `${site.origin}/about` }),
        step('It says so.', 'final_answer', { answer: 'Ada Quill founded it in 1907.' }),
      )
      const { result } = await world().run(
        `name: company-research
nodes:
  - name: research
    uses: reason.react
    with:
      goal: "Find company info: {{ state.company }}"
      tools: [web.scrape]
      max_steps: 5
    output: found
  - name: publish
    uses: core.return
    with: {value: "{{ state.found.final_answer }}"}`,
        { company: 'Lumen Works' },
      )
      expect(result).toMatchObject({ status: 'answered', output: 'Ada Quill founded it in 1907.' })
      const { steps } = result.state.found as { steps: readonly { observation: Json }[] }
      expect(JSON.stringify(steps[0]?.observation)).toContain('lamps for lighthouses')
      expect(world().requests[1]?.lastText).toContain('lamps for lighthouses')
    } finally {
      await site.close()
    }
  })

  it('improves code in two rounds and gives the critiques', async () => {
    const critique = (issue: string) => ({
      json: { issues_found: [issue], suggestions: ['mend it'], improvement_score: 0.5 },
    })
    world().says(
      { text: 'fn rev() {}' },
      critique('it does nothing'),
      { text: 'fn rev(s: &str) -> String { s.bytes() }' },
      critique('bytes break characters'),
      { text: 'fn rev(s: &str) -> String { s.chars().rev().collect() }' },
    )
    const { result } = await world().run(
      `name: coder
nodes:
  - name: code
    uses: reason.self_correct
    with: {task: "{{ state.coding_task }}", improvement_rounds: 2}
    output: {code: "{{ result.output }}", history: "{{ result.improvement_history }}"}`,
      { coding_task: 'Write Rust function to reverse string' },
    )
    expect(result.state.code).toContain('chars().rev()')
    expect(result.state.history).toMatchObject([
      { round: 1, issues_found: ['it does nothing'], output: 'fn rev() {}' },
      { round: 2, issues_found: ['bytes break characters'] },
    ])
  })

  it('solves a problem in parts and combines the answers', async () => {
    world().answers(({ system, lastText }) => {
      if (system.startsWith('You are given'))
        return { json: { final_answer: 30, reasoning: 'sum' } }
      if (lastText.includes('whole_problem')) return { json: { answer: 15, reasoning: 'half' } }
      const parts = ['the first half', 'the second half']
      return { json: { sub_problems: parts } }
    })
    const { result } = await world().run(
      `name: solver
nodes:
  - name: solve
    action: reason.decompose
    params: {problem: "{{ state.problem }}", max_depth: 1}
    output: solution
  - name: say
    uses: state.set
    with: {answer: "{{ state.solution.final_answer }}", parts: "{{ state.solution.sub_answers | length }}"}`,
      { problem: 'A long sum.' },
    )
    expect(result.state).toMatchObject({ answer: 30, parts: 2 })
  })

  it('leaves its trace in a file of the workspace', async () => {
    world().says(
      step('upper\u0000', 'word.upper', { text: 'a' }),
      step('count', 'word.count', { text: 'abc' }),
      step('done', 'finish', { answer: '3\u0000' }),
    )
    const { result } = await world().run(`name: traced
nodes:
  - name: n
    uses: reason.react
    with: {goal: g, tools: [word.upper, word.count], trace_file: traces/react.ndjson}
    output: r`)
    const text = readFileSync(join(world().workspace, 'traces', 'react.ndjson'), 'utf8')
    expect(text).not.toContain('\u0000')
    expect(text.endsWith('\n')).toBe(true)
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonObject)
    expect(lines).toMatchObject([
      { step: 1, kind: 'act', action: 'word.upper', observation: 'A' },
      { step: 2, action: 'word.count', observation: '3' },
      { step: 3, action: 'finish' },
    ])
    expect(result.state.r).toMatchObject({ trace_file: 'traces/react.ndjson' })
  })

  it('writes no trace outside of the workspace, and goes on', async () => {
    world().says({ json: { thinking: 't', answer: 'a' } })
    const { r } = await world().state('reason.cot', { problem: 'p', trace_file: '../trace.ndjson' })
    expect(r).toMatchObject({
      answer: 'a',
      trace_file_error: expect.stringContaining('outside the workspace'),
    })
  })

  it('uses three registered tools in one loop', async () => {
    world().says(
      step('one', 'word.upper', { text: 'a' }),
      step('two', 'word.count', { text: 'bb' }),
      step('three', 'page.read', { text: 'owls' }),
      step('done', 'answer', { answer: 'all' }),
    )
    const { r } = await world().state('reason.react', {
      goal: 'Use all.',
      tools: ['word.upper', 'word.count', 'page.read'],
    })
    expect(r).toMatchObject({ final_answer: 'all', total_steps: 4 })
    expect(world().called).toEqual(['word.upper a', 'word.count bb', 'page.read owls'])
  })

  it('runs with chain of thought to its end, by the result', async () => {
    const text = `name: demo
state_schema: {q: str, a: str}
variables: {model: "openai-compatible:thinker"}
nodes:
  - name: think
    uses: reason.cot
    with: {problem: "{{ state.q }}", model: "{{ variables.model }}"}
    output: r
    goto:
      - {if: "state.r.success == false", to: __end__}
      - {to: publish}
  - name: publish
    uses: state.set
    with: {a: "{{ state.r.answer }}"}
edges:
  - {from: __start__, to: think}
  - {from: publish, to: __end__}`
    world().says({ json: { thinking: 'Six times seven.', answer: '42' } })
    const done = await world().run(text, { q: 'What is 6 × 7?' })
    expect(done.result).toMatchObject({ status: 'answered', state: { a: '42' } })
    world().answers(() => ({ text: 'no form at all' }))
    const failed = await world().run(text, { q: 'What is 6 × 7?' })
    expect(failed.result.state).toMatchObject({ r: { success: false } })
    expect(failed.result.state).not.toHaveProperty('a')
  })

  it('runs without reasoning where it is switched off, and says what a file with it would need', async () => {
    const options = { features: { reasoning: false } }
    const plain = 'name: plain\nnodes:\n  - {name: n, uses: llm.call, with: {prompt: Q}, output: r}'
    const { result } = await world().run(plain, {}, { options })
    expect(result).toMatchObject({ status: 'answered', state: { r: { content: 'hello' } } })
    const reasoning = 'name: x\nnodes:\n  - {name: n, uses: reason.cot, with: {problem: p}}'
    await expect(world().parse(reasoning, options)).rejects.toThrow('the feature reasoning')
  })
})
