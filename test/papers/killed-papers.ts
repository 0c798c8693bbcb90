/*
 * One process that starts a run of papers: node killed-papers.ts HOME MODEL SERVERS STAGE
 *
 * SERVERS is JSON for `webServers`. At an event of the stage it writes a line and stands still inside of its announcement, so that
 * a signal finds it exactly there. At its end it says that it ended.
 */
import { writeSync } from 'node:fs'
import { createApp, type LiveEvent } from '../../src/index.ts'
import { scriptedOptions } from './app-world.ts'
import { isAt, type Stage } from './kill-stages.ts'

const [home = '', modelUrl = '', servers = '{}', stage = ''] = process.argv.slice(2)
const seen: LiveEvent[] = []

function onEvent(event: LiveEvent): void {
  seen.push(event)
  if (!isAt(stage as Stage, event, seen)) return
  writeSync(1, `stopped ${stage}\n`)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const app = createApp(scriptedOptions(home, modelUrl, JSON.parse(servers)))
const query = 'sparse attention transformers memory'
await app.papers({ query, web: true, category: 'cs.CL', count: 4, concurrency: 2 }, { onEvent })
await app.close()
writeSync(1, 'ended\n')
