import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppOptions, createApp, verifyBundle } from '../../src/index.ts'
import {
  findRole,
  type ScriptedModel,
  scriptTeam,
  startScriptedModel,
} from '../../src/testing/index.ts'

/** A PNG of one point. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const folder = mkdtempSync(join(tmpdir(), 'scholium-pictures-'))
const picture = join(folder, 'chart.png')
const said = 'The chart rises from 12 to 36 [1].'
let model: ScriptedModel
let count = 0
beforeAll(async () => {
  writeFileSync(picture, png)
  const script = scriptTeam({
    researcher: { json: { result: said } },
    finalizer: { json: { final_answer: said, final_reasoning_trace: 'Looked at the picture.' } },
  })
  model = await startScriptedModel(script)
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true })
})

const name = 'openai-compatible:scripted'

async function ask(models: AppOptions['models'], sources = [picture]) {
  const before = model.requests.length
  const home = join(folder, `home-${++count}`)
  const app = createApp({
    home,
    environment: { OPENAI_BASE_URL: model.url },
    ...(models === undefined ? {} : { models }),
    python: { enabled: false },
  })
  const answer = await app.ask({ question: 'How does the chart go?', sources, depth: 'thorough' })
  const events = await Array.fromAsync(app.events(answer.runId))
  const bundle = await app.exportRun(answer.runId, { file: join(home, 'run.scholium') })
  await app.close()
  const requests = model.requests.slice(before)
  const bodyOf = (role: string) =>
    JSON.stringify(requests.find((seen) => findRole(seen) === role)?.body ?? '')
  return { home, answer, events, bundle, bodyOf }
}

const part = `{"type":"image_url","image_url":{"url":"data:image/png;base64,${png.toString('base64')}"}}`

describe('a picture among the sources', () => {
  it('is shown to the models that take pictures, under its number, and its claims are said to need eyes', async () => {
    const { home, answer, bundle, bodyOf } = await ask({ default: { name, vision: true } })
    for (const role of ['researcher', 'expert', 'critic_researcher', 'critic_expert'])
      expect(bodyOf(role), role).toContain(part)
    for (const role of ['planner', 'critic_planner', 'finalizer'])
      expect(bodyOf(role), role).not.toContain('image_url')
    expect(bodyOf('researcher')).toContain('[1] chart.png')
    expect(answer).toMatchObject({
      status: 'answered',
      answer: said,
      gaps: [],
      citations: [{ n: 1, title: 'chart', path: picture }],
      claims: [{ verdict: 'unchecked', reason: expect.stringContaining('based on an image') }],
    })
    rmSync(picture)
    const offline = createApp({ home, environment: {} })
    expect(await offline.replay(answer.runId)).toMatchObject({ isIdentical: true })
    await offline.close()
    writeFileSync(picture, png)
    expect(await verifyBundle(bundle.path)).toMatchObject({ isSound: true })
  }, 60_000)

  it('is reserved for by its size, not by its bytes', async () => {
    const large = join(folder, 'large.png')
    // What stands behind the end of a PNG is not looked at.
    writeFileSync(large, Buffer.concat([png, Buffer.alloc(600_000, 7)]))
    const { events } = await ask({ default: { name, vision: true } }, [large])
    const tokens = events
      .filter((event) => event.type === 'step.started')
      .filter(({ key }) => /researcher.*model$/.test(key))
      .map(({ data }) => data.reservation?.tokens ?? 0)
    expect(tokens[0]).toBeGreaterThan(6_404)
    expect(tokens[0]).toBeLessThan(40_000)
  }, 60_000)

  it.each<[string, AppOptions['models'], string]>([
    ['a model that is not known to accept images', { default: name }, name],
    ['the built-in engine', undefined, 'extractive'],
  ])('is read by its metadata alone by %s, which is a gap', async (_what, models, named) => {
    const { answer, bodyOf } = await ask(models)
    expect(bodyOf('researcher')).not.toContain('image_url')
    expect(answer.gaps.find(({ kind }) => kind === 'image_not_read')?.detail).toContain(
      `only the metadata was read, since ${named} is not known to accept images`,
    )
  })

  it('is left where its file is cut off, and that is reported', async () => {
    const half = join(folder, 'half.png')
    writeFileSync(half, png.subarray(0, png.length - 12))
    const { answer, bodyOf } = await ask({ default: { name, vision: true } }, [half])
    expect(bodyOf('researcher')).not.toContain('image_url')
    expect(answer.gaps).toContainEqual(
      expect.objectContaining({
        kind: 'image_not_read',
        source: 'half.png',
        detail: expect.stringContaining('the file is truncated'),
      }),
    )
  })

  it('is left where it is too large, and that is reported', async () => {
    const huge = join(folder, 'huge.png')
    writeFileSync(huge, Buffer.concat([png, Buffer.alloc(5_000_000, 7)]))
    const { answer } = await ask({ default: { name, vision: true } }, [huge])
    expect(answer.gaps).toContainEqual(
      expect.objectContaining({ kind: 'image_not_read', source: 'huge.png' }),
    )
  })
})
