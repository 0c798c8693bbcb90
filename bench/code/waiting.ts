// Opens a session, and says how soon it accepted a prompt and what memory it needs some time later: FOLDER WAIT_MS LIBRARY
import { setTimeout as sleep } from 'node:timers/promises'
import { keepCompiledCode } from '../../src/files/cache-folder.ts'

/** What a process took from its start until it waits. */
export interface Waiting {
  readonly ms: number
  readonly cpuMs: number
  /** Resident, after some time of waiting. */
  readonly rssMb: number
}

const [root = '.', waitMs = '2000', library = ''] = process.argv.slice(2)
// As the command does.
keepCompiledCode(process.env)
const { createApp }: typeof import('../../src/index.ts') = await import(library)
const app = createApp({
  home: `${root}/home`,
  folder: root,
  models: { default: 'openai-compatible:m' },
  environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', PATH: process.env.PATH },
})
const session = await app.code({})
await session.whenIdle()
const ms = performance.now()
const { user, system } = process.cpuUsage()
await sleep(Number(waitMs))
const rssMb = process.memoryUsage().rss / 2 ** 20
const waiting: Waiting = { ms, cpuMs: (user + system) / 1_000, rssMb }
process.send?.(waiting)
await session.close()
await app.close()
