import { fileURLToPath } from 'node:url'
import { afterEach } from 'vitest'
import type { Tool } from '../../src/kernel/agent/tool.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { readMcpConfig } from '../../src/tools/mcp/mcp-config.ts'
import { McpServers } from '../../src/tools/mcp/mcp-server.ts'
import { mcpTools } from '../../src/tools/mcp/mcp-tools.ts'
import type { Behaviour } from './odd-behaviour.ts'

/** Servers of one test, connected, with their tools and what they told. */
export interface Connected {
  readonly servers: McpServers
  readonly tools: readonly Tool[]
  readonly gaps: readonly { readonly server: string; readonly reason: string }[]
  readonly notices: readonly string[]
  call(name: string, input?: JsonObject, signal?: AbortSignal): Promise<Json>
  /** What a running tool showed. */
  readonly progress: readonly JsonObject[]
}

/** A signal that nothing aborts. */
export const unending = new AbortController().signal

/** The entry that starts a program of Node. */
export function nodeProgram(path: string, ...args: readonly string[]): JsonObject {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL(path, import.meta.url)), ...args],
  }
}

/** The entry that starts the odd server. */
export function oddServer(behaviour: Behaviour, more: JsonObject = {}): JsonObject {
  return { ...nodeProgram('odd-server.ts', behaviour), ...more }
}

/** The entry that starts an official server. */
export function officialServer(name: 'everything' | 'filesystem', ...args: string[]): JsonObject {
  const path = `../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`
  return nodeProgram(path, ...args)
}

/** Gives the function that connects servers of a configuration; they are closed after each test. */
export function useServers(): (mcpServers: JsonObject) => Promise<Connected> {
  const open: McpServers[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((servers) => servers.close()))
  })
  return async (mcpServers) => {
    const notices: string[] = []
    const progress: JsonObject[] = []
    const config = readMcpConfig(JSON.stringify({ mcpServers }), process.env)
    const onNotice = ({ text }: { readonly text: string }) => notices.push(text)
    const servers = new McpServers(config, { version: '0.0.0', onNotice })
    open.push(servers)
    const { tools, gaps } = await mcpTools(servers.servers, [], unending)
    const call: Connected['call'] = (name, input = {}, signal = unending) => {
      const tool = tools.find((candidate) => candidate.name === name)
      if (tool === undefined) throw new Error(`There is no ${name}.`)
      return tool.execute(input, { signal, key: 'test', emit: (data) => progress.push(data) })
    }
    return { servers, tools, gaps, notices, call, progress }
  }
}

/** The text of a result that has one block. */
export function textOf(result: Json): string {
  const { content } = result as { readonly content: readonly { readonly text: string }[] }
  return content.map(({ text }) => text).join('\n')
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Resolves once the condition holds. @throws when it does not within `timeoutMs` */
export async function until(condition: () => boolean, timeoutMs = 8_000): Promise<void> {
  const endMs = Date.now() + timeoutMs
  while (!condition()) {
    if (Date.now() > endMs) throw new Error('It did not come about in time.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
