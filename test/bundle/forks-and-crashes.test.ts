import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeThroughDraft } from '../../src/files/write-whole.ts'
import { resumeRun, startRun } from '../../src/kernel/index.ts'
import { findPlace, forkRun } from '../../src/kernel/run/fork.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { exportBundle } from '../../src/observe/bundle/export-bundle.ts'
import { type CrashPoint, FaultStore } from '../../src/testing/index.ts'
import { askSubject, Homes, retriedSubject } from '../faults/ask-subject.ts'
import { Runs } from '../kernel/runs.ts'
import { checkOf, faultTexts, OpenedBundle, verify } from './opened.ts'
import { bundleOf, conditions, makeSmallRun, smallWorkflow } from './small-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-bundle-'))
const homes = new Homes()
beforeAll(() => homes.prepare())
afterAll(async () => {
  await homes.remove()
  rmSync(folder, { recursive: true })
})

async function withRuns(work: (runs: Runs) => Promise<void>): Promise<void> {
  const runs = new Runs()
  await runs.open()
  try {
    await work(runs)
  } finally {
    await runs.close()
  }
}

describe('the bundle of a fork', () => {
  it('has the whole family’s events, and is sound', () =>
    withRuns(async (runs) => {
      await makeSmallRun(runs)
      for (const [parentId, at, runId] of [
        ['run', 'write[1]', 'child'],
        ['child', 'check[1]', 'grandchild'],
      ] as const) {
        const place = await findPlace(runs.store, parentId, at)
        await forkRun(
          smallWorkflow,
          { parentId, place, fields: {} },
          runId,
          runs.execution(conditions),
        )
      }
      const bytes = await bundleOf(runs, folder, { runId: 'grandchild' })
      const report = await verify(bytes)
      expect(faultTexts(report)).toBe('')
      expect(report).toMatchObject({
        isSound: true,
        run: { runId: 'grandchild', status: 'answered' },
      })
      expect(checkOf(report, 'log').detail).toMatch(/of 3 runs, one forked from another/)
      const { family } = JSON.parse(new OpenedBundle(bytes).text('manifest.json'))
      expect(family.map(({ runId }: { runId: string }) => runId)).toEqual([
        'run',
        'child',
        'grandchild',
      ])
    }))

  it('that begins before its parent’s own events is sound, and they are not in it', () =>
    withRuns(async (runs) => {
      await makeSmallRun(runs)
      for (const [parentId, at, runId] of [
        ['run', 'check[1]', 'child'],
        ['child', 'write[1]', 'grandchild'],
      ] as const) {
        const place = await findPlace(runs.store, parentId, at)
        const fork = { parentId, place, fields: {} }
        await forkRun(smallWorkflow, fork, runId, runs.execution(conditions))
      }
      const bytes = await bundleOf(runs, folder, { runId: 'grandchild' })
      const opened = new OpenedBundle(bytes)
      expect(opened.text('log.ndjson')).toContain('"parent":{"runId":"child"')
      const report = await verify(bytes)
      expect(faultTexts(report)).toBe('')
      expect(checkOf(report, 'log').detail).toMatch(/of 2 runs, one forked from another/)
      opened.editLines('log.ndjson', (line) =>
        line.type === 'run.forked'
          ? { ...line, data: { ...(line.data as object), parent: { runId: 'child', seq: 1 } } }
          : line,
      )
      const moved = faultTexts(await verify(await opened.bytes()))
      expect(moved).toMatch(/it belongs to run grandchild, which was not forked here/)
    }))

  it('whose parent is another one is refused', () =>
    withRuns(async (runs) => {
      await makeSmallRun(runs)
      const place = await findPlace(runs.store, 'run', 'write[1]')
      await forkRun(
        smallWorkflow,
        { parentId: 'run', place, fields: {} },
        'child',
        runs.execution(conditions),
      )
      const opened = new OpenedBundle(await bundleOf(runs, folder, { runId: 'child' }))
      opened.editLines('log.ndjson', (line) =>
        line.type === 'run.forked'
          ? { ...line, data: { ...(line.data as object), parent: { runId: 'run', seq: 1 } } }
          : line,
      )
      const report = await verify(await opened.bytes())
      expect(faultTexts(report)).toMatch(/it belongs to run child, which was not forked here/)
    }))
})

/** The report on what a store has of its one run, without the texts of sources. */
async function reportOn(store: RunStore) {
  const [{ runId } = { runId: '' }] = await store.list()
  const path = join(folder, 'crashed.scholium')
  const request = {
    store,
    runId,
    texts: 'full' as const,
    secrets: [],
    homes: [],
    workflows: new Map(),
    readSource: async () => undefined,
  }
  await writeThroughDraft(path, { draft: `${path}.draft` }, ({ fd: file }) =>
    exportBundle({ ...request, file }),
  )
  return verify(readFileSync(path))
}

describe('the bundle of a run that has no event yet', () => {
  it('is refused, and no file is written', () =>
    withRuns(async (runs) => {
      const run = { runId: 'run', workflow: 'small', title: '', createdAt: 1 }
      await runs.store.create(run, runs.execution().owner)
      mkdirSync(join(folder, 'none'))
      await expect(bundleOf(runs, join(folder, 'none'))).rejects.toMatchObject({
        code: 'invalid_input',
        message: 'The log of run run has no events yet.',
      })
      expect(readdirSync(join(folder, 'none'))).toEqual([])
    }))
})

describe('the bundle of a run whose process died', () => {
  it('at any event, before it continues and after, is sound', async () => {
    const unsound: string[] = []
    for (let event = 1; ; event++) {
      const point: CrashPoint = { event, when: event % 2 === 0 ? 'before' : 'after' }
      let isOver = false
      await withRuns(async (runs) => {
        const store = new FaultStore(runs.store, point)
        const input = { files: [] }
        await startRun(smallWorkflow, input, 'run', runs.execution({ ...conditions, store })).catch(
          () => undefined,
        )
        isOver = !store.isDead
        const events = await runs.events()
        if (events.length === 0) return
        for (const isResumed of [false, true]) {
          if (isResumed)
            await resumeRun(smallWorkflow, 'run', runs.execution(conditions)).catch(() => undefined)
          const report = await verify(await bundleOf(runs, folder))
          if (!report.isSound)
            unsound.push(`${event} ${point.when} ${isResumed}: ${faultTexts(report)}`)
        }
      })
      if (isOver) break
    }
    expect(unsound).toEqual([])
  })

  it.each(['extractive', 'scripted'] as const)(
    'while it asked (%s), and went on, is sound',
    async (driver) => {
      const unsound: string[] = []
      for (const event of [3, 8, 17, 24, 33, 41, 52]) {
        for (const when of ['before', 'after'] as const) {
          const trial = await askSubject(driver, homes).open()
          const store = new FaultStore(trial.store, { event, when })
          await trial.start(store).catch(() => undefined)
          const [{ runId } = { runId: '' }] = await trial.store.list()
          if (runId !== '') await trial.resume(new FaultStore(trial.store), runId)
          const report = await reportOn(trial.store)
          if (!report.isSound) unsound.push(`${event} ${when}: ${faultTexts(report)}`)
          await trial.close()
        }
      }
      expect(unsound).toEqual([])
    },
    120_000,
  )

  it('which failed and was tried again is sound', async () => {
    const trial = await retriedSubject(homes).open()
    const store = new FaultStore(trial.store)
    await trial.start(store)
    const report = await reportOn(trial.store)
    expect(faultTexts(report)).toBe('')
    await trial.close()
  })
})
