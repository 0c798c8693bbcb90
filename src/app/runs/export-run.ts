import { randomBytes } from 'node:crypto'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { SourceId } from '../../citations/source.ts'
import { writeThroughDraft } from '../../files/write-whole.ts'
import { keyVariables } from '../../models/providers.ts'
import type { NamedSecret } from '../../observe/bundle/check-pieces.ts'
import type { WrittenBundle } from '../../observe/bundle/export-bundle.ts'
import type { StoredSource } from '../../observe/bundle/source-member.ts'
import type { Library } from '../../retrieval/library.ts'
import type { AppParts } from '../app-parts.ts'
import type { Environment } from '../trust/user-folders.ts'
import { checkTarget, isOfFile, notWritable, readKeyFile } from './bundle-files.ts'
import { findRunId } from './run-id.ts'
import { collectKeys } from './run-models.ts'
import { telemetrySecrets } from './trace-telemetry.ts'

/** The result of an export. */
export interface ExportedBundle extends WrittenBundle {
  /** The file, absolute. */
  readonly path: string
}

/** How a run is exported. */
export interface ExportOptions {
  /** Default: `<run id>.scholium` in the working folder. */
  readonly file?: string
  /** The file of an ed25519 private key in PEM, to sign the bundle with. */
  readonly signWith?: string
  /** `false` leaves the sources' texts out, but for the passages that were read under cited numbers. Default `true`. */
  readonly withText?: boolean
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
  const { workflow } = await store.get(runId)
  const bundled = parts.workflows.find(workflow)?.bundled
  const { exportBundle } = await import('../../observe/bundle/export-bundle.ts')
  try {
    const request = {
      store,
      runId,
      texts: withText ? ('full' as const) : ('cited' as const),
      secrets: collectSecrets(parts),
      homes: [homedir(), parts.home.path],
      workflows: new Map(bundled === undefined ? [] : [[workflow, bundled]]),
      readSource: (id: string) => readSource(parts.library, id as SourceId),
      ...privateKey,
    }
    // Several exports to one path may run at once.
    const draft = `${path}.${randomBytes(6).toString('hex')}.draft`
    const written = await writeThroughDraft(path, { draft }, ({ fd: file }) =>
      exportBundle({ ...request, file }),
    )
    return { ...written, path }
  } catch (error) {
    throw isOfFile(error) ? notWritable(path, error) : error
  }
}

const extension = '.scholium'

/** @throws `invalid_input` for a file that cannot be read */
function privateKeyIn(path: string): Promise<string> {
  return readKeyFile(
    path,
    `The key ${path} cannot be read.`,
    'Create one with: openssl genpkey -algorithm ed25519 -out key.pem',
  )
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
function collectSecrets({ environment, options }: AppParts): readonly NamedSecret[] {
  const variables = Object.entries(environment).flatMap(([name, value = '']) => {
    const isKey = keyVariables.includes(name)
    const isNamedSo = secretName.test(name) && value.length >= minUnknownLength
    return isKey || isNamedSo ? [{ name, value: value.trim() }] : []
  })
  const given = Object.values(options.models ?? {}).flatMap((choice) =>
    typeof choice === 'object' && choice.apiKey !== undefined ? [choice.apiKey] : [],
  )
  const own = [...given, ...collectKeys(options)]
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
