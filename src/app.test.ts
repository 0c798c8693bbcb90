import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type App, type AskRequest, createApp } from './app.ts'
import { createQuickClock } from './testing/index.ts'

const opened: { app: App; folder: string }[] = []
afterEach(async () => {
  for (const { app, folder } of opened.splice(0)) {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** An app over a home of its own, in a folder with these files. */
function appWith(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-app-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const app = createApp({ home: join(folder, 'home'), folder, environment: {} })
  opened.push({ app, folder })
  return { app, folder }
}

const cats =
  '# Zibbelits\n\nThe zibbelit is a small bird that breeds on the cliffs of Harrowmere.\n'
const question = 'What is a zibbelit?'

describe('sources of one question', () => {
  it('that lead nowhere are gaps; what is left out on purpose is none', async () => {
    const { app, folder } = appWith({})
    const papers = join(folder, 'papers')
    mkdirSync(join(papers, 'node_modules'), { recursive: true })
    writeFileSync(join(papers, 'birds.md'), cats)
    writeFileSync(join(papers, '.hidden.md'), cats)
    symlinkSync(join(papers, 'birds.md'), join(papers, 'same.md'))
    symlinkSync('/nowhere/x.md', join(papers, 'dead.md'))
    const { status, gaps } = await app.ask({ question, sources: ['papers'] })
    expect(status).toBe('answered')
    expect(gaps).toEqual([
      {
        kind: 'unreadable_source',
        detail: 'Not read: a broken link.',
        source: join(papers, 'dead.md'),
      },
    ])
  })

  it('stay when their run is removed, and go by their path', async () => {
    const { app } = appWith({ 'birds.md': cats })
    const { runId, citations } = await app.ask({ question, sources: ['birds.md'] })
    expect(citations).toHaveLength(1)
    await app.removeRun(runId)
    expect(await app.removeFromLibrary('birds.md')).toBe(1)
  })
})

describe('removing from the library', () => {
  it('works for a file that is gone, by the path it had', async () => {
    const { app, folder } = appWith({ 'birds.md': cats })
    await Array.fromAsync(app.addToLibrary(['birds.md']))
    rmSync(join(folder, 'birds.md'))
    expect(await app.removeFromLibrary('birds.md')).toBe(1)
    expect(await app.listLibrary()).toEqual([])
  })
})

describe('retry limits', () => {
  it.each<Partial<AskRequest>>([
    { retryLimit: -1 },
    { retryLimit: 1.5 },
    { retryLimit: Number.NaN },
    { retryLimits: { expert: Infinity } },
  ])('%o is refused before a run begins', async (limits) => {
    const { app } = appWith({})
    await expect(app.ask({ question, ...limits })).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await app.listRuns()).toEqual([])
  })

  it('of one role are the run’s', async () => {
    const { app } = appWith({ 'birds.md': cats })
    const retryLimits = { planner: 3, expert: 2 }
    await app.ask({ question, sources: ['birds.md'], retryLimits })
    const [started] = await Array.fromAsync(app.events('last', { types: ['run.started'] }))
    expect(started?.output).toMatchObject({ retryLimits })
  })
})

describe('a dollar limit on a run that is resumed', () => {
  it('is refused where the price of a model is not known', async () => {
    const home = mkdtempSync(join(tmpdir(), 'scholium-app-'))
    const app = createApp({
      home,
      models: { default: 'openai-compatible:unpriced' },
      environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
      clock: createQuickClock(),
    })
    try {
      const { runId, status } = await app.ask({ question: 'What is CRISPR?' })
      expect(status).toBe('failed')
      const resuming = app.resume(runId, { limits: { maxCostUsd: 1 } })
      await expect(resuming).rejects.toMatchObject({ code: 'invalid_configuration' })
    } finally {
      await app.close()
      rmSync(home, { recursive: true })
    }
  })
})

describe('an app that was closed', () => {
  const closed = { code: 'store_failed', message: 'The log was closed.' }

  it('opens nothing again for what was asked of it just before', async () => {
    const { app, folder } = appWith({ 'birds.md': cats })
    const asked = Promise.allSettled([
      app.ask({ question, sources: ['birds.md'] }),
      app.resume('a'),
      app.replay('a'),
      app.exportRun('a'),
    ])
    await app.close()
    for (const outcome of await asked)
      expect(outcome).toMatchObject({ status: 'rejected', reason: closed })
    expect(existsSync(join(folder, 'home'))).toBe(false)
  })

  it('refuses what needs its stores', async () => {
    const { app } = appWith({})
    await app.close()
    await expect(app.listRuns()).rejects.toMatchObject(closed)
    await expect(app.listLibrary()).rejects.toMatchObject(closed)
    await expect(app.removeFromLibrary('birds.md')).rejects.toMatchObject(closed)
  })
})
