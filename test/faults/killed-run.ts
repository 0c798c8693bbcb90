import { join } from 'node:path'
import { createApp, type LiveEvent } from '../../src/index.ts'
import { resumeRun, startRun } from '../../src/kernel/index.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { appOptions, type Driver, requestOf } from './ask-subject.ts'
import { postExecution, postWorkflow } from './write-graph.ts'

/** What is killed: `ask` with one of its drivers, or the agents that write. */
export type KillSubject = Driver | 'post'

/** What a process does with a run in a home: starts or resumes it. */
export interface Part {
  readonly subject: KillSubject
  readonly home: string
  /** Where the scripted model is, for a subject that asks it. */
  readonly url: string
  readonly isResumed: boolean
  readonly announce?: (event: LiveEvent) => void
}

/** Drives a run in this process, and gives its result. */
export function drivePart(part: Part): Promise<unknown> {
  return part.subject === 'post' ? post(part) : ask(part.subject, part)
}

async function ask(driver: Driver, { home, url, isResumed, announce }: Part): Promise<unknown> {
  const app = createApp(appOptions(driver, home, url))
  try {
    const options = announce === undefined ? {} : { onEvent: announce }
    if (isResumed) return await app.resume('last', options)
    return await app.ask(requestOf(driver), options)
  } finally {
    await app.close()
  }
}

async function post({ home, url, isResumed, announce }: Part): Promise<unknown> {
  const store = openRunStore(join(home, 'runs.db'))
  try {
    const workflow = postWorkflow(join(home, 'lines.txt'))
    const listeners = announce === undefined ? [] : [announce]
    const execution = { ...postExecution(store, url), listeners }
    const driven = isResumed
      ? resumeRun(workflow, 'post-0', execution)
      : startRun(workflow, {}, 'post-0', execution)
    return (await driven).result
  } finally {
    await store.close()
  }
}
