/*
 * One process that starts or resumes a run and writes a line to stdout for each event once it is stored, then the result:
 * node killed-child.ts SUBJECT HOME URL [--resume] [--pause-after N]
 *
 * With --pause-after it stands still inside of the N-th event's announcement, so that a signal finds it exactly there.
 */
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { LiveEvent } from '../../src/index.ts'
import { drivePart, type KillSubject } from './killed-run.ts'

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

const isResumed = values.resume === true
const result = await drivePart({ subject: subject as KillSubject, home, url, isResumed, announce })
writeSync(1, `result ${JSON.stringify(result)}\n`)
