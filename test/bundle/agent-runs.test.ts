import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rebuildAgentResult } from '../../src/app/agents/rebuild-agent-result.ts'
import { packageVersion } from '../../src/app/version.ts'
import { bundledWorkflows } from '../../src/app/workflows/workflow-registry.ts'
import { createApp, verifyBundle } from '../../src/app.ts'
import { canonicalJson, type JsonObject } from '../../src/kernel/json.ts'
import type { RunEvent } from '../../src/kernel/run/event.ts'
import { memberText } from '../../src/observe/bundle/canonical.ts'
import { deriveAnswer, derivedMembers, RunFacts } from '../../src/observe/bundle/run-facts.ts'
import { loadDocument, newWorld, runDocument, testParts } from '../agents/run-document.ts'
import { checkOf, faultTexts, OpenedBundle, verify } from './opened.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-agent-bundle-'))
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return name
}
let answered: Buffer = Buffer.alloc(0)
beforeAll(async () => {
  const words = file(
    'words.yaml',
    `name: words
nodes:
  - name: each
    type: dynamic_parallel
    items: "{{ state.words }}"
    fan_in: all
    steps: [{name: length, uses: state.set, with: {length: "{{ item | length }}"}}]
  - {name: all, fan_in: true, uses: state.set, with: {n: "{{ parallel_results | length }}"}}
  - {name: fails, run: {type: expression, value: state.n / state.zero, output_key: q}}
  - {name: end, uses: core.return, with: {value: "{{ state.n }}"}}
`,
  )
  const app = createApp({ home: join(folder, 'home'), folder, environment: {} })
  const values = { words: ['a', 'bc'] }
  const runs = {
    'answered.scholium': await app.runAgent(words, { ...values, zero: 1 }),
    'failed.scholium': await app.runAgent(words, { ...values, zero: 0 }),
    'forked.scholium': (
      await app.fork('last', { at: 'fails[1]', changes: [{ path: 'zero', value: 2 }] })
    ).answer,
  }
  for (const [target, { runId }] of Object.entries(runs))
    await app.exportRun(runId, { file: target })
  await app.close()
  answered = readFileSync(join(folder, 'answered.scholium'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** The bundle with another result in the log, and all that follows from it made right. */
async function forged(change: (output: JsonObject) => JsonObject): Promise<Uint8Array> {
  const opened = new OpenedBundle(answered)
  const events: RunEvent[] = []
  opened.editLines('log.ndjson', (line) => {
    const isEnd = line.type === 'run.finished'
    const event = isEnd ? { ...line, output: change(line.output as JsonObject) } : line
    events.push(event as unknown as RunEvent)
    return event
  })
  const facts = new RunFacts(bundledWorkflows)
  for (const event of events) facts.record(event)
  const all = (async function* () {
    yield* events
  })()
  for (const [name, value] of Object.entries(derivedMembers(facts, await deriveAnswer(facts, all))))
    opened.texts.set(name, memberText(value))
  return opened.bytes()
}

describe('a bundle of the run of an agent file', () => {
  it.each(['answered', 'failed', 'forked'])(
    'is sound when it %s, its result drawn again',
    async (name) => {
      const report = await verifyBundle(join(folder, `${name}.scholium`))
      expect(faultTexts(report)).toBe('')
      const open = report.checks.filter(({ outcome }) => outcome !== 'passed')
      expect(open.map((check) => check.name)).toEqual(['origin'])
      expect(checkOf(report, 'result').detail).toContain('agent, state, output')
    },
  )

  it.each([
    ['output', (result: JsonObject) => ({ ...result, output: 3 })],
    [
      'state',
      (result: JsonObject) => ({ ...result, state: { ...(result.state as JsonObject), n: 3 } }),
    ],
    ['agent', (result: JsonObject) => ({ ...result, agent: 'other' })],
    ['gaps', (result: JsonObject) => ({ ...result, gaps: [{ kind: 'error', detail: 'x' }] })],
  ])('with another %s is found out, all hashes made right', async (field, change) => {
    const report = await verify(await forged(change), { packageVersion })
    expect(checkOf(report, 'result').outcome).toBe('failed')
    expect(faultTexts(report)).toContain(`its ${field} does not match the log`)
    const untouched = await verify(await forged((result) => result), { packageVersion })
    expect(checkOf(untouched, 'result').outcome).toBe('passed')
  })
})

const documents = readdirSync(fileURLToPath(new URL('../agents/documents/', import.meta.url)))

it.each(
  // A run that waits has no result.
  documents.filter((name) => name.endsWith('.yaml') && name !== 'interrupt.yaml'),
)('the result of %s is what the ends of its nodes say', async (name) => {
  const document = await loadDocument(name.replace('.yaml', ''))
  const { events, result } = await runDocument(document, { n: 1 }, testParts(newWorld()))
  const all = (async function* () {
    yield* events
  })()
  const said = result as unknown as JsonObject
  const { recorded, problems } = await rebuildAgentResult(all, said)
  expect(problems).toEqual([])
  for (const [field, value] of Object.entries(recorded))
    expect([field, canonicalJson(value ?? null)]).toEqual([
      field,
      canonicalJson(said[field] ?? null),
    ])
})
