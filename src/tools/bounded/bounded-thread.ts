import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadMessage } from './bounded-work.ts'

interface Ordered {
  readonly module: string
  readonly name: string
  readonly args: readonly unknown[]
}

/** The thread of one piece of bounded work: it is ended from outside. */
const { module, name, args } = workerData as Ordered
const say = (message: ThreadMessage<unknown>) => parentPort?.postMessage(message)
const functions = (await import(module)) as Readonly<
  Record<string, (...given: unknown[]) => unknown>
>
const work = functions[name]
if (work === undefined) throw new Error(`${module} exports no ${name}.`)
say({ type: 'begun' })
say({ type: 'done', value: work(...args) })
