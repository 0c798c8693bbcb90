import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { showProgress } from './progress.js'
import { environmentFor } from './run-under.js'
import { npmFailure, SetupError } from './setup-error.js'

const npmLimitMs = 10 * 60_000
const killAfterMs = 5_000
const keptOutputChars = 2_000
/** npm's line for a package that arrived. */
const isFetched = /^npm http (fetch|cache) .*[23]\d\d /

/** Said in full: the caller's own npm settings (`--silent`, `omit`, `NODE_ENV`) must not change what is installed. */
const flags = [
  '--include=dev',
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  // Where a package is optional npm ends well without it; why it is missing stands at this level alone.
  '--loglevel=http',
  // Without a network npm would be silent for 70 s; these make it 18.
  '--fetch-retry-mintimeout=3000',
  '--fetch-retry-maxtimeout=15000',
]

/**
 * Installs what the lock file in `folder` says (`npm ci`), showing `doing` and the seconds on stderr. Gives what npm
 * said about anything that went wrong.
 *
 * @param {object} install
 * @param {string} install.folder
 * @param {string} install.doing as in "installing dependencies"
 * @param {string} install.node the Node that runs npm: npm leaves out packages that this Node is too old for
 * @param {(pid: number) => void} install.onStart gets npm's process id
 * @param {number} [install.limitMs]
 */
export async function installLocked({ folder, doing, node, onStart, limitMs }) {
  const { command, args } = npmCommand(node)
  const child = spawn(command, [...args, 'ci', '--prefix', folder, ...flags], {
    cwd: folder,
    env: environmentFor(node),
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: command.endsWith('.cmd'),
  })
  if (child.pid !== undefined) onStart(child.pid)
  const endProgress = showProgress(doing)
  const { code, output, problem } = await outcomeOf(child, limitMs ?? npmLimitMs)
  // npm only warns about files that it could not write.
  const hasFailed = code !== 0 || output.includes('TAR_ENTRY_ERROR')
  endProgress(hasFailed ? 'failed' : 'done')
  if (problem !== undefined) throw problem(doing, output)
  if (hasFailed) throw npmFailure(doing, code, output)
  return output
}

/**
 * The npm that started this process (`npm start`), else the one in `PATH`.
 *
 * @param {string} node
 */
function npmCommand(node) {
  const running = process.env.npm_execpath
  if (running !== undefined && /npm-cli\.[cm]?js$/.test(running)) {
    return { command: node, args: [running] }
  }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] }
}

/**
 * @typedef {{code: number, output: string, problem?: (doing: string, output: string) => SetupError}} Outcome
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {number} limitMs
 * @returns {Promise<Outcome>}
 */
function outcomeOf(child, limitMs) {
  return new Promise((resolve) => {
    let output = ''
    /** @type {Outcome['problem']} */
    let problem
    /** @param {string} line */
    const keep = (line) => {
      if (isFetched.test(line) || output.endsWith(`${line}\n`)) return
      output = `${output}${line}\n`.slice(0, keptOutputChars)
    }
    createInterface(child.stdout).on('line', keep)
    createInterface(child.stderr).on('line', keep)
    const endGuard = endOnLimitOrSignal(child, limitMs, (reason) => {
      problem = reason
    })
    /** @param {number} code */
    const finish = (code) => {
      endGuard()
      resolve(problem === undefined ? { code, output } : { code, output, problem })
    }
    child.on('error', (cause) => {
      problem = () =>
        new SetupError(`npm could not be started: ${cause.message}.`, { hint: npmHint })
      finish(1)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
}

const npmHint =
  'npm comes with Node: install Node from nodejs.org, then run the same command again.'

/**
 * Ends `child` at the time limit or when this process is told to end, and tells why.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {number} limitMs
 * @param {(problem: NonNullable<Outcome['problem']>) => void} tell
 */
function endOnLimitOrSignal(child, limitMs, tell) {
  /** @param {NodeJS.Signals} signal */
  const onSignal = (signal) => {
    const exitCode = 128 + constants.signals[signal]
    tell((doing) => new SetupError(`${doing} was interrupted.`, { exitCode }))
    child.kill(signal)
  }
  const timers = [
    setTimeout(() => {
      tell((doing, output) => timeLimitError(doing, limitMs, output))
      child.kill('SIGTERM')
    }, limitMs),
    setTimeout(() => child.kill('SIGKILL'), limitMs + killAfterMs),
  ]
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const signal of signals) process.on(signal, onSignal)
  return () => {
    for (const timer of timers) clearTimeout(timer)
    for (const signal of signals) process.off(signal, onSignal)
  }
}

/**
 * @param {string} doing
 * @param {number} limitMs
 * @param {string} output
 */
function timeLimitError(doing, limitMs, output) {
  const minutes = Math.round(limitMs / 60_000)
  return new SetupError(`${doing} failed: npm had not finished after ${minutes} minutes.`, {
    hint: 'The network may be slow or blocked; running the same command again continues with what npm has cached.',
    output,
  })
}
