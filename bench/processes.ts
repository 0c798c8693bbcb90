import { type ChildProcess, fork } from 'node:child_process'

/** Starts a module in a process of its own. */
export function start(module: URL, ...args: readonly string[]): ChildProcess {
  return fork(module, args)
}

/** Sends a process an order, if any, and waits for its next message. Rejects if the process exits first. */
export function talk<Said>(child: ChildProcess, order?: object | string): Promise<Said> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`A process ended with ${code}.`))
    child.once('exit', onExit)
    child.once('message', (said) => {
      child.off('exit', onExit)
      resolve(said as Said)
    })
    if (order !== undefined) child.send(order)
  })
}
