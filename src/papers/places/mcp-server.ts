import { isRecord } from '../../bibliography/csl-item.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { findJson } from '../../kernel/text/json-from-text.ts'
import { toLine } from '../../sources/lookup/values.ts'
import type { DescribedTool, McpAccess, McpOffer } from '../../tools/mcp/mcp-access.ts'
import type { McpResult } from '../../tools/mcp/tool-result.ts'

/** An MCP server for arXiv. */
export interface PaperServerSettings {
  readonly access: Pick<McpAccess, 'offer' | 'call'>
  /** Its name in the configuration. */
  readonly server: string
  /** Key for its files: the same for the same program or address, whatever its name. */
  readonly identity: string
  /** Where it stores files; without it, none of its files is read. */
  readonly folder?: string
}

/** The result of a call, or why there is none. */
export type ServerAnswer =
  | { readonly ok: true; readonly result: McpResult }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** Calls a tool of the server by its own name, with input made for the parameters it declares. */
export async function callServerTool(
  { access, server }: PaperServerSettings,
  toolName: string,
  inputFor: (has: (parameter: string) => JsonObject | undefined) => JsonObject,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const offer = await access.offer([server], [], signal)
  const tool = offer.tools.find(({ name }) => name === toolName || name.endsWith(`.${toolName}`))
  if (tool === undefined) return notOffered(server, toolName, offer)
  const input = inputFor((parameter) => findParameter(tool, parameter))
  const run = { signal, key: `papers/${toolName}`, emit: () => undefined }
  const outcome = await access.call(tool, [], input, run)
  if (outcome.ok) return { ok: true, result: outcome.result }
  const { code: reason, message: detail, hint } = outcome.error
  return { ok: false, reason, detail, ...(hint === undefined ? {} : { hint }) }
}

function findParameter({ parameters }: DescribedTool, name: string): JsonObject | undefined {
  const { properties } = parameters as {
    readonly properties?: Readonly<Record<string, JsonObject>>
  }
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
}

/** The server is unavailable, or the tool is not allowed or not offered. */
function notOffered(server: string, toolName: string, offer: McpOffer): ServerAnswer {
  const { unavailable, notices } = offer
  const [failure] = unavailable
  if (failure !== undefined) return { ok: false, reason: 'server_failed', detail: failure.detail }
  const why = notices.find(({ text }) => text.includes(toolName))
  const detail = why?.text ?? `MCP server "${server}" has no tool ${toolName}.`
  return { ok: false, reason: why === undefined ? 'not_offered' : 'not_allowed', detail }
}

/** The entries of a search result, of any shape, or what the server said. */
type ServerRecords =
  | { readonly ok: true; readonly entries: readonly unknown[] }
  | { readonly ok: false; readonly detail: string }

const listNames = ['papers', 'results', 'entries', 'items', 'articles', 'data', 'result']
/** Maximum depth of lists in records and of JSON in texts. */
const maxDepth = 5

/** Finds the entries in a result: in its structured data, or as JSON in its texts, alone, in a list, or one per text. */
export function findRecords({ content, structured }: McpResult): ServerRecords {
  const texts = content.flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
  const values = structured === undefined ? [] : [structured as unknown]
  const inData = findEntries(values, maxDepth)
  if (inData !== undefined) return { ok: true, entries: inData }
  const json = texts.flatMap(parseJson)
  const inTexts = findEntries(json, maxDepth)
  if (inTexts !== undefined) return { ok: true, entries: inTexts }
  const said = [...values, ...json].map(findFailure).find((found) => found !== undefined)
  if (said !== undefined) return { ok: false, detail: said }
  const words = toLine(texts.join(' '), 300)
  // An empty list arrives as no text at all.
  if (words === undefined && values.length === 0) return { ok: true, entries: [] }
  if (/\bno (?:\w+ )?(?:papers|results|matches|articles)\b/i.test(words ?? '')) {
    return { ok: true, entries: [] }
  }
  return { ok: false, detail: `It is not a list of papers: ${words ?? 'data of another shape'}` }
}

/** How servers name failures and unfinished work. */
const failureStatus =
  /^(?:error|fail|not|convert|pend|process|queue|running|download(?:ing|$)|in.progress)/i

/** What a record says about its own failure or unfinished work. */
export function findFailure(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const status = toLine(value.status, 40) ?? ''
  const error = isRecord(value.error) ? value.error.message : value.error
  const said = toLine(error, 300) ?? toLine(value.message, 300) ?? toLine(value.detail, 300)
  const isFailed = toLine(error) !== undefined || failureStatus.test(status)
  return isFailed ? (said ?? status) : undefined
}

function parseJson(text: string): readonly unknown[] {
  return findJson(text).map(({ value }) => value)
}

/** `undefined` if no value is or contains a paper or a list of papers. */
function findEntries(values: readonly unknown[], depth: number): readonly unknown[] | undefined {
  const found = values.map((value) => findList(value, depth)).filter((list) => list !== undefined)
  return found.length === 0 ? undefined : found.flat()
}

function findList(value: unknown, depth: number): readonly unknown[] | undefined {
  if (depth === 0) return undefined
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return findEntries(parseJson(value), depth - 1)
  if (!isRecord(value)) return undefined
  for (const name of listNames) {
    const list = Object.hasOwn(value, name) ? findList(value[name], depth - 1) : undefined
    if (list !== undefined) return list
  }
  return Object.hasOwn(value, 'title') ? [value] : undefined
}
