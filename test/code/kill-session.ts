import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type CodeAnswer, createApp } from '../../src/app.ts'
import { quickStart } from '../faults/compile-cache.ts'
import type { Resumer } from '../faults/kill.ts'
import { linesIn } from '../faults/write-graph.ts'
import { resumeLast, sessionOptions } from './fault-session.ts'
import { brokenProject, mending, SessionWorld } from './session-world.ts'

/** Where a process is killed: after its `event`-th event; `isPaused`: standing still there, else wherever it has come to by then. */
export interface Kill {
  readonly event: number
  readonly isPaused: boolean
}

const child = fileURLToPath(new URL('./killed-session.ts', import.meta.url))

/** How many events a session has to which nothing happens. */
export async function cleanEvents(): Promise<number> {
  return inWorld(async (world) => {
    const { events, result } = await drive(world, [])
    if (!isMended(result)) throw new Error(`The clean session gave ${JSON.stringify(result)}`)
    return events
  })
}

/** Kills a session's process with SIGKILL, has `resumer` resume it, and reports what is wrong. */
export function killAndResume(kill: Kill, resumer: Resumer): Promise<readonly string[]> {
  return inWorld(async (world) => {
    const pause = kill.isPaused ? ['--pause-after', String(kill.event)] : []
    await drive(world, pause, kill)
    const result =
      resumer === 'a new process'
        ? (await drive(world, ['--resume'])).result
        : await resumeHere(world)
    const repeated = [...linesIn(`${world.workspace}/runs.txt`)].filter(([, count]) => count > 1)
    return [
      ...(isMended(result)
        ? []
        : [`the result is another one: ${JSON.stringify(result)?.slice(0, 500)}`]),
      ...(world.text('add.mjs')?.includes('a + b') ? [] : ['the file was not mended']),
      ...repeated.map(([line, count]) => `"${line}" stands there ${count} times`),
    ]
  })
}

function isMended(result: unknown): boolean {
  const { status, answer } = (result ?? {}) as Partial<CodeAnswer>
  return status === 'answered' && answer?.startsWith('Mended') === true
}

async function inWorld<T>(work: (world: SessionWorld) => Promise<T>): Promise<T> {
  const world = new SessionWorld(brokenProject)
  try {
    world.say(mending)
    await world.app()
    return await work(world)
  } finally {
    await world.close()
  }
}

async function resumeHere({ root, workspace, model }: SessionWorld): Promise<CodeAnswer> {
  const app = createApp(sessionOptions({ root, workspace }, model.url))
  return resumeLast(app).finally(() => app.close())
}

async function drive(world: SessionWorld, more: readonly string[], kill?: Kill) {
  const started = spawn(process.execPath, [child, world.root, world.model.url, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: quickStart,
  })
  const closed = once(started, 'close')
  let [events, result]: [number, unknown] = [0, undefined]
  for await (const line of createInterface({ input: started.stdout })) {
    if (line.startsWith('event ') && ++events === kill?.event) started.kill('SIGKILL')
    if (line.startsWith('result ')) result = JSON.parse(line.slice('result '.length))
  }
  await closed
  return { events, result }
}
