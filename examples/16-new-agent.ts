// Puts an agent of one's own into "papers" (16-new-agent/summarizer.ts), and tests it as a user's own test would: what it adds is
// checked, traced and counted; the run is replayed with it, and refused without it; what fails in it ends nothing.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, ScholiumError } from '../src/index.ts'
import { plainReply, startScriptedModel } from '../src/testing/index.ts'
import { withSummarizer } from './16-new-agent/summarizer.ts'

const home = mkdtempSync(join(tmpdir(), 'scholium-'))
const folder = join(home, 'papers-of-mine')
mkdirSync(folder)
for (const [name, degrees] of [
  ['harrowmere', '412'],
  ['westmoor', '430'],
])
  writeFileSync(
    join(folder, `${name}.md`),
    `# Glimmerstone from ${name}\n\n## Methods\n\nWe measured the melting point of glimmerstone in twelve samples with a calorimeter.\n\n## Results\n\nGlimmerstone from ${name} melts at ${degrees} degrees Celsius.\n\n## Conclusions\n\nWe conclude that glimmerstone from ${name} melts at ${degrees} degrees Celsius at sea level.\n`,
  )

// A model over HTTP that says what the script says; the built-in engine analyses and compares.
let isBroken = false
const server = await startScriptedModel((seen) => {
  if (!seen.system.startsWith('You write for readers')) return plainReply('verifier', seen)
  if (isBroken) return { text: 'No.' }
  return {
    json: {
      sentences: [
        'Glimmerstone from harrowmere melts at 412 degrees Celsius [1].',
        'Glimmerstone from westmoor melts at 999 degrees Celsius [2].',
      ],
    },
  }
})
const models = {
  default: 'openai-compatible:scripted',
  analyzer: 'extractive',
  synthesizer: 'extractive',
}
const prices = { 'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 4 } }
const options = { home, folder, models, prices, environment: { OPENAI_BASE_URL: server.url } }
const app = createApp({ ...options, graphs: { papers: withSummarizer } })
const without = createApp(options)
const request = { query: 'melting point of glimmerstone', sources: ['.'] }
try {
  const answer = await app.papers(request)
  console.log(answer.answer)

  // It ran, and each of its sentences has its verdict: the second one misstates its paper.
  const [right, wrong] = answer.claims.slice(-2)
  assert.equal(right?.verdict, 'verbatim')
  assert.equal(wrong?.verdict, 'altered')
  assert.deepEqual(Object.keys(answer.more ?? {}), ['readability'])

  // It has a span of its own, in which its call stands, and the call is counted.
  const spans = await Array.fromAsync(app.traces.spans(answer.runId))
  const span = spans.find(({ kind, name }) => kind === 'node' && name === 'summarizer[1]')
  const { modelCalls = 0, costUsd = 0 } = span?.usage ?? {}
  assert.equal(modelCalls, 1)
  assert.ok((costUsd ?? 0) > 0 && (answer.costUsd ?? 0) > (costUsd ?? 0))

  // It is replayed without a call, and by no app without it.
  assert.ok((await app.replay(answer.runId)).isIdentical)
  await assert.rejects(without.replay(answer.runId), (error: unknown) => {
    assert.ok(error instanceof ScholiumError && error.code === 'run_incompatible')
    console.log(error.message)
    return true
  })

  // What fails in it is told, and the run goes on without it.
  isBroken = true
  const partial = await app.papers({ ...request, fresh: true })
  assert.equal(partial.status, 'partial')
  assert.match(partial.errors[0] ?? '', /^summarizer: /)
  assert.match(partial.answer, /412 degrees/)
} finally {
  await app.close()
  await without.close()
  await server.close()
  rmSync(home, { recursive: true })
}
