import type { z } from '@hono/zod-openapi'
import type { App } from '../../app.ts'
import type { responsesRequest } from './openai-schemas.ts'

/** What a response says again of its request. */
export type EchoedRequest = Pick<
  z.infer<typeof responsesRequest>,
  'instructions' | 'previous_response_id' | 'metadata' | 'background' | 'tools' | 'tool_choice'
>

/** What of a request is recorded with its run, as JSON. */
export function toEcho(request: EchoedRequest): string {
  const { instructions, previous_response_id, metadata, background, tool_choice } = request
  // Descriptions of MCP servers hold keys.
  const tools = request.tools?.map((tool) => (tool.type === 'mcp' ? { type: 'mcp' } : tool))
  const echoed = { instructions, previous_response_id, metadata, background, tools, tool_choice }
  return JSON.stringify(echoed)
}

/** What is recorded of the request that started a run; empty for a run that began otherwise. */
export async function readEcho(app: App, runId: string): Promise<EchoedRequest> {
  const filter = { types: ['run.started'], withOutput: false } as const
  for await (const { data } of app.events(runId, filter))
    return JSON.parse(data.labels?.request ?? '{}') as EchoedRequest
  return {}
}
