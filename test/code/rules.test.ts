import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { call, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

/** The outcome of calls in a session without a person. */
async function turnOf(calls: readonly ReturnType<typeof call>[], settings: object) {
  world.say([...calls, { text: 'done' }])
  const app = await world.app()
  const session = await app.code({ settings })
  const turn = await session.send({ kind: 'prompt', text: 'go', isUnattended: true })
  await session.finish()
  return turn
}

describe('rules that forbid', () => {
  it('hold where everything else is let through, also where it cannot be told what a line calls', async () => {
    const calls = [
      'env touch a.txt',
      'X=touch; $X b.txt',
      'for i in 1; do touch c.txt; done',
      'echo x > d.txt',
    ].map((command) => call('bash', { command }))
    world = new SessionWorld()
    const turn = await turnOf(calls, { isYolo: true, deny: ['bash:touch *'] })
    expect(turn.refused?.map(({ reason }) => reason)).toEqual([
      'The rule "touch *" forbids it.',
      'The rule "touch *" may forbid it.',
      'The rule "touch *" may forbid it.',
    ])
    expect(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map((path) => world.text(path))).toEqual([
      undefined,
      undefined,
      undefined,
      'x\n',
    ])
  })
})

describe('a rule that forbids to read files', () => {
  it('holds for searches and for commands that only read, too', async () => {
    world = new SessionWorld({ 'own/a.txt': 'token\n', 'b.txt': 'token\n' })
    const calls = [
      call('read', { path: 'own/a.txt' }),
      call('grep', { pattern: 'token' }),
      call('edit', { path: 'own/a.txt', old: 'token', new: 'x' }),
      call('bash', { command: 'cat own/a.txt' }),
      call('bash', { command: 'cd own; cat < a.txt' }),
    ]
    const turn = await turnOf(calls, { allow: ['edit'], deny: ['read:own/'] })
    expect(turn.refused?.map(({ toolName }) => toolName)).toEqual(['read', 'bash', 'bash'])
    const told = JSON.stringify(world.sent(-1))
    expect(told).toMatch(/A rule forbids to read [^.]*own\/a\.txt/)
    expect(told).toContain('b.txt')
    expect(world.text('own/a.txt')).toBe('token\n')
    expect(told).not.toContain('a.txt\\\\n1:')
  })
})

describe('rules about secrets', () => {
  it('open a file and give a variable, which nothing else does', async () => {
    world = new SessionWorld({ '.env': 'K=file\n', '.npmrc': 'n\n' })
    const environment = {
      OPENAI_BASE_URL: '',
      PATH: process.env.PATH,
      GITHUB_TOKEN: 'ghp-variable',
      NPM_TOKEN: 'npm-variable',
    }
    const told = async (settings: object) => {
      world.say([
        call('read', { path: '.env' }),
        call('read', { path: '.npmrc' }),
        call('bash', { command: 'echo $GITHUB_TOKEN $NPM_TOKEN' }),
        { text: 'done' },
      ])
      await world.app()
      const app = await world.app({
        environment: { ...environment, OPENAI_BASE_URL: world.model.url },
      })
      const session = await app.code({ settings })
      await session.send({ kind: 'prompt', text: 'go', isUnattended: true })
      await session.finish()
      const text = JSON.stringify(world.sent(-1))
      return ['K=file', 'ghp-variable', 'npm-variable'].map((part) => text.includes(part))
    }
    expect(await told({ isYolo: true })).toEqual([false, false, false])
    const allow = ['bash', 'read:.env', 'env:GITHUB_*']
    expect(await told({ allow })).toEqual([true, true, false])
    expect(await told({ allow, deny: ['env:GITHUB_TOKEN', 'read:.env'] })).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('what is let through without a rule', () => {
  it('does not follow links out of the folder, however the line gets there', async () => {
    world = new SessionWorld()
    const outside = join(world.workspace, '..', 'outside')
    await mkdir(join(outside, 'inner'), { recursive: true })
    await writeFile(join(outside, 'told.txt'), 'outside')
    await mkdir(join(world.workspace, 'a/b'), { recursive: true })
    await symlink(outside, join(world.workspace, 'a/b/link'))
    await symlink(join(outside, 'inner'), join(world.workspace, 'inner'))
    const commands = [
      'cd a && cd b && cat link/told.txt',
      'cat inner/../told.txt',
      'cd a/b && cat ./link/told.txt',
    ]
    const turn = await turnOf(
      commands.map((command) => call('bash', { command })),
      {},
    )
    expect(turn.refused?.map(({ reason }) => reason)).toHaveLength(3)
    expect(JSON.stringify(world.sent(-1))).not.toContain('(Exit code')
  })
})
