import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { SetupError } from './setup-error.js'

/**
 * Runs `args` under the Node at `node` with this process's input and output, that Node first in `PATH`; gives its exit
 * code (128 + number for a signal, as shells do). Signals are passed on.
 *
 * @param {string} node
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export function runUnder(node, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { stdio: 'inherit', env: environmentFor(node) })
    const stopPassing = passSignals(child)
    child.on('error', (cause) => {
      stopPassing()
      reject(new SetupError(`${node} could not be started: ${cause.message}.`))
    })
    child.on('exit', (code, signal) => {
      stopPassing()
      resolve(code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)])
    })
  })
}

/**
 * This process's environment with the folder of `node` first in `PATH`.
 *
 * @param {string} node
 */
export function environmentFor(node) {
  if (node === process.execPath) return process.env
  // Windows spells it `Path`; a copy of the environment no longer takes both spellings for one.
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: [dirname(node), process.env[name]].join(delimiter) }
}

/**
 * Passes signals to `child` and keeps this process alive meanwhile. A terminal sends Ctrl-C to every process of the
 * group, so the child has it already and a second one could mean "at once" to it.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function passSignals(child) {
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal)
  }
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, pass)
  return () => {
    for (const signal of signals) process.off(signal, pass)
  }
}
