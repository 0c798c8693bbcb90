import { afterEach, describe, expect, it } from 'vitest'
import { SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

describe('what a request mentions', () => {
  it('is put behind it; of what is not the person is told, and so is a program', async () => {
    world = new SessionWorld({ 'a.txt': 'text of a\n', '.env.test': 'KEY=secret\n' })
    world.say([{ text: 'Seen.' }])
    const app = await world.app()
    const session = await app.code({}, { onEvent: world.hear })
    const text = 'Compare @a.txt, @missing.js, @.env.test and @/etc/passwd.'
    await session.send({ kind: 'prompt', text, isUnattended: true })
    const sent = JSON.stringify(world.sent(1))
    expect(sent).toContain('text of a')
    expect(sent).not.toMatch(/secret|root:/)
    const nothing = 'Nothing was put behind the request for'
    const told = [
      `${nothing} @missing.js: there is no such file.`,
      `${nothing} @.env.test: files of keys, such as .env, are not shown to models this way.`,
      `${nothing} @/etc/passwd: "/etc/passwd" is outside the workspace.`,
    ]
    expect(world.heard('notice').map((one) => one.text)).toEqual(told)
    expect((await session.finish()).notices).toEqual(told)
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true })
  })

  it('has no notice where all of it is there', async () => {
    world = new SessionWorld({ 'a.txt': 'text of a\n' })
    world.say([{ text: 'Seen.' }])
    const session = await (await world.app()).code({}, { onEvent: world.hear })
    await session.send({ kind: 'prompt', text: 'Look at @a.txt.' })
    expect(world.heard('notice')).toEqual([])
    expect(await session.finish()).not.toHaveProperty('notices')
  })
})
