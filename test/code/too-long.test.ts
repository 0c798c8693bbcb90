import { afterEach, describe, expect, it } from 'vitest'
import type { ModelRequestSeen, ScriptedReply } from '../../src/testing/index.ts'
import { call, type Files, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

const refusal = (allowed: number): ScriptedReply => ({
  status: 400,
  body: {
    error: {
      message: `This model's maximum context length is ${allowed} tokens. However, your messages resulted in 99999 tokens.`,
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
    },
  },
})
const isSummary = ({ system }: ModelRequestSeen) => system.startsWith('You write down')
const sizeOf = ({ body }: ModelRequestSeen) => JSON.stringify(body.messages).length
/** About 3,000 tokens each. */
const longFiles = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `${index}.txt`,
      'lorem ipsum dolor\n'.repeat(600),
    ]),
  )

/** A session whose model holds only so many characters, although its name promises more. */
async function open(
  files: Files,
  maxCharacters: number,
  reply: (seen: ModelRequestSeen) => ScriptedReply,
) {
  world = new SessionWorld(files)
  world.say((seen) => {
    if (sizeOf(seen) > maxCharacters) return refusal(24_000)
    return isSummary(seen) ? { text: 'THE SUMMARY' } : reply(seen)
  })
  const app = await world.app()
  return { app, session: await app.code({}, { onEvent: world.hear }) }
}

/** The ids of results that stand without their call, or of calls without their result. */
function broken({ body }: ModelRequestSeen): readonly string[] {
  const messages = (body.messages ?? []) as unknown as readonly {
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { readonly id: string }[]
  }[]
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
  const results = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]))
  return [
    ...calls.filter((id) => !results.includes(id)),
    ...results.filter((id) => !calls.includes(id)),
  ]
}

describe('a conversation that the model refuses as too long', () => {
  it('is made shorter, and the request continues', async () => {
    let read = 0
    const { app, session } = await open(longFiles(6), 50_000, () =>
      read < 6 ? call('read', { path: `${read++}.txt` }) : { text: 'All read.' },
    )
    const turn = await session.send('read all')
    expect(turn).toMatchObject({ outcome: 'answer', answer: 'All read.', toolCalls: { read: 6 } })
    expect(turn.notes?.[0]).toMatch(/compacted: \d+ messages/)
    const { requests } = world.model
    expect(requests.filter((seen) => sizeOf(seen) > 50_000)).toHaveLength(1)
    expect(requests.flatMap(broken)).toEqual([])
    expect(JSON.stringify(world.sent(-1))).toContain('THE SUMMARY')
    const notices = world.heard('notice').map(({ text }) => text)
    expect(notices[0]).toContain('does not accept a prompt of this length')
    // What it was told of the window holds on: it does not come to a second refusal.
    expect(world.heard('context').at(-1)).toMatchObject({ windowTokens: 24_000 })
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('is made shorter once, and the request fails where that is not enough', async () => {
    const { app, session } = await open(longFiles(1), 20_000, () => call('read', { path: '0.txt' }))
    world.put({ '0.txt': 'lorem ipsum dolor\n'.repeat(1_200) })
    const turn = await session.send('read it')
    expect(turn).toMatchObject({
      outcome: 'failed',
      failure: { code: 'model_failed', details: { reason: 'context_too_long' } },
    })
    expect(world.model.requests.filter(isSummary)).toHaveLength(1)
    expect(world.model.requests).toHaveLength(4)
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('fails the request where there is nothing to leave out', async () => {
    const { session } = await open({}, 5_000, () => ({ text: 'well' }))
    expect(await session.send('x'.repeat(6_000))).toMatchObject({
      outcome: 'failed',
      failure: { details: { reason: 'context_too_long' } },
    })
    expect(world.model.requests).toHaveLength(1)
    // The next request has something before it that can be left out.
    expect(await session.send('short')).toMatchObject({ answer: 'well' })
    await session.finish()
  })
})
