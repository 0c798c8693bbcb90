import { spawnSync } from 'node:child_process'
import { readingEnvironment } from './command-environment.ts'

/** Asks Git in a folder; `undefined` where it fails, takes too long or says too much. */
export type AskGit = (words: readonly string[], folder: string) => string | undefined

const maxPrintedBytes = 64_000_000

/**
 * A way to ask Git for what it knows of a folder, with all off that it would run by itself.
 * @param program its path, which is not in the folder
 * @param untilMs how long it may take, by `performance.now()`
 */
export function createAskGit(
  program: string,
  environment: Readonly<Record<string, string>>,
  untilMs: number,
): AskGit {
  const env = readingEnvironment(environment)
  return (words, cwd) => {
    const timeout = Math.ceil(untilMs - performance.now())
    if (timeout <= 0) return undefined
    const { status, stdout } = spawnSync(program, words, {
      cwd,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout,
      killSignal: 'SIGKILL',
      maxBuffer: maxPrintedBytes,
    })
    return status === 0 ? stdout : undefined
  }
}
