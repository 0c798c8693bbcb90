/*
 * One process that starts or resumes a session, and writes a line to stdout for each event once it is stored, then the
 * result: node killed-session.ts ROOT URL [--resume] [--pause-after N]
 *
 * With --pause-after it stands still inside of the N-th event's announcement, so that a signal finds it exactly there.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp } from '../../src/app.ts'
import type { LiveEvent } from '../../src/kernel/run/event.ts'
import { driveSession, resumeLast, sessionOptions } from './fault-session.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { resume: { type: 'boolean' }, 'pause-after': { type: 'string' } },
})
const [root = '', url = ''] = positionals
const pauseAfter = Number(values['pause-after'] ?? Number.POSITIVE_INFINITY)
let count = 0

function announce(event: LiveEvent): void {
  if ('transient' in event) return
  count++
  writeSync(1, `event ${event.seq} ${event.type} ${event.key}\n`)
  if (count >= pauseAfter) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const app = createApp(sessionOptions({ root, workspace: join(root, 'work') }, url))
try {
  const options = { onLog: announce }
  const result = values.resume
    ? await resumeLast(app, options)
    : await driveSession(app, undefined, options)
  writeSync(1, `result ${JSON.stringify(result)}\n`)
} finally {
  await app.close()
}
