/*
 * One process that starts or resumes a run of papers: node killed-papers.ts HOME MODEL SERVERS [--resume] [--stop-at STAGE]
 *
 * SERVERS is JSON for `webServers`. With --stop-at it writes a line and stands still inside of the announcement of an event of that
 * stage, so that a signal finds it exactly there. At its end it writes the result.
 */
import { writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createApp, type LiveEvent } from '../../src/index.ts'
import { scriptedOptions } from './app-world.ts'
import { isAt, type Stage } from './kill-stages.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { resume: { type: 'boolean' }, 'stop-at': { type: 'string' } },
})
const [home = '', modelUrl = '', servers = '{}'] = positionals
const stage = values['stop-at'] as Stage | undefined
const seen: LiveEvent[] = []

function onEvent(event: LiveEvent): void {
  seen.push(event)
  if (stage === undefined || !isAt(stage, event, seen)) return
  writeSync(1, `stopped ${stage}\n`)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const app = createApp(scriptedOptions(home, modelUrl, JSON.parse(servers)))
const query = 'sparse attention transformers memory'
const request = { query, web: true, category: 'cs.CL', count: 4, concurrency: 2 }
const result = values.resume
  ? await app.resume('last', { onEvent })
  : await app.papers(request, { onEvent })
await app.close()
writeSync(1, `result ${JSON.stringify(result)}\n`)
