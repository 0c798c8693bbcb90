/*
 * Appends to a new run until it is killed, and writes the last sequence number of each append to stdout once it is
 * acknowledged: node run-store-appender.ts MODULE PLACE RUN
 */
import { writeSync } from 'node:fs'
import type { OpenRunStore } from './run-store-fixture.ts'

const [module = '', place = '', runId = ''] = process.argv.slice(2)
const { currentOwner } = await import('../../src/stores/process-owner.ts')
const { openRunStore } = (await import(module)) as { openRunStore: OpenRunStore }
const store = await openRunStore(place)
const lease = await store.create(
  { runId, workflow: 'ask', title: '', createdAt: 1 },
  currentOwner(),
)
for (let turn = 1; ; turn++) {
  const [small, large] = [`small-${turn}-`, `large-${turn}-`]
  const data = { level: 'info', component: '', text: '' } as const
  const event = { type: 'notice', data, ts: turn } as const
  const events = [
    { ...event, key: small, output: small.repeat(10) },
    { ...event, key: large, output: large.repeat(4_000) },
  ]
  const blobs = [{ hash: large as never, text: large }]
  const stored = await store.append(lease, events, blobs, turn % 3 === 0 ? 'full' : 'normal')
  writeSync(1, `${stored.at(-1)?.seq}\n`)
}
