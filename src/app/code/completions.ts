import { basename, resolve } from 'node:path'
import { createCodeWorkspace } from '../../code/tools/files/code-workspace.ts'
import { walkFolder } from '../../code/tools/search/walk-folder.ts'
import type { AppParts } from '../app-parts.ts'
import { findSession } from './find-session.ts'
import type { CodeRequest } from './open-session.ts'
import { sessionInput } from './session-messages.ts'
import { findClosedFolders } from './workspace-files.ts'

/** A prompt of an MCP server, as a request names it. */
export interface PromptLine {
  /** `/server:prompt`. */
  readonly name: string
  /** Its parameters, required ones first. */
  readonly parameters: readonly string[]
  readonly description: string
}

/** Where a session works, and which servers it may use. */
type Site = { readonly workspace: string; readonly mcp: readonly string[] }

/** Folders whose files are not offered. */
const passedOver: ReadonlySet<string> = new Set(
  'node_modules dist build target vendor coverage __pycache__ venv'.split(' '),
)
const mostPaths = 20_000
const timeoutMs = 30_000

/** Completions for a request to a session. */
export class Completions {
  private readonly parts: AppParts
  private readonly request: CodeRequest

  constructor(parts: AppParts, request: CodeRequest) {
    this.parts = parts
    this.request = request
  }

  /**
   * The files of the workspace as its tools list them, without ignored, installed and built ones. Files near the root
   * come first: at most 20,000, with `/`.
   */
  async paths(): Promise<readonly string[]> {
    const { workspace } = await this.site()
    const { root, isClosed } = createCodeWorkspace({
      workspace,
      closedFolders: findClosedFolders(workspace, this.parts),
    })
    const { signal } = new AbortController()
    const paths: string[] = []
    const options = {
      respectsIgnore: true,
      isNearestFirst: true,
      isClosed: (way: string, isFolder: boolean) =>
        isClosed(way) || (isFolder && passedOver.has(basename(way))),
      signal,
    }
    for await (const { relativePath, isFolder } of walkFolder(await root(), '', options)) {
      if (!isFolder) paths.push(relativePath)
      if (paths.length === mostPaths) break
    }
    return paths
  }

  /**
   * The prompts of the MCP servers that may be used. A failing server has none: the failure is reported where it is
   * used.
   */
  async prompts(): Promise<readonly PromptLine[]> {
    const { mcp } = await this.site()
    const lists = await Promise.allSettled(mcp.map((name) => this.promptsOf(name)))
    return lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []))
  }

  private async promptsOf(server: string): Promise<readonly PromptLine[]> {
    const { listPrompts } = await import('../../tools/mcp/resources.ts')
    const signal = AbortSignal.timeout(timeoutMs)
    const { items } = await listPrompts(await this.parts.mcp.server(server), signal)
    return items.map(({ name, description = '', arguments: given }) => {
      const parameters = given as readonly { readonly name: string; readonly required: boolean }[]
      const inOrder = parameters.toSorted((one, other) => +other.required - +one.required)
      return {
        name: `/${server}:${name}`,
        parameters: inOrder.map((parameter) => parameter.name),
        description: String(description),
      }
    })
  }

  /** For a resumed session, its own. */
  private async site(): Promise<Site> {
    const { resume, workspace, mcp } = this.request
    if (resume !== undefined) {
      const { runId } = await findSession(this.parts, resume, workspace)
      return sessionInput(this.parts.store, runId)
    }
    const folder = resolve(this.parts.folder, workspace ?? '.')
    return { workspace: folder, mcp: this.parts.mcp.namesFor(mcp) }
  }
}
