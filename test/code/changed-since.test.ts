import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { createGate } from '../kernel/runs.ts'
import { call, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

const task = { kind: 'prompt', text: 'What was changed?', isUnattended: true } as const

function git(...words: string[]): void {
  const own = ['-c', 'user.name=x', '-c', 'user.email=x@x.example']
  execFileSync('git', [...own, ...words], { cwd: world.workspace, stdio: 'ignore' })
}

function commit(path: string): void {
  world.put({ [path]: 'K=1\n' })
  git('add', '-f', path)
  git('commit', '-qm', 'x')
}

/** A session over a checkout, whose model looks at the last commit once. */
async function look() {
  world = new SessionWorld()
  git('init', '-q')
  commit('a.txt')
  world.say([call('bash', { command: 'git show HEAD' }), { text: 'A file came.' }])
  const app = await world.app()
  const session = await app.code({}, { onEvent: world.hear })
  expect(await session.send(task)).toMatchObject({ answer: 'A file came.', refused: [] })
  await session.finish()
  return { app, runId: session.runId }
}

describe('a session whose command was let through by what Git said of its files', () => {
  it('is replayed after another commit, and without the checkout', async () => {
    const { app, runId } = await look()
    commit('.env')
    expect(await app.replay(runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
    rmSync(join(world.workspace, '.git'), { recursive: true })
    expect(await app.replay(runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('is resumed after another commit without a question about the command that ran', async () => {
    world = new SessionWorld()
    git('init', '-q')
    commit('a.txt')
    const gate = createGate()
    world.say((seen) => {
      if (seen.lastRole === 'user') return call('bash', { command: 'git show HEAD' })
      gate.open()
      return { text: 'late', delayMs: 5_000 }
    })
    const session = await (await world.app()).code()
    const sent = session.send(task)
    await gate.opened
    await session.close()
    await expect(sent).rejects.toMatchObject({ code: 'cancelled' })
    commit('.env')
    world.say([{ text: 'A file came.' }])
    const app = await world.app()
    const again = await app.code({ resume: session.runId })
    await again.whenIdle()
    expect(again.state?.turns.at(-1)).toMatchObject({ answer: 'A file came.', refused: [] })
    await again.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('is replayed where it was recorded before judgements were', async () => {
    const { app, runId } = await look()
    await app.close()
    const database = new DatabaseSync(join(world.root, 'home', 'runs.db'))
    const removed = database.prepare(`DELETE FROM events WHERE key LIKE '%/judgement'`).run()
    expect(removed.changes).toBe(1)
    database.close()
    expect(await (await world.app()).replay(runId)).toMatchObject({
      isIdentical: true,
      unclaimed: [],
    })
  })
})
