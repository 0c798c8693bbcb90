/** Why Scholium could not be made ready to run: `message` says what happened, `hint` what the person can do. */
export class SetupError extends Error {
  /**
   * @param {string} message
   * @param {{hint?: string, output?: string, exitCode?: number}} [facts] `output` is what a failed program printed.
   */
  constructor(message, { hint = '', output = '', exitCode = 1 } = {}) {
    super(message)
    this.name = 'SetupError'
    this.hint = hint
    this.output = output
    this.exitCode = exitCode
  }
}

/**
 * Runs `work` and gives its exit code; a {@link SetupError} is told on stderr and gives its own exit code.
 *
 * @param {() => Promise<number>} work
 */
export async function exitCodeOf(work) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    const lines = [error.output.trimEnd(), `scholium: ${error.message}`, error.hint]
    process.stderr.write(`${lines.filter((line) => line !== '').join('\n')}\n`)
    return error.exitCode
  }
}

/** What npm's output says about why it failed: the first entry whose pattern is found. */
const npmFailures = [
  {
    pattern: /ENOSPC|no space left/i,
    reason: 'the disk is full',
    hint: 'Free about 500 MB here, or point npm at another cache folder, then run the same command again.',
  },
  {
    pattern: /\b(EACCES|EPERM|EROFS)\b/,
    reason: 'a file or folder may not be written',
    hint: 'Make this folder and the npm cache writable for you (see the path above), then run the same command again.',
  },
  {
    pattern:
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|npm error network/,
    reason: 'the package registry could not be reached',
    hint: 'Check the network (and the proxy or registry in `npm config list`), then run the same command again.',
  },
  {
    pattern: /\b(ETARGET|E404|EINTEGRITY)\b|fetch GET 404/,
    reason: 'the registry does not have a package exactly as locked',
    hint: 'Check the registry in `npm config list`; a mirror may be behind.',
  },
  {
    pattern: /\bEUSAGE\b|in sync/,
    reason: 'package.json and package-lock.json do not agree',
    hint: 'Run `npm install` to bring the lock file up to date.',
  },
  {
    pattern: /SELF_SIGNED|CERT_|UNABLE_TO_(GET_ISSUER|VERIFY)/,
    reason: 'the registry has a certificate that npm does not trust',
    hint: 'Name your certificate authority with `npm config set cafile FILE`.',
  },
]

/**
 * What npm's output gives as the cause of a failure, if anything that is known.
 *
 * @param {string} output
 */
export function knownCause(output) {
  return npmFailures.find(({ pattern }) => pattern.test(output))
}

/**
 * The error for an npm that ended with `exitCode` after printing `output`.
 *
 * @param {string} doing what was being done, as in "installing dependencies"
 * @param {number} exitCode
 * @param {string} output
 */
export function npmFailure(doing, exitCode, output) {
  const known = knownCause(output)
  const reason = known?.reason ?? `npm ended with exit code ${exitCode}`
  const hint = known?.hint ?? 'What npm printed is above; running the same command again may help.'
  return new SetupError(`${doing} failed: ${reason}.`, { hint, output })
}
