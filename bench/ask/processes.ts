import { type ChildProcess, fork } from 'node:child_process'

/** Starts a module of a bench in a process of its own. */
export function start(module: URL, ...args: readonly string[]): ChildProcess {
  return fork(module, args)
}

/** Tells a process something and waits for what it says. */
export function talk<Said>(child: ChildProcess, order?: object | string): Promise<Said> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`A process ended with ${code}.`)))
    child.once('message', (said) => {
      child.removeAllListeners('exit')
      resolve(said as Said)
    })
    if (order !== undefined) child.send(order)
  })
}
