/*
 * One process that starts or resumes a run and writes a line to stdout for each event once it is stored, then the result:
 * node killed-child.ts SUBJECT HOME URL [--resume] [--pause-after N]
 *
 * With --pause-after it stands still inside of the N-th event's announcement, so that a signal finds it exactly there.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp, type LiveEvent } from '../../src/index.ts'
import { resumeRun, startRun } from '../../src/kernel/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { appOptions, type Driver, requestOf } from './ask-subject.ts'
import { postExecution, postWorkflow } from './write-graph.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { resume: { type: 'boolean' }, 'pause-after': { type: 'string' } },
})
const [subject = '', home = '', url = ''] = positionals
const pauseAfter = Number(values['pause-after'] ?? Number.POSITIVE_INFINITY)
let count = 0

function announce(event: LiveEvent): void {
  if ('transient' in event) return
  count++
  writeSync(1, `event ${event.seq} ${event.type} ${event.key}\n`)
  if (count >= pauseAfter) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

async function ask(driver: Driver): Promise<unknown> {
  const app = createApp(appOptions(driver, home, url))
  try {
    const options = { onEvent: announce }
    if (values.resume) return await app.resume('last', options)
    return await app.ask(requestOf(driver), options)
  } finally {
    await app.close()
  }
}

async function post(): Promise<unknown> {
  const store = openRunStore(join(home, 'runs.db'))
  try {
    const workflow = postWorkflow(join(home, 'lines.txt'))
    const execution = { ...postExecution(store, url), listeners: [announce] }
    const driven = values.resume
      ? resumeRun(workflow, 'post-0', execution)
      : startRun(workflow, {}, 'post-0', execution)
    return (await driven).result
  } finally {
    await store.close()
  }
}

const result = subject === 'post' ? await post() : await ask(subject as Driver)
writeSync(1, `result ${JSON.stringify(result)}\n`)
