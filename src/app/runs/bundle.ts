import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { SourceId } from '../../citations/source.ts'
import { readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { keyVariables } from '../../models/providers.ts'
import type { NamedSecret } from '../../observe/bundle/check-pieces.ts'
import type { ExportedBundle } from '../../observe/bundle/export-bundle.ts'
import type { StoredSource } from '../../observe/bundle/source-member.ts'
import type { BundleReport } from '../../observe/bundle/verify-bundle.ts'
import type { Library } from '../../retrieval/library.ts'
import type { AppParts } from '../app-parts.ts'
import type { Environment } from '../home.ts'
import { packageVersion } from '../version.ts'
import { bundledWorkflows } from '../workflows/workflow-registry.ts'
import { checkTarget, isOfFile, notWritable } from './bundle-target.ts'
import { findRunId } from './run-id.ts'
import { keysOf } from './run-models.ts'
import { telemetrySecrets } from './trace-telemetry.ts'

export type { BundleReport, ExportedBundle }

/** How a run is exported. */
export interface ExportOptions {
  /** Default: `<run id>.scholium` in the working folder. */
  readonly file?: string
  /** The file of an ed25519 private key in PEM, to sign the bundle with. */
  readonly signWith?: string
  /** `false` leaves the sources' texts out, but for the passages that were read under cited numbers. Default `true`. */
  readonly withText?: boolean
}

/** What a bundle is verified against beside itself. */
export interface VerifyOptions {
  /** The root hash that it should have. */
  readonly expect?: string
  /** The public key that should have signed it: 64 hex digits, or a file in PEM. */
  readonly key?: string
  /** Folder from which relative paths count. Default: the process's. */
  readonly folder?: string
}

/** Writes a run with all that it rests on into one file. */
export async function exportRun(
  parts: AppParts,
  run: string,
  { file, signWith, withText = true }: ExportOptions,
): Promise<ExportedBundle> {
  const { store, folder } = parts
  const runId = await findRunId(store, run)
  const path = resolve(folder, file ?? `${runId}${extension}`)
  await checkTarget(path, runId, signWith !== undefined)
  const privateKey =
    signWith === undefined ? {} : { privateKey: await privateKeyIn(resolve(folder, signWith)) }
  const { exportBundle } = await import('../../observe/bundle/export-bundle.ts')
  try {
    return await exportBundle({
      store,
      runId,
      path,
      draftSuffix: `${randomBytes(6).toString('hex')}.draft`,
      texts: withText ? 'full' : 'cited',
      secrets: secretsOf(parts),
      homes: [homedir(), parts.home.path],
      workflows: bundledWorkflows,
      readSource: (id) => readSource(parts.library, id as SourceId),
      ...privateKey,
    })
  } catch (error) {
    throw isOfFile(error) ? notWritable(path, error) : error
  }
}

/**
 * Checks a bundle from its bytes alone; what is wrong with it is in the report.
 * @throws `invalid_input` for a file that cannot be read, a root hash or a key that is none
 */
export async function verifyBundle(
  file: string,
  options: VerifyOptions = {},
): Promise<BundleReport> {
  const { expect, key, folder = process.cwd() } = options
  if (expect !== undefined) checkRoot(expect)
  const [{ withFile }, { publicKeyOf }, bundle] = await Promise.all([
    import('../../observe/bundle/byte-source.ts'),
    import('../../observe/bundle/signature.ts'),
    import('../../observe/bundle/verify-bundle.ts'),
  ])
  const publicKey = key === undefined ? undefined : publicKeyOf(await keyText(key, folder))
  return withFile(resolve(folder, file), (source) =>
    bundle.verifyBundle(source, {
      packageVersion,
      workflows: bundledWorkflows,
      ...(expect === undefined ? {} : { expect }),
      ...(publicKey === undefined ? {} : { publicKey }),
    }),
  )
}

const extension = '.scholium'

/** @throws `invalid_input` for what is no root hash */
function checkRoot(expect: string): void {
  if (/^[0-9a-f]{64}$/i.test(expect)) return
  const text = `The expected root hash is none: it has 64 hex digits, and "${expect.slice(0, 80)}" has not.`
  throw new ScholiumError('invalid_input', text, {
    hint: 'Give the whole root hash that export printed: scholium verify FILE --expect HASH',
  })
}

/** @throws `invalid_input` for what is neither a key in hex nor a file */
async function keyText(key: string, folder: string): Promise<string> {
  if (/^[0-9a-f]{64}$/i.test(key)) return key
  const path = resolve(folder, key)
  return keyFile(
    path,
    `The key "${key.slice(0, 80)}" is neither 64 hex digits nor a file that can be read.`,
    'Give the 64 hex digits that export printed when it signed, or the public key in PEM.',
  )
}

/** @throws `invalid_input` for a file that cannot be read */
function privateKeyIn(path: string): Promise<string> {
  return keyFile(
    path,
    `The key ${path} cannot be read.`,
    'Make one with: openssl genpkey -algorithm ed25519 -out key.pem',
  )
}

/** In bytes. */
const largestKey = 100_000

async function keyFile(path: string, text: string, hint: string): Promise<string> {
  try {
    return (await readWhole(path, largestKey)).toString('utf8')
  } catch (cause) {
    throw new ScholiumError('invalid_input', text, { hint, cause })
  }
}

async function readSource(library: Library, id: SourceId): Promise<StoredSource | undefined> {
  const [source, text] = await Promise.all([library.source(id), library.text(id)])
  if (source === undefined || text === undefined) return undefined
  return { source, text, passages: await library.passages(id) }
}

/** What others call a secret, with values long enough to be no word. */
const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i
const minUnknownLength = 16

/** Every secret that this process knows: the providers' keys, the models' own, and what variables are named as one. */
function secretsOf({ environment, options }: AppParts): readonly NamedSecret[] {
  const variables = Object.entries(environment).flatMap(([name, value = '']) => {
    const isKey = keyVariables.includes(name)
    const isNamedSo = secretName.test(name) && value.length >= minUnknownLength
    return isKey || isNamedSo ? [{ name, value: value.trim() }] : []
  })
  const given = Object.values(options.models ?? {}).flatMap((choice) =>
    typeof choice === 'object' && choice.apiKey !== undefined ? [choice.apiKey] : [],
  )
  const own = [...given, ...keysOf(options)]
  return [
    ...variables,
    ...own.map((value) => ({ name: 'the key of a model', value })),
    ...collectorKeys(environment).map((value) => ({ name: 'the key of a collector', value })),
  ]
}

/** The keys of collectors, also where nothing is sent to them now. */
function collectorKeys(environment: Environment): readonly string[] {
  const { OTEL_SDK_DISABLED: _off, OTEL_TRACES_EXPORTER: _exporter, ...others } = environment
  return telemetrySecrets({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost', ...others })
}
