import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../kernel/json.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import type { McpConnection } from './mcp-connection.ts'
import type { McpServer } from './mcp-server.ts'
import { maxResultChars, SizeBudget, toBlocks, toLink, toResource } from './tool-result.ts'
import { cleanLine } from './untrusted-text.ts'

const maxPages = 50
const maxItems = 2_000

/** A server's list as plain data. */
export type McpList = {
  readonly items: readonly JsonObject[]
  /** Whether the server has more. */
  readonly isCut: boolean
}

/** Content read from a server, as plain data, cut at 1 MB. */
export type McpContents = {
  readonly contents: readonly JsonObject[]
  /** What was left out, in words. */
  readonly cut?: string
}

/** A server's resources: `uri`, `name`, `title`, `description`, `mediaType`, `sizeBytes`. */
export function listResources(server: McpServer, signal: AbortSignal): Promise<McpList> {
  return listAll(server, 'resources', toLink, signal)
}

/** A server's prompts: `name`, `title`, `description`, `arguments`. */
export function listPrompts(server: McpServer, signal: AbortSignal): Promise<McpList> {
  return listAll(server, 'prompts', toPrompt, signal)
}

/** The contents of a resource; untrusted. */
export async function readResource(
  server: McpServer,
  uri: string,
  signal: AbortSignal,
): Promise<McpContents> {
  const request = { what: `the resource ${JSON.stringify(cleanLine(uri, 200))}`, isWrite: false }
  const timeout = server.config.timeoutMs
  const { contents } = await server.request(
    request,
    ({ client }) => client.readResource({ uri }, { signal, timeout, cacheMode: 'bypass' }),
    signal,
  )
  const size = new SizeBudget(maxResultChars)
  return readContents(
    server,
    contents.map((resource) => toResource(resource, size)),
    size,
  )
}

/** The messages of a server's prompt: `role` and `content`; untrusted. */
export async function getPrompt(
  server: McpServer,
  name: string,
  input: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<McpContents> {
  const request = { what: `the prompt ${JSON.stringify(cleanLine(name, 200))}`, isWrite: false }
  const timeout = server.config.timeoutMs
  const { messages } = await server.request(
    request,
    ({ client }) => client.getPrompt({ name, arguments: { ...input } }, { signal, timeout }),
    signal,
  )
  const size = new SizeBudget(maxResultChars)
  const contents = messages.map(({ role, content }) => ({
    role,
    content: toBlocks([content], undefined, size)[0] ?? { type: 'unknown' },
  }))
  return readContents(server, contents, size)
}

function readContents(
  server: McpServer,
  contents: readonly JsonObject[],
  size: SizeBudget,
): McpContents {
  const cut = size.cut()
  const read = { contents, ...(cut === undefined ? {} : { cut }) }
  return redactSecrets(read, server.config.secrets)
}

async function listAll(
  server: McpServer,
  kind: 'resources' | 'prompts',
  toItem: (raw: JsonObject) => JsonObject,
  signal: AbortSignal,
): Promise<McpList> {
  const request = { what: `the list of its ${kind}`, isWrite: false }
  const work = (connection: McpConnection) => listPages(connection, kind, signal)
  const { raw, isCut } = await server.request(request, work, signal)
  const items = raw.filter(isJsonObject).slice(0, maxItems).map(toItem)
  return redactSecrets({ items, isCut: isCut || raw.length > maxItems }, server.config.secrets)
}

async function listPages(
  { client }: McpConnection,
  kind: 'resources' | 'prompts',
  signal: AbortSignal,
): Promise<{ readonly raw: readonly unknown[]; readonly isCut: boolean }> {
  if (client.getServerCapabilities()?.[kind] === undefined) return { raw: [], isCut: false }
  const page = z.looseObject({ [kind]: z.array(z.unknown()), nextCursor: z.string().optional() })
  const raw: unknown[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages && raw.length <= maxItems; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const result = await client.request({ method: `${kind}/list`, params }, page, { signal })
    raw.push(...(result[kind] as readonly unknown[]))
    const { nextCursor } = result
    if (typeof nextCursor !== 'string' || nextCursor === '') return { raw, isCut: false }
    cursor = nextCursor
  }
  return { raw, isCut: true }
}

function toPrompt(prompt: JsonObject): JsonObject {
  const { uri: _none, ...named } = toLink(prompt)
  const parameters = Array.isArray(prompt.arguments) ? prompt.arguments.filter(isJsonObject) : []
  return {
    ...named,
    arguments: parameters.slice(0, 50).map((parameter) => {
      const { uri: _noUri, ...about } = toLink(parameter)
      return { ...about, required: parameter.required === true }
    }),
  }
}
