import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { currentOwner } from '../../stores/process-owner.ts'
import { openRunStore } from '../../stores/sqlite/run-store.ts'
import { findRunId } from './run-id.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-run-id-'))
const store = openRunStore(join(folder, 'runs.db'))
const ids = ['20261120-aaaaaa', '20261120-aabbbb', '20261121-cccccc']
beforeAll(async () => {
  for (const [createdAt, runId] of ids.entries())
    await store.create({ runId, workflow: 'ask', title: 't', createdAt }, currentOwner())
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** The same store with so many runs that its list does not show the older ones. */
const long = new Proxy(store, {
  get: (target, name) =>
    name === 'list'
      ? async () => (await target.list({ limit: 1 })).slice()
      : Reflect.get(target, name).bind(target),
}) as RunStore

describe('findRunId', () => {
  it.each([
    ['last', '20261121-cccccc'],
    ['20261121', '20261121-cccccc'],
    ['aabbbb', '20261120-aabbbb'],
    ['aab', '20261120-aabbbb'],
    ['20261120-aaaaaa', '20261120-aaaaaa'],
  ])('%s is %s', async (given, runId) => {
    expect(await findRunId(store, given)).toBe(runId)
  })

  it('finds a whole id that no list shows any more', async () => {
    expect(await findRunId(long, '20261120-aaaaaa')).toBe('20261120-aaaaaa')
  })

  it.each([
    ['20261120', 'invalid_input'],
    ['aa', 'invalid_input'],
    ['abb', 'run_not_found'],
    ['zzzzzz', 'run_not_found'],
    ['', 'run_not_found'],
  ])('refuses "%s" as %s', async (given, code) => {
    await expect(findRunId(store, given)).rejects.toMatchObject({ code })
  })
})
