import { readFile, stat } from 'node:fs/promises'
import type { JsonObject } from '../../kernel/json.ts'
import { realPlace } from '../../tools/workspace/real-place.ts'
import type { LeftOut, MentionedText } from '../../workflows/code/parts.ts'
import type { CodeInput } from '../../workflows/code/settings.ts'
import type { AppParts } from '../app-parts.ts'

const maxFileBytes = 100_000
/** What is kept from models by the tools, too. */
const closed = /(?:^|\/)(?:\.git|\.scholium|\.env[^/]*|\.ssh|id_[a-z0-9]+)(?:\/|$)/

/** What a mention of a request stands for: a resource or a prompt of a server, or a file of the workspace. */
export async function mentioned(
  parts: AppParts,
  mention: string,
  { mcp, workspace }: CodeInput,
  signal: AbortSignal,
): Promise<MentionedText | LeftOut> {
  const [, server = '', prompt = '', values = ''] =
    /^\/([^:\s]+):(\S+)\s*(.*)$/s.exec(mention) ?? []
  if (mcp.includes(server)) return promptText(parts, server, { prompt, values }, signal)
  const [, owner = '', uri = ''] = /^([^:]+):(.+)$/.exec(mention) ?? []
  if (mcp.includes(owner)) return resourceText(parts, owner, uri, signal)
  if (server !== '') return { why: `the session has no MCP server ${server}.` }
  return fileText(workspace, mention)
}

async function promptText(
  parts: AppParts,
  server: string,
  { prompt, values }: { readonly prompt: string; readonly values: string },
  signal: AbortSignal,
): Promise<MentionedText> {
  const input = Object.fromEntries(
    [...values.matchAll(/([\w.-]+)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, bare]) => [
      name as string,
      quoted ?? bare ?? '',
    ]),
  )
  const { getPrompt } = await import('../../tools/mcp/resources.ts')
  const { contents } = await getPrompt(await parts.mcp.server(server), prompt, input, signal)
  const text = contents.map(({ content }) => textOf(content as JsonObject)).join('\n\n')
  return { title: `/${server}:${prompt}`, text, isForeign: true }
}

async function resourceText(
  parts: AppParts,
  server: string,
  uri: string,
  signal: AbortSignal,
): Promise<MentionedText> {
  const { readResource } = await import('../../tools/mcp/resources.ts')
  const { contents, cut } = await readResource(await parts.mcp.server(server), uri, signal)
  const text = contents.map(textOf).join('\n\n')
  const note = cut === undefined ? '' : `\n(${cut})`
  return { title: `${server}:${uri}`, text: `${text}${note}`, isForeign: true }
}

function textOf(content: JsonObject): string {
  return typeof content.text === 'string' ? content.text : JSON.stringify(content)
}

/** A text file of the workspace. */
async function fileText(workspace: string, path: string): Promise<MentionedText | LeftOut> {
  const place = await realPlace(workspace, path)
  if (!place.ok) return { why: place.error }
  if (closed.test(place.names.join('/')))
    return { why: 'files of keys, such as .env, and of Git are not shown to models this way.' }
  const status = await stat(place.path).catch(() => undefined)
  if (status?.isFile() !== true)
    return { why: status === undefined ? 'there is no such file.' : 'it is no file.' }
  if (status.size > maxFileBytes) {
    const text = `(The file has ${status.size} bytes: read it in parts.)`
    return { title: path, text, isForeign: false }
  }
  const bytes = await readFile(place.path)
  if (bytes.includes(0)) return { title: path, text: '(The file is no text.)', isForeign: false }
  return { title: path, text: new TextDecoder().decode(bytes), isForeign: false }
}
