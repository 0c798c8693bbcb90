import { mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { CodeTool, FileResult } from '../../src/code/tools/code-tool.ts'
import {
  type CodeToolOptions,
  createCodeToolRegistry,
  createCodeTools,
} from '../../src/code/tools/code-tools.ts'
import { createJobs } from '../../src/code/tools/processes/jobs.ts'
import { ScholiumError } from '../../src/kernel/errors.ts'
import { type Hash, type Json, sha256 } from '../../src/kernel/json.ts'

/** A workspace with the tools of a coding agent, as a session has them. */
export interface ToolWorld {
  readonly folder: string
  /** What was kept before changes. */
  readonly kept: Map<Hash, string>
  readonly tools: readonly CodeTool[]
  /** Calls a tool by any of its names. @throws what the call throws, or its refused arguments */
  call<T extends Json = Json>(name: string, input: Json, signal?: AbortSignal): Promise<T>
  /** The same as a model sees it. */
  text(name: string, input: Json): Promise<string>
  tool(name: string): CodeTool
  path(way: string): string
  write(files: Readonly<Record<string, string | Uint8Array>>): Promise<void>
  close(): Promise<void>
}

/** Makes one in a new folder. */
export async function toolWorld(options: Partial<CodeToolOptions> = {}): Promise<ToolWorld> {
  const folder = join(await realpath(await mkdtemp(join(tmpdir(), 'code-tools-'))), 'work')
  await mkdir(folder)
  const kept = new Map<Hash, string>()
  const hashes = new Map<string, Hash>()
  const jobs = createJobs()
  const memory = {
    lastHash: (path: string) => hashes.get(path),
    async keep(text: string) {
      const hash = sha256(JSON.stringify(text))
      kept.set(hash, text)
      return hash
    },
  }
  const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: folder }
  const tools = createCodeTools({ workspace: folder, environment, jobs, memory, ...options })
  const registry = createCodeToolRegistry(tools)
  const tool = (name: string) => registry.get(name) as CodeTool
  let calls = 0
  const call = async (name: string, input: Json, signal = new AbortController().signal) => {
    const parsed = tool(name).parse(input)
    if (!parsed.ok) throw new ScholiumError('tool_failed', parsed.reason)
    const run = { signal, key: `call-${++calls}`, emit: () => {} }
    const output = await tool(name).execute(parsed.value, run)
    const { path, hash } = (output ?? {}) as Partial<FileResult>
    if (path !== undefined && hash !== undefined) hashes.set(path, hash)
    return output
  }
  return {
    folder,
    kept,
    tools,
    tool,
    call: call as ToolWorld['call'],
    async text(name, input) {
      const output = await call(name, input)
      return tool(name).present?.(output) ?? JSON.stringify(output)
    },
    path: (way) => join(folder, way),
    async write(files) {
      for (const [way, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, way)), { recursive: true })
        await writeFile(join(folder, way), content)
      }
    },
    close: () => jobs.close(),
  }
}
