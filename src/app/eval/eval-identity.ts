import { basename, resolve } from 'node:path'
import type { Identity } from '../../eval/folder.ts'
import { canonicalJson, type Json, sha256 } from '../../kernel/json.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { listBaseUrls } from '../../models/model-source.ts'
import { listFiles } from '../../sources/list-files.ts'
import type { AppParts } from '../app-parts.ts'
import { chooseTools } from '../ask/run-ask.ts'
import { rolesInUse } from '../models/roles.ts'
import { packageVersion } from '../version.ts'
import type { EvalAsk } from './eval-options.ts'
import { hashOfFiles, type NamedSet } from './eval-set.ts'

/** The identity of an evaluation: a change of any value would mix answers that are not comparable. */
export async function findIdentity(
  parts: AppParts,
  set: Pick<NamedSet, 'file' | 'hash' | 'filesHash'>,
  ask: EvalAsk,
  limits: Limits,
): Promise<Identity> {
  const library = await parts.library.list()
  return {
    workflow: 'ask',
    'question file': basename(set.file),
    'hash of the questions': set.hash,
    ...named('hash of the files of the questions', set.filesHash),
    version: packageVersion,
    home: parts.home.path,
    ...named('hash of the library', hashOfIds(library.map(({ id }) => id))),
    ...collectModels(parts),
    ...collectTexts({ ...ask, limits, ...chooseTools(parts, ask) }),
    ...named('hash of the sources', await hashOfSources(parts, ask)),
    ...collectTexts(collectCircumstances(parts, ask)),
  }
}

/** The model of each role with its settings, and its address without possible secrets. */
function collectModels({ modelSource }: AppParts): Identity {
  const addresses = Object.entries(listBaseUrls(modelSource, rolesInUse))
  const models = rolesInUse.flatMap((role) => {
    const { name, temperature, maxOutputTokens, takesImages } = modelSource.forRole(role)
    return [
      [`model of ${role}`, name],
      [`temperature of ${role}`, String(temperature)],
      [`output tokens of ${role}`, String(maxOutputTokens ?? 'default')],
      [`pictures for ${role}`, String(takesImages ?? false)],
    ]
  })
  return Object.fromEntries([
    ...models,
    ...addresses.map(([role, address]) => [`address of ${role}`, bareAddress(address)]),
  ])
}

function bareAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`
}

/** The setup for all questions; web servers as a hash, since their addresses may contain a key. */
function collectCircumstances({ options }: AppParts, { web }: EvalAsk) {
  const { python = {}, mcp = {}, webServers } = options
  return {
    'milliseconds of Python': python.timeoutMs,
    'megabytes of Python': python.memoryMb,
    'allowed tools of MCP servers': mcp.allow,
    ...(web === true && webServers !== undefined
      ? { 'hash of the servers of the web': sha256(toJson(webServers)) }
      : {}),
  }
}

async function hashOfSources({ folder }: AppParts, ask: EvalAsk): Promise<string> {
  const paths = (ask.sources ?? []).map((path) => resolve(folder, path))
  const root = ask.sourcesRoot === undefined ? {} : { within: resolve(folder, ask.sourcesRoot) }
  return hashOfFiles((await listFiles(paths, root)).files, folder)
}

function hashOfIds(ids: readonly string[]): string {
  return ids.length === 0 ? '' : sha256(ids.toSorted().join('\n'))
}

function named(name: string, value: string): Identity {
  return value === '' ? {} : { [name]: value }
}

function collectTexts(settings: object): Identity {
  return Object.fromEntries(
    Object.entries(settings)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : toJson(value)]),
  )
}

function toJson(value: unknown): string {
  return canonicalJson(JSON.parse(JSON.stringify(value)) as Json)
}
