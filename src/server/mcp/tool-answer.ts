import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { toErrorAnswer } from '../request-error.ts'
import { type McpSite, runUri, sourceUri } from './mcp-site.ts'
import type { DescribedRun } from './run-output.ts'

/** A tool's answer: text for models, and the same as data. */
export function answerWith(
  text: string,
  output: Readonly<Record<string, unknown>>,
  links: CallToolResult['content'] = [],
): CallToolResult {
  return {
    content: [{ type: 'text', text: text.toWellFormed() }, ...links],
    structuredContent: output,
  }
}

/** A run as a tool's answer, with links to it and to the sources that it cites. */
export function answerWithRun({ output, text }: DescribedRun): CallToolResult {
  const { runId, title, sources } = output
  return answerWith(text, output, [
    { type: 'resource_link', uri: runUri(runId), name: runId, title, mimeType: 'text/markdown' },
    ...sources.slice(0, maxLinks).map((source) => sourceLink(source.uri, source.title)),
  ])
}

const maxLinks = 20

/** A link to a source. @param place its id or address */
export function sourceLink(place: string, title: string): CallToolResult['content'][number] {
  const uri = place.includes('://') ? place : sourceUri(place)
  return { type: 'resource_link', uri, name: title, mimeType: 'text/plain' }
}

/** Answers a call; what fails becomes a tool error that says what happened, why, and what to do. */
export async function answerCall(
  site: McpSite,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work()
  } catch (thrown) {
    tellUnexplained(site, thrown)
    return failedCall(site, thrown)
  }
}

/** Answers another request; what fails becomes an error of the protocol. */
export async function answerRequest<Result>(
  site: McpSite,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown
    tellUnexplained(site, thrown)
    const { status, body } = toErrorAnswer(thrown)
    const { message, hint = '' } = site.form.of(body.error)
    const isOfClient = status >= 400 && status < 500
    const code = isOfClient ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
    throw new ProtocolError(code, `${message} ${hint}`.trimEnd())
  }
}

/** Tells the operator of a failure whose answer does not explain it. */
export function tellUnexplained(site: McpSite, thrown: unknown): void {
  if (toErrorAnswer(thrown).status === 500) site.onFailure(thrown)
}

/** The tool error for anything that was thrown. @param note what else the caller should know */
export function failedCall(site: McpSite, thrown: unknown, note = ''): CallToolResult {
  const { body } = toErrorAnswer(thrown)
  const { code, message, hint = '' } = site.form.of(body.error)
  const text = [message, hint, note, `(${code})`].filter((part) => part !== '').join(' ')
  return { content: [{ type: 'text', text }], isError: true }
}
