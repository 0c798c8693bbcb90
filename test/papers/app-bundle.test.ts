import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/app/version.ts'
import { bundledWorkflows } from '../../src/app/workflows/workflow-registry.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { RunEvent } from '../../src/kernel/run/event.ts'
import { memberText } from '../../src/observe/bundle/canonical.ts'
import { deriveAnswer, derivedMembers, RunFacts } from '../../src/observe/bundle/run-facts.ts'
import { failed, faultTexts, OpenedBundle, verify } from '../bundle/opened.ts'
import { AppWorld } from './app-world.ts'

let world: AppWorld
let bundle: Buffer
beforeAll(async () => {
  world = await AppWorld.start()
  const app = world.app()
  const { runId } = await app.papers({
    query: 'sparse attention memory',
    sources: [world.pdfs('pdfs', 3)],
  })
  const file = join(world.folder, 'papers.scholium')
  await app.exportRun(runId, { file })
  bundle = readFileSync(file)
})
afterAll(() => world.close())

const options = {
  packageVersion,
}

/** A bundle in which every object of the log has become another, with all that is drawn from it drawn anew. */
async function forged(change: (value: JsonObject) => JsonObject): Promise<Buffer> {
  const opened = new OpenedBundle(bundle)
  opened.editLines('log.ndjson', (line) =>
    line.type === 'node.done' || line.type === 'run.finished'
      ? (mapped(line, change) as JsonObject)
      : line,
  )
  const lines = opened.text('log.ndjson').trimEnd().split('\n')
  const all = lines.map((text) => JSON.parse(text) as RunEvent)
  const facts = new RunFacts(bundledWorkflows)
  for (const event of all) facts.record(event)
  async function* events() {
    yield* all
  }
  const drawn = derivedMembers(facts, await deriveAnswer(facts, events()))
  for (const [name, value] of Object.entries(drawn)) opened.texts.set(name, memberText(value))
  return opened.bytes()
}

function mapped(value: Json, change: (value: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, one]) => [name, mapped(one as Json, change)])
  return change(Object.fromEntries(members) as JsonObject)
}

const isFinding = ({ verdict, evidence, text }: JsonObject) =>
  verdict !== undefined && evidence !== undefined && typeof text === 'string'
const isStance = ({ stance }: JsonObject) => stance !== undefined
const isEvidence = ({ passageId, quote }: JsonObject) =>
  passageId !== undefined && quote !== undefined

describe('the bundle of a synthesis of papers', () => {
  it('is sound as it was written, and complete', async () => {
    const report = await verify(await forged((value) => value), options)
    expect(faultTexts(report)).toBe('')
    expect(report).toMatchObject({ isSound: true, isComplete: true })
  })

  it.each<[string, (value: JsonObject) => JsonObject, string]>([
    [
      'findings say another number than their pages',
      (value) =>
        isFinding(value)
          ? { ...value, text: String(value.text).replace('52 percent', '99 percent') }
          : value,
      'verdicts',
    ],
    [
      'a point says more than its pages',
      (value) =>
        value.point === undefined
          ? value
          : { ...value, point: 'Sparse attention triples memory use.' },
      'verdicts',
    ],
    [
      'quotes are other words',
      (value) => (isEvidence(value) ? { ...value, quote: `${value.quote} not` } : value),
      'quotes',
    ],
    [
      'a page is another one',
      (value) => (isEvidence(value) ? { ...value, page: Number(value.page) + 1 } : value),
      'quotes',
    ],
    [
      'stances are of other papers',
      (value) => (isStance(value) ? { ...value, n: 3, judge: 'a model' } : value),
      'verdicts',
    ],
    [
      'verdicts are better than they were',
      (value) => (isStance(value) ? { ...value, verdict: 'supported' } : value),
      'verdicts',
    ],
  ])('is refused where %s', async (_, change, check) => {
    const report = await verify(await forged(change), options)
    expect(failed(report)).toContain(check)
  })

  it.each<[string, (value: JsonObject) => JsonObject]>([
    [
      'a point is left out',
      (value) => (Array.isArray(value.consensus) ? { ...value, consensus: [] } : value),
    ],
    [
      'a paper has another title',
      (value) => (Array.isArray(value.foundBy) ? { ...value, title: 'Another' } : value),
    ],
    [
      'the status is better',
      (value) => (value.stopReason ? { ...value, stopReason: 'gaps' } : value),
    ],
  ])('is refused where in its result alone %s', async (_, change) => {
    const opened = new OpenedBundle(bundle)
    const made = await forged((value) =>
      value.coverageOfPoints === undefined ? value : (mapped(value, change) as JsonObject),
    )
    expect(opened.text('log.ndjson')).not.toBe(new OpenedBundle(made).text('log.ndjson'))
    expect(failed(await verify(made, options))).toContain('result')
  })
})
