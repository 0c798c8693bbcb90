import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool, type PermissionRequest } from '../../src/index.ts'
import { call, SessionWorld } from '../code/session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

it('your own tools work in a coding session: one that may change something is asked about, and replays call none', async () => {
  world = new SessionWorld()
  const made: string[] = []
  const ticket = (name: string, effect: 'read' | 'write') =>
    defineTool({
      name,
      description: 'Works on tickets.',
      input: z.object({ id: z.string() }),
      effect,
      execute: async ({ id }) => {
        made.push(`${name} ${id}`)
        return `Ticket ${id}.`
      },
    })
  const tools = [ticket('read_ticket', 'read'), ticket('close_ticket', 'write')]
  world.say([
    call('read_ticket', { id: 'T1' }),
    call('close_ticket', { id: 'T1' }),
    { text: 'Closed.' },
  ])
  const app = await world.app()
  const asked: PermissionRequest[] = []
  const session = await app.code(
    { tools },
    {
      onPermission: async (request) => {
        asked.push(request)
        return { decision: 'once' }
      },
    },
  )
  expect(await session.send({ kind: 'prompt', text: 'Close T1.' })).toMatchObject({
    answer: 'Closed.',
  })
  await session.finish()
  expect(made).toEqual(['read_ticket T1', 'close_ticket T1'])
  expect(asked.map(({ toolName }) => toolName)).toContain('close_ticket')
  expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true })
  expect(made).toHaveLength(2)
  await expect(app.code({ resume: session.runId })).rejects.toThrow('uses tools of its program')
})
