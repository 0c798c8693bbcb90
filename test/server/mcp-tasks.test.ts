import { withTasks } from '@modelcontextprotocol/ext-tasks/client'
import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { McpWorld, question, revisions } from './mcp-client.ts'
import { RawConnection } from './task-client.ts'

const tasks = { 'io.modelcontextprotocol/tasks': {} }
let world: McpWorld
let connections: RawConnection[]
beforeEach(async () => {
  world = new McpWorld()
  connections = []
  await world.startModel()
})
afterEach(async () => {
  for (const connection of connections) await connection.close()
  await world.close()
})

function connect(extensions: typeof tasks | Record<never, never> = tasks): RawConnection {
  const connection = new RawConnection(world, extensions)
  connections.push(connection)
  return connection
}

/** Starts a question as a task whose model does not answer, and returns its id. */
async function startUntilItHangs(connection: RawConnection): Promise<string> {
  const isHanging = world.hang()
  const { result } = await connection.send({
    method: 'tools/call',
    params: { name: 'ask', arguments: { question } },
  })
  expect(isCreateTaskResultV2(result)).toBe(true)
  await isHanging
  return result.taskId
}

async function get(connection: RawConnection, taskId: string) {
  const { result } = await connection.send({ method: 'tasks/get', params: { taskId } })
  expect(result).toMatchObject({ resultType: 'complete', taskId })
  expect(isDetailedTaskV2(result)).toBe(true)
  return result
}

describe("the extension's own client", () => {
  it('starts a run, polls it and gets its answer', async () => {
    const session = withTasks(connect())
    const execution = await session.callTool('ask', { question })
    const { outcome } = await execution.settle()
    expect(outcome).toMatchObject({
      result: {
        structuredContent: { status: 'answered', claims: [{ verdict: 'verbatim' }] },
        content: [{ text: expect.stringContaining('412 degrees Celsius [1]') }, {}, {}],
      },
    })
    await session.close()
  })

  it('has a person approve the plan', async () => {
    const asked: unknown[] = []
    const session = withTasks(connect(), {
      onInputRequest: async (request) => {
        asked.push(request)
        // Its type is that of every kind of request.
        return { action: 'accept', content: { answer: 'approve' } } as never
      },
    })
    const execution = await session.callTool('ask', { question, approvePlan: true })
    const { outcome } = await execution.settle()
    expect(asked).toMatchObject([
      { kind: 'elicitation', params: { message: expect.stringContaining(`1. ${question}`) } },
    ])
    expect(outcome).toMatchObject({ result: { structuredContent: { status: 'answered' } } })
    await session.close()
  })
})

describe('a task', () => {
  it('goes on after its process was killed, without a repeated step', async () => {
    const first = connect()
    const taskId = await startUntilItHangs(first)
    expect(await get(first, taskId)).toMatchObject({
      status: 'working',
      statusMessage: expect.any(String),
    })
    await first.close('SIGKILL')
    world.script = scriptTeam()
    const done = new Map(world.model.answered)
    const second = connect()
    expect(await get(second, taskId)).toMatchObject({ status: 'working' })
    await expect
      .poll(() => get(second, taskId), { timeout: 30_000 })
      .toMatchObject({
        status: 'completed',
        result: { structuredContent: { runId: taskId, status: 'answered' } },
      })
    for (const [hash, times] of done) expect(world.model.answered.get(hash)).toBe(times)
  })

  it('that was cancelled stays so, also for another process', async () => {
    const first = connect()
    const taskId = await startUntilItHangs(first)
    expect(await first.send({ method: 'tasks/cancel', params: { taskId } })).toEqual({
      jsonrpc: '2.0',
      result: expect.objectContaining({ resultType: 'complete' }),
    })
    expect(await get(first, taskId)).toMatchObject({ status: 'cancelled' })
    await first.close()
    expect(await get(connect(), taskId)).toMatchObject({ status: 'cancelled' })
  })

  it('is refused to clients without the extension, and unknown ones are errors', async () => {
    const taskId = await startUntilItHangs(connect())
    const other = connect({})
    const withoutIt = { code: -32021, data: { requiredCapabilities: { extensions: tasks } } }
    for (const method of ['tasks/get', 'tasks/cancel'])
      expect((await other.send({ method, params: { taskId } })).error).toMatchObject(withoutIt)
    const call = { name: 'get_run', arguments: { run: taskId } }
    expect((await other.send({ method: 'tools/call', params: call })).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { status: 'running' },
    })
    for (const id of ['none', '../x'])
      expect(
        (await connect().send({ method: 'tasks/get', params: { taskId: id } })).error,
      ).toMatchObject({ code: -32602 })
  })
})

describe.each(Object.entries(revisions))(
  'a client of revision %s without tasks',
  (_name, options) => {
    it('is asked about the plan, and the same run goes on', async () => {
      const client = await world.start([], {
        ...options,
        capabilities: { elicitation: { form: {} } },
      })
      const asked: string[] = []
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message)
        const answer = asked.length === 1 ? 'hm' : 'approve'
        return { action: 'accept', content: { answer } }
      })
      const { data } = await world.call('ask', { question, approvePlan: true })
      expect(data).toMatchObject({ status: 'answered' })
      expect(asked).toEqual([
        expect.stringContaining(`1. ${question}`),
        expect.stringContaining('unclear answer'),
      ])
      expect(
        (await client.listResources()).resources.filter(({ uri }) => uri.includes('runs')),
      ).toHaveLength(1)
    })
  },
)
