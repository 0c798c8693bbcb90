import { parentPort, workerData } from 'node:worker_threads'
import type { OrderedWork, ThreadMessage } from './bounded-work.ts'

/** Does the one piece of bounded work this thread was started for; the thread is terminated from outside. */
export function serveWork(works: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  const { name, args } = workerData as OrderedWork
  const say = (message: ThreadMessage<unknown>) => parentPort?.postMessage(message)
  const work = works[name]
  if (work === undefined) throw new Error(`No work is called ${name}.`)
  say({ type: 'begun' })
  say({ type: 'done', value: work(...(args as never[])) })
}
