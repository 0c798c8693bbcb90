import type { MentionedText, UnreadMention } from '../../code/parts.ts'
import type { CodeInput } from '../../code/settings.ts'
import { createCodeWorkspace } from '../../code/tools/files/code-workspace.ts'
import { exactly, FileRefused, readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import { findClosedFolders } from './workspace-files.ts'

const maxFileBytes = 100_000

/** Reads what a request mentions: a resource or a prompt of a server, or a file of the workspace. */
export async function readMention(
  parts: AppParts,
  mention: string,
  { mcp, workspace }: CodeInput,
  signal: AbortSignal,
): Promise<MentionedText | UnreadMention> {
  const [, server = '', prompt = '', values = ''] =
    /^\/([^:\s]+):(\S+)\s*(.*)$/s.exec(mention) ?? []
  if (mcp.includes(server)) return promptText(parts, server, { prompt, values }, signal)
  const [, owner = '', uri = ''] = /^([^:]+):(.+)$/.exec(mention) ?? []
  if (mcp.includes(owner)) return resourceText(parts, owner, uri, signal)
  if (server !== '') return { why: `the session has no MCP server ${server}.` }
  return fileText(workspace, findClosedFolders(workspace, parts), mention)
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
  const text = contents.map(({ content }) => formatText(content as JsonObject)).join('\n\n')
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
  const text = contents.map(formatText).join('\n\n')
  const note = cut === undefined ? '' : `\n(${cut})`
  return { title: `${server}:${uri}`, text: `${text}${note}`, isForeign: true }
}

function formatText(content: JsonObject): string {
  return typeof content.text === 'string' ? content.text : JSON.stringify(content)
}

/** Reads a text file of the workspace under the default rules of the tools. */
async function fileText(
  workspace: string,
  closedFolders: readonly string[],
  mention: string,
): Promise<MentionedText | UnreadMention> {
  try {
    const { path, isSecret } = await createCodeWorkspace({ workspace, closedFolders }).place(
      mention,
    )
    if (isSecret) return { why: 'files of keys, such as .env, are not shown to models this way.' }
    const bytes = await readWhole(path, maxFileBytes, exactly(path))
    const text = bytes.includes(0) ? '(The file is not text.)' : new TextDecoder().decode(bytes)
    return { title: mention, text, isForeign: false }
  } catch (error) {
    if (error instanceof ScholiumError) return { why: error.message }
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { why: 'there is no such file.' }
    if (!(error instanceof FileRefused)) return { why: `it cannot be read: ${message}.` }
    if (error.kind !== 'too_large') return { why: `${error.message}.` }
    return {
      title: mention,
      text: `(The file ${error.says}: read it in parts.)`,
      isForeign: false,
    }
  }
}
