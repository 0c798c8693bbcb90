// Puts a node of your own into "papers" (16-new-agent/summarizer.ts): what it adds is checked, traced and counted; the run is
// replayed with it, and refused without it; what fails in it ends nothing.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { withSummarizer } from './16-new-agent/summarizer.ts'
import { createWorld } from './16-new-agent/world.ts'

const { world, options, sources, close } = await createWorld()
const app = createApp({ ...options, graphs: { papers: withSummarizer } })
const request = { query: 'melting point of glimmerstone', sources }
const answer = await app.papers(request)
console.log(answer.answer)

// Each of its sentences has its verdict: the second one misstates its paper.
assert.deepEqual(
  answer.claims.slice(-2).map(({ verdict }) => verdict),
  ['verbatim', 'altered'],
)
// It has a span of its own, in which its call stands.
const spans = await Array.fromAsync(app.traces.spans(answer.runId))
assert.equal(spans.find(({ name }) => name === 'summarizer[1]')?.usage.modelCalls, 1)

assert.ok((await app.replay(answer.runId)).isIdentical)
const without = createApp(options)
await assert.rejects(without.replay(answer.runId), { code: 'run_incompatible' })

// What fails in it is told, and the run continues without it.
world.isBroken = true
const partial = await app.papers({ ...request, fresh: true })
assert.match(partial.errors[0] ?? '', /^summarizer: /)
await Promise.all([app.close(), without.close(), close()])
