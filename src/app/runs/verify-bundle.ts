import { extname, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ScholiumError } from '../../kernel/errors.ts'
import type { BundleReport } from '../../observe/bundle/verify-bundle.ts'
import { packageVersion } from '../version.ts'
import { bundledWorkflows } from '../workflows/workflow-registry.ts'
import { readKeyFile } from './bundle-files.ts'

export type { BundleReport }

/** What a bundle is verified against, other than itself. */
export interface VerifyOptions {
  /** The root hash that it should have. */
  readonly expect?: string
  /** The public key that should have signed it: 64 hex digits, or a file in PEM. */
  readonly key?: string
  /** Folder from which relative paths count. Default: the process's. */
  readonly folder?: string
}

/**
 * Verifies a bundle from its bytes alone; problems are in the report.
 * @throws `invalid_input` for an unreadable file, an invalid root hash or key
 */
export async function verifyBundle(
  file: string,
  options: VerifyOptions = {},
): Promise<BundleReport> {
  const { expect, key, folder = process.cwd() } = options
  if (expect !== undefined) checkRoot(expect)
  const [{ withFile }, { parsePublicKey }, bundle] = await Promise.all([
    import('../../observe/bundle/byte-source.ts'),
    import('../../observe/bundle/signature.ts'),
    import('../../observe/bundle/verify-bundle.ts'),
  ])
  const publicKey = key === undefined ? undefined : parsePublicKey(await keyText(key, folder))
  return withFile(resolve(folder, file), (source) =>
    bundle.verifyBundle(source, {
      packageVersion,
      workflows: bundledWorkflows,
      ...(expect === undefined ? {} : { expect }),
      ...(publicKey === undefined ? {} : { publicKey }),
    }),
  )
}

/** The heap of a thread that verifies. */
const maxThreadMb = 1_024

/**
 * Like {@link verifyBundle}, in a thread that is ended when its time is up: for the bundle of a stranger, which may be made to take
 * long.
 * @throws `invalid_input` also for a bundle that takes longer than `timeoutMs` or too much memory; the signal's reason
 */
export async function verifyBundleApart(
  file: string,
  { timeoutMs, signal, ...options }: VerifyOptions & ThreadBounds,
): Promise<BundleReport> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<BundleReport>()
  const tooMuch = (what: string) =>
    reject(
      new ScholiumError('invalid_input', `The bundle takes too much ${what} to verify here.`, {
        hint: 'Verify it at the terminal: scholium verify FILE',
      }),
    )
  const worker = new Worker(
    new URL(`./verify-thread${extname(import.meta.url)}`, import.meta.url),
    {
      workerData: { file, options },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxThreadMb },
    },
  )
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(tooMuch, timeoutMs, 'time')
  worker.on('message', resolve)
  worker.on('error', (error: Error & { code?: string }) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch('memory') : reject(error),
  )
  worker.on('exit', (code) => reject(new Error(`A thread ended with code ${code}.`)))
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    return worker.terminate()
  })
}

/** What ends a verification. */
export interface ThreadBounds {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** @throws `invalid_input` for what is no root hash */
function checkRoot(expect: string): void {
  if (/^[0-9a-f]{64}$/i.test(expect)) return
  const text = `"${expect.slice(0, 80)}" is not a root hash, which has 64 hex digits.`
  throw new ScholiumError('invalid_input', text, {
    hint: 'Give the whole root hash that export printed: scholium verify FILE --expect HASH',
  })
}

/** @throws `invalid_input` for what is neither a key in hex nor a file */
async function keyText(key: string, folder: string): Promise<string> {
  if (/^[0-9a-f]{64}$/i.test(key)) return key
  const path = resolve(folder, key)
  return readKeyFile(
    path,
    `The key "${key.slice(0, 80)}" is neither 64 hex digits nor a readable file.`,
    'Give the 64 hex digits printed by the signed export, or the public key in PEM format.',
  )
}
