/* Opens a session, and says how soon it took a prompt and what it needs two seconds later. */
import { keepCompiledCode } from '../../src/files/cache-folder.ts'

// As the command does.
keepCompiledCode(process.env)
const { createApp } = await import('../../src/app.ts')

const root = process.argv[2] ?? '.'
const app = createApp({
  home: `${root}/home`,
  folder: root,
  models: { default: 'openai-compatible:m' },
  environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', PATH: process.env.PATH },
})
const session = await app.code({})
await session.whenIdle()
const promptMs = performance.now()
const { user, system } = process.cpuUsage()
const cpuMs = (user + system) / 1_000
await new Promise((resolve) => setTimeout(resolve, 2_000))
const rssMb = process.memoryUsage().rss / 2 ** 20
console.log(JSON.stringify({ promptMs, cpuMs, rssMb }))
await session.close()
await app.close()
