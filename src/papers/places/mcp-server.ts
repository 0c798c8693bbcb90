import { isRecord } from '../../bibliography/csl-item.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { findJson } from '../../kernel/text/json-from-text.ts'
import { lineOf } from '../../sources/lookup/values.ts'
import type { DescribedTool, McpAccess, McpOffer } from '../../tools/mcp/mcp-access.ts'
import type { McpResult } from '../../tools/mcp/tool-result.ts'

/** An MCP server that knows arXiv. */
export interface PaperServerSettings {
  readonly access: Pick<McpAccess, 'offer' | 'call'>
  /** Its name in the configuration. */
  readonly server: string
  /** By what its files are remembered: the same for the same program or address, whatever it is called. */
  readonly identity: string
  /** Where it puts the files that it names; without it no file of its is read. */
  readonly folder?: string
}

/** What a call gave, or why it gave nothing. */
export type ServerAnswer =
  | { readonly ok: true; readonly result: McpResult }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** Calls a tool of the server by the server's own name for it, with input made for the parameters that the tool says it has. */
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

/** The server could not be had, or its tool may not be used, or there is none. */
function notOffered(server: string, toolName: string, offer: McpOffer): ServerAnswer {
  const { unavailable, notices } = offer
  const [failure] = unavailable
  if (failure !== undefined) return { ok: false, reason: 'server_failed', detail: failure.detail }
  const why = notices.find(({ text }) => text.includes(toolName))
  const detail = why?.text ?? `MCP server "${server}" has no tool ${toolName}.`
  return { ok: false, reason: why === undefined ? 'not_offered' : 'not_allowed', detail }
}

/** What a server's search gave: entries of any shape, or what it says in place of them. */
type ServerRecords =
  | { readonly ok: true; readonly entries: readonly unknown[] }
  | { readonly ok: false; readonly detail: string }

const listNames = ['papers', 'results', 'entries', 'items', 'articles', 'data', 'result']
/** How deep lists may lie in records, and JSON in texts. */
const maxDepth = 5

/** The entries in a result: in its data, or as JSON in its texts, alone, in a list, or one for each text. */
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
  const words = lineOf(texts.join(' '), 300)
  // A list without members comes as no text at all.
  if (words === undefined && values.length === 0) return { ok: true, entries: [] }
  if (/\bno (?:\w+ )?(?:papers|results|matches|articles)\b/i.test(words ?? '')) {
    return { ok: true, entries: [] }
  }
  return { ok: false, detail: `It is no list of papers: ${words ?? 'data of another shape'}` }
}

/** What servers call a failure, and what is not done yet. */
const failureStatus =
  /^(?:error|fail|not|convert|pend|process|queue|running|download(?:ing|$)|in.progress)/i

/** What a record says of its own failure, or of not being done yet. */
export function findFailure(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const status = lineOf(value.status, 40) ?? ''
  const error = isRecord(value.error) ? value.error.message : value.error
  const said = lineOf(error, 300) ?? lineOf(value.message, 300) ?? lineOf(value.detail, 300)
  const isFailed = lineOf(error) !== undefined || failureStatus.test(status)
  return isFailed ? (said ?? status) : undefined
}

function parseJson(text: string): readonly unknown[] {
  return findJson(text).map(({ value }) => value)
}

/** `undefined`: none of the values is or holds a paper or a list of them. */
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
