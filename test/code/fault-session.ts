import type { App, AppOptions, CodeAnswer, SessionOptions } from '../../src/app.ts'
import { createApp } from '../../src/app.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { createQuickClock, type FaultSubject } from '../../src/testing/index.ts'
import { linesIn } from '../faults/write-graph.ts'
import { brokenProject, mending, SessionWorld } from './session-world.ts'

/** What is asked of the session. */
export const task = {
  kind: 'prompt',
  text: 'The check fails. Mend it.',
  isUnattended: true,
} as const

/** Brings a session to its end, wherever it stands: what was asked before is not asked again. */
export async function driveSession(
  app: App,
  runId: string | undefined,
  options: SessionOptions = {},
): Promise<CodeAnswer> {
  if (runId !== undefined) {
    const { status } = await app.showRun(runId)
    if (status !== 'interrupted' && status !== 'waiting' && status !== 'running')
      return (await app.resume(runId)) as CodeAnswer
  }
  const resume = runId === undefined ? {} : { resume: runId }
  const session = await app.code(
    { settings: { isYolo: true }, isTrusted: true, ...resume },
    options,
  )
  try {
    await session.whenIdle()
    const isAsked = session.state?.turns.some(({ kind }) => kind === 'prompt')
    if (isAsked !== true && !session.hasEnded) await session.send(task)
    return await session.finish()
  } finally {
    await session.close()
  }
}

/** Resumes the last session, or starts one if there is none. */
export async function resumeLast(app: App, options: SessionOptions = {}): Promise<CodeAnswer> {
  const [run] = await app.listRuns({ limit: 1 })
  return driveSession(app, run?.runId, options)
}

/** The app of a session over a folder. */
export function sessionOptions(
  world: Pick<SessionWorld, 'root' | 'workspace'>,
  url: string,
): AppOptions {
  return {
    home: `${world.root}/home`,
    folder: world.workspace,
    models: { default: 'openai-compatible:scripted' },
    environment: { OPENAI_BASE_URL: url, PATH: process.env.PATH },
  }
}

/** A session that mends a project, as a subject of faults inside of this process. */
export function sessionSubject(): FaultSubject<CodeAnswer> {
  return {
    comparable: ({ status, answer, filesChanged, filesRead }) => ({
      status,
      answer,
      filesChanged,
      filesRead,
    }),
    async open() {
      const world = new SessionWorld(brokenProject)
      world.say(mending)
      await world.app()
      const store = openRunStore(`${world.root}/runs.db`)
      const inProcess = (view: RunStore, runId?: string) => {
        const options = { ...sessionOptions(world, world.model.url), clock: createQuickClock() }
        const app = createApp({ ...options, store: view })
        return driveSession(app, runId).finally(() => app.close())
      }
      return {
        store,
        start: (view) => inProcess(view),
        resume: (view, runId) => inProcess(view, runId),
        paidCalls: () => world.model.answered,
        writes: () => linesIn(`${world.workspace}/runs.txt`),
        async close() {
          await store.close()
          await world.close()
        },
      }
    },
  }
}
