import { withTasks } from '@modelcontextprotocol/ext-tasks/client'
import { isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { createHandler, type Role, TokenFile } from '../../src/server/index.ts'
import { HeldModel, question, ServedApp } from './served-app.ts'
import { HttpConnection } from './task-client.ts'

const token = 'token-of-the-tests'
const held = new HeldModel()
let served: ServedApp
let app: App
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(async () => {
  served = new ServedApp()
  app = await served.start({ maxRuns: 1 }, held.options)
})
afterEach(async () => {
  held.letGo()
  await served.close()
})

const connect = (by = token) =>
  new HttpConnection(served.url, by, { 'io.modelcontextprotocol/tasks': {} })
const as = (name: string, role: Role) => connect(new TokenFile(app.home.path).add(name, role))

/** Starts a question as a task, and returns its id. */
async function start(connection: HttpConnection, given: object = {}): Promise<string> {
  const params = { name: 'ask', arguments: { question, ...given } }
  const { result } = await connection.send({ method: 'tools/call', params })
  expect(result).toMatchObject({ resultType: 'task', status: 'working' })
  return result.taskId
}

const task = (connection: HttpConnection, does: string, taskId: string) =>
  connection.send({ method: `tasks/${does}`, params: { taskId } })

async function get(connection: HttpConnection, taskId: string) {
  const { result, error } = await task(connection, 'get', taskId)
  expect(error).toBeUndefined()
  expect(isDetailedTaskV2(result)).toBe(true)
  return result
}

const becomes = (connection: HttpConnection, taskId: string, expected: object) =>
  expect.poll(() => get(connection, taskId), { timeout: 30_000 }).toMatchObject(expected)

describe('a task over HTTP', () => {
  it("is started and followed by the extension's own client", async () => {
    const session = withTasks(connect())
    const { outcome } = await (await session.callTool('ask', { question })).settle()
    expect(outcome).toMatchObject({ result: { structuredContent: { status: 'answered' } } })
    await session.close()
  })

  it('waits for its turn, and is continued by the next server', async () => {
    held.hold()
    const ada = as('ada', 'run')
    const [first, second] = [await start(ada), await start(ada)]
    expect(await get(ada, second)).toMatchObject({
      status: 'working',
      statusMessage: expect.stringContaining('waits for its turn'),
    })
    await served.stop()
    held.letGo()
    const next = createHandler(served.openApp(held.options), { token, maxRuns: 1 })
    expect(await next.continueRuns()).toEqual([first, second])
    const status = async () => (await app.showRun(second)).status
    await expect.poll(status, { timeout: 30_000 }).toBe('answered')
    await next.close()
    const types = ['run.started', 'run.resumed'] as const
    for await (const { data } of app.events(second, { types }))
      expect(data.labels).toEqual({ user: 'ada', origin: 'server' })
  })

  it('is there for its owner only, and a token to read changes none', async () => {
    held.hold()
    const ada = new TokenFile(app.home.path).add('ada', 'run')
    const taskId = await start(connect(ada))
    for (const does of ['get', 'update', 'cancel'])
      expect((await task(as(`bob-${does}`, 'run'), does, taskId)).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('no task'),
      })
    const tokens = new TokenFile(app.home.path)
    tokens.revoke('ada')
    const reader = as('ada', 'read')
    expect(await get(reader, taskId)).toMatchObject({ status: 'working' })
    for (const does of ['update', 'cancel'])
      expect((await task(reader, does, taskId)).error.message).toContain('only allows to look')
  })

  it.each(['waits for its turn', 'waits for a person'])(
    'that %s is cancelled for good',
    async (how) => {
      const operator = connect()
      const isQueued = how === 'waits for its turn'
      if (isQueued) held.hold()
      const running = isQueued ? await start(operator) : undefined
      const taskId = await start(operator, { approvePlan: !isQueued })
      if (!isQueued) await becomes(operator, taskId, { status: 'input_required' })
      expect((await task(operator, 'cancel', taskId)).error).toBeUndefined()
      expect(await get(operator, taskId)).toMatchObject({ status: 'cancelled' })
      expect((await app.showRun(taskId)).status).toBe('interrupted')
      held.letGo()
      if (running !== undefined) await becomes(operator, running, { status: 'completed' })
      expect(await get(operator, taskId)).toMatchObject({ status: 'cancelled' })
    },
  )

  it('that somebody interrupts over the API is cancelled too', async () => {
    held.hold()
    const taskId = await start(connect())
    await served.call('post', `/api/runs/${taskId}/cancel`)
    expect(await get(connect(), taskId)).toMatchObject({ status: 'cancelled' })
  })
})
