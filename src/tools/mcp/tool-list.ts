import * as z from 'zod'
import { type Hash, hashJson, type JsonObject } from '../../kernel/json.ts'
import type { McpConnection } from './mcp-connection.ts'
import { checkToolSchema } from './tool-schema.ts'
import { cleanLine, cleanText } from './untrusted-text.ts'

const maxPages = 50
const maxTools = 512
const maxDescriptionChars = 2_000

/** A server's description of a tool, checked and cleaned. */
export interface McpTool {
  /** The server's own name for it. */
  readonly name: string
  readonly description: string
  readonly schema: JsonObject
  /** Whether the server says that it changes nothing. */
  readonly claimsReadOnly: boolean
  /** Of everything used from the description: another hash is another tool. */
  readonly hash: Hash
}

/** What a server offers, and which of it cannot be used. */
export interface ToolList {
  readonly tools: readonly McpTool[]
  /** One sentence each, following the server's name and a colon. */
  readonly problems: readonly string[]
}

const page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
const listed = z.looseObject({
  name: z.string().min(1).max(256),
  description: z.string().optional(),
  inputSchema: z.unknown().optional(),
  annotations: z.looseObject({ readOnlyHint: z.boolean().optional() }).optional(),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional(),
})

/** All tools of a server, page by page. Invalid ones are left out and named; they do not affect the others. */
export async function listTools(connection: McpConnection, signal: AbortSignal): Promise<ToolList> {
  const { client } = connection
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [], problems: [] }
  const raw: unknown[] = []
  const problems: string[] = []
  const cursors = new Set<string>()
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const params: { cursor?: string } = cursor === '' ? {} : { cursor }
    const result: z.output<typeof page> = await client.request(
      { method: 'tools/list', params },
      page,
      { signal },
    )
    raw.push(...result.tools)
    const next = result.nextCursor
    cursor = next === '' ? undefined : next
    if (cursor === undefined) break
    if (cursors.has(cursor) || cursors.size + 1 >= maxPages || raw.length >= maxTools) {
      problems.push('the list of its tools is endless; only the first are used.')
      break
    }
    cursors.add(cursor)
  }
  return checkTools(raw, problems)
}

async function checkTools(raw: readonly unknown[], problems: string[]): Promise<ToolList> {
  const tools = new Map<string, McpTool>()
  if (raw.length > maxTools)
    problems.push(`of its ${raw.length} tools the first ${maxTools} are used.`)
  for (const item of raw.slice(0, maxTools)) {
    const checked = await checkTool(item)
    if ('problem' in checked) problems.push(checked.problem)
    else if (tools.has(checked.name))
      problems.push(`it offers ${describeName(checked.name)} twice.`)
    else tools.set(checked.name, checked)
  }
  return { tools: [...tools.values()], problems }
}

async function checkTool(item: unknown): Promise<McpTool | { readonly problem: string }> {
  const parsed = listed.safeParse(item)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = describeName((item as { name?: unknown } | null)?.name)
    return { problem: `its tool ${name} is left out: ${issue?.path.join('.')}: ${issue?.message}.` }
  }
  const { name, description = '', inputSchema, annotations, execution } = parsed.data
  if (execution?.taskSupport === 'required') {
    return { problem: `its tool ${describeName(name)} is left out: it works only as a task.` }
  }
  const checked = await checkToolSchema(inputSchema)
  if (!checked.ok)
    return { problem: `its tool ${describeName(name)} is left out: ${checked.reason}.` }
  const claimsReadOnly = annotations?.readOnlyHint === true
  return {
    name,
    description: cleanText(description, maxDescriptionChars),
    schema: checked.schema,
    claimsReadOnly,
    hash: hashJson({ description, inputSchema, claimsReadOnly }),
  }
}

function describeName(name: unknown): string {
  return JSON.stringify(typeof name === 'string' ? cleanLine(name, 80) : '(without a name)')
}

/** The differences between two lists, like {@link ToolList.problems}; empty if equal. */
export function describeChanges(before: ToolList, after: ToolList): readonly string[] {
  const known = new Map(before.tools.map((tool) => [tool.name, tool]))
  const left = new Set(after.tools.map(({ name }) => name))
  const changes = after.tools.flatMap((tool) => {
    const old = known.get(tool.name)
    if (old === undefined) return [`its tool ${describeName(tool.name)} is new.`]
    return old.hash === tool.hash
      ? []
      : [`its tool ${describeName(tool.name)} changed: ${describeChange(old, tool)}.`]
  })
  const gone = before.tools.filter(({ name }) => !left.has(name))
  return [...changes, ...gone.map(({ name }) => `its tool ${describeName(name)} is gone.`)]
}

function describeChange(before: McpTool, after: McpTool): string {
  const parts = [
    before.description === after.description ? '' : 'its description',
    hashJson(before.schema) === hashJson(after.schema) ? '' : 'the schema of its arguments',
    before.claimsReadOnly === after.claimsReadOnly ? '' : 'whether it says that it only reads',
  ]
  return parts.filter((part) => part !== '').join(', ') || 'something that is not shown'
}
