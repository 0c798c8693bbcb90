import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type App, createApp } from '../../src/index.ts'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'

const question = 'What is glimmerstone?'
const page =
  '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n'

const folder = mkdtempSync(join(tmpdir(), 'scholium-replay-'))
const opened: App[] = []
let model: ScriptedModel
let copies = 0

/** An app over a home that nobody set models for. */
function open(home: string, options: Parameters<typeof createApp>[0] = {}): App {
  const app = createApp({ home, environment: {}, ...options })
  opened.push(app)
  return app
}

const driven = () => ({
  models: { default: 'openai-compatible:scripted' },
  environment: { OPENAI_BASE_URL: model.url },
})
const answers: Partial<Record<'extractive' | 'scripted', Answer>> = {}
const drivers = ['extractive', 'scripted'] as const

beforeAll(async () => {
  model = await startScriptedModel(scriptTeam())
  for (const driver of drivers) {
    const home = join(folder, driver)
    mkdirSync(home)
    writeFileSync(join(home, 'glimmerstone.md'), page)
    const app = open(home, driver === 'scripted' ? driven() : {})
    await Array.fromAsync(app.addToLibrary([join(home, 'glimmerstone.md')]))
    answers[driver] = await app.ask({ question, depth: 'thorough' })
    await app.close()
  }
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true })
})

/** A copy of a home in which the log was altered. */
function altered(driver: (typeof drivers)[number], alter: (db: DatabaseSync) => void): string {
  const copy = join(folder, `copy-${++copies}`)
  cpSync(join(folder, driver), copy, { recursive: true })
  const db = new DatabaseSync(join(copy, 'runs.db'))
  alter(db)
  db.close()
  return copy
}

/** Says something else wherever the run had read a passage. */
function changePassages(db: DatabaseSync): void {
  const read = "type = 'step.done' AND (key LIKE '%/call' OR key LIKE '%/evidence')"
  const changed = db
    .prepare(
      `UPDATE events SET output = replace(output, '412 degrees', '512 degrees') WHERE ${read}`,
    )
    .run()
  expect(changed.changes).toBeGreaterThan(1)
}

describe.each(drivers)('the replay of a run (%s)', (driver) => {
  it('gives the same answer, and asks no model', async () => {
    const before = model.requests.length
    const report = await open(join(folder, driver)).replay('last')
    expect(report).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect(report.answer).toEqual(answers[driver])
    expect(report.answer).toMatchObject({ answer: expect.stringContaining('412') })
    expect(report.steps).toBeGreaterThan(8)
    expect(model.requests).toHaveLength(before)
  })

  it('needs neither the files nor the library', async () => {
    const copy = altered(driver, () => undefined)
    for (const name of ['glimmerstone.md', 'library.db']) rmSync(join(copy, name))
    expect(await open(copy).replay('last')).toMatchObject({ isIdentical: true })
  })

  it('names a step that is not there', async () => {
    const keys: string[] = []
    altered(driver, (db) => {
      const rows = db.prepare("SELECT key FROM events WHERE type = 'step.done' ORDER BY seq").all()
      keys.push(...rows.map(({ key }) => String(key)))
    })
    expect(keys.length).toBeGreaterThan(8)
    for (const key of keys) {
      const copy = altered(driver, (db) => {
        db.prepare("DELETE FROM events WHERE key = ? AND type LIKE 'step.%'").run(key)
      })
      await expect(open(copy).replay('last')).rejects.toMatchObject({
        code: 'step_missing',
        message: expect.stringContaining(`"${key}"`),
      })
    }
  })

  it('names a step whose end is not there', async () => {
    const copy = altered(driver, (db) => {
      db.exec("DELETE FROM events WHERE key LIKE '%search_library/call' AND type = 'step.done'")
    })
    await expect(open(copy).replay('last')).rejects.toMatchObject({
      code: 'step_missing',
      message: expect.stringContaining('search_library/call'),
    })
  })
})

describe('the replay of a run in which a recorded passage was changed', () => {
  it('gives another answer where it is computed from the passage', async () => {
    const report = await open(altered('extractive', changePassages)).replay('last')
    expect(report.isIdentical).toBe(false)
    expect(report).toMatchObject({
      recorded: { answer: expect.stringContaining('412') },
      answer: { answer: expect.stringContaining('512'), claims: [{ verdict: 'verbatim' }] },
    })
  })

  it('names the first step that was asked something else, and shows the difference', async () => {
    const replay = open(altered('scripted', changePassages)).replay('last')
    await expect(replay).rejects.toMatchObject({
      code: 'step_changed',
      details: { key: 'ask/researcher[1]/converse[1]/react/2/model' },
    })
    await expect(replay).rejects.toThrow(/researcher\[1\].*Recorded: ….*… Now: …/s)
  })
})

describe('a recorded run with another model', () => {
  it('is another run: the first step that asks it is named', async () => {
    const models = { default: 'openai-compatible:other' }
    const app = open(join(folder, 'scripted'), { ...driven(), models })
    await expect(app.replay('last')).rejects.toMatchObject({
      code: 'step_changed',
      message: expect.stringMatching(/ask\/planner\[1\]\/model.*scripted.*other/s),
    })
  })
})
