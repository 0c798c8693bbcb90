import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp, type PapersAnswer, type Right } from '../../src/index.ts'
import { quickStart } from '../faults/compile-cache.ts'
import { AppWorld, scriptedOptions } from './app-world.ts'
import { type Stage, stages } from './kill-stages.ts'

const grants: readonly Right[] = [{ kind: 'web', value: '' }]
const child = fileURLToPath(new URL('./killed-papers.ts', import.meta.url))

let world: AppWorld
beforeEach(async () => {
  world = await AppWorld.start()
  world.papers.always('arxiv', { kind: 'slow', pieceBytes: 2_000, gapMs: 5 })
})
afterEach(() => world.close())

describe('a run of papers that is killed', () => {
  it.each(stages)(
    'during %s continues to its end, and nothing that was finished is done again',
    async (stage) => {
      // One file comes, the others do not come to their end.
      if (stage === 'download') {
        world.papers.fault('files', { kind: 'slow', pieceBytes: 400, gapMs: 1 })
        world.papers.always('files', { kind: 'stall', afterBytes: 1_000 })
      }
      await killAt(stage)
      world.papers.always('files', undefined)
      const log = await events()
      const before = finishedIn(log)
      const asked = world.papers.requests.length
      const answer = (await inApp((app) => app.resume('last', { grants }))) as PapersAnswer
      expect(answer).toMatchObject({ workflow: 'papers', status: 'answered' })
      expect(answer.papers.map(({ status }) => status)).toEqual(Array(4).fill('kept'))
      const after = await events()
      const ended = finishedIn(after)
      expect(new Set(ended).size).toBe(ended.length)
      expect(ended.slice(0, before.length)).toEqual(before)
      expect(searches()).toBe(1)
      if (stage !== 'search') expect(downloadedIn(log)).not.toEqual([])
      const askedAgain = world.papers.requests.slice(asked).map(({ url }) => url.pathname)
      for (const paper of downloadedIn(log)) expect(askedAgain).not.toContain(`/pdf/${paper}`)
      // What was on its way when the process died is asked once more.
      const repeated = [...world.model.answered.values()].filter((times) => times > 1)
      expect(repeated.length).toBeLessThanOrEqual(stage === 'analysis' ? 1 : 0)
    },
    60_000,
  )
})

/** Runs a process to the stage in which it stands still and is killed. */
async function killAt(stage: Stage): Promise<void> {
  const servers = JSON.stringify(world.papers.webServers)
  const args = [child, world.home, world.model.url, servers, stage]
  const started = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: quickStart,
  })
  const closed = once(started, 'close')
  const lines: string[] = []
  for await (const line of createInterface({ input: started.stdout as Readable })) {
    lines.push(line)
    if (line === `stopped ${stage}`) started.kill('SIGKILL')
  }
  await closed
  expect(lines).toEqual([`stopped ${stage}`])
}

/** What an app of this process, which is another one than was killed, does with the home. */
async function inApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const app = createApp(scriptedOptions(world.home, world.model.url, world.papers.webServers))
  return work(app).finally(() => app.close())
}

function events() {
  return inApp((app) => Array.fromAsync(app.events('last')))
}

/** The searches, downloads, readings and model calls that ended, by their keys. */
function finishedIn(all: Awaited<ReturnType<typeof events>>): readonly string[] {
  return all.flatMap(({ type, key }) =>
    type === 'step.done' && /\/(?:download|read|model)$|\/search\//.test(key) ? [key] : [],
  )
}

function searches(): number {
  return world.papers.count('arxiv', '/api/query')
}

/** The papers whose files were there, by their ids. */
function downloadedIn(all: Awaited<ReturnType<typeof events>>): readonly string[] {
  return all.flatMap(({ type, key, data }) => {
    const { arxivId } = (('input' in data && data.input) || {}) as { readonly arxivId?: string }
    const isThere = type === 'step.done' && key.endsWith('/download')
    return isThere && arxivId !== undefined ? [arxivId] : []
  })
}
