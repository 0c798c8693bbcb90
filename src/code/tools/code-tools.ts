import { createToolRegistry, type ToolRegistry } from '../../kernel/agent/tool.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import { createSkillTool } from '../skills/skill-tool.ts'
import type { Skill } from '../skills/skills.ts'
import type { CodeTool, CommandRule, FileMemory } from './code-tool.ts'
import { createFetchTool } from './fetch-tool.ts'
import { createPathQueue } from './files/change-file.ts'
import { createCodeWorkspace } from './files/code-workspace.ts'
import { createReadTool } from './files/read-tool.ts'
import { createEditTool, createWriteTool } from './files/write-tools.ts'
import {
  createBashTool,
  createJobOutputTool,
  createJobStopTool,
} from './processes/command-tools.ts'
import type { Jobs } from './processes/jobs.ts'
import { createGlobTool, createGrepTool, createListTool } from './search/search-tools.ts'
import { createTodoTool } from './todo-tool.ts'
import { toOwnName } from './tool-names.ts'

/** What a coding agent's tools are created with. */
export interface CodeToolOptions {
  /** The folder that no file access leaves and in which commands start. */
  readonly workspace: string
  /** Folders in it that are off limits, such as the one with the runs; `.git` and `.scholium` always are. */
  readonly closedFolders?: readonly string[]
  /** Environment variables of commands. @see createCommandEnvironment */
  readonly environment: Readonly<Record<string, string>>
  readonly jobs: Jobs
  readonly memory: FileMemory
  /**
   * Rules for commands, after the built-in ones: a matching `deny` takes precedence, otherwise the last match. Without
   * a match the person is asked.
   */
  readonly rules?: readonly CommandRule[]
  /**
   * What the rules say about reading a file (relative to the workspace). Without a rule, files such as `.env` and
   * `id_rsa` are not read.
   */
  readonly readVerdict?: (relativePath: string) => 'allow' | 'deny' | undefined
  /** For `skill`, which is omitted if there are none. */
  readonly skills?: readonly Skill[]
  /** For `fetch`, which is omitted without it. */
  readonly web?: WebSources
  /** Path of `rg`; without it this process searches by itself. */
  readonly ripgrep?: string
}

/**
 * Creates the tools: `read`, `write`, `edit`, `list`, `glob`, `grep`, `bash`, `job_output`, `job_stop`, `todo`, with
 * skills also `skill`, and with web access `fetch`.
 * @throws `invalid_configuration` for a malformed rule
 */
export function createCodeTools(options: CodeToolOptions): readonly CodeTool[] {
  const { jobs, memory, environment, web, ripgrep, rules = [], skills = [] } = options
  const workspace = createCodeWorkspace(options)
  const files = { workspace, memory, inTurn: createPathQueue() }
  return [
    createReadTool(workspace),
    createWriteTool(files),
    createEditTool(files),
    createListTool(workspace),
    createGlobTool(workspace),
    createGrepTool(workspace, ripgrep),
    createBashTool({ workspace, folder: options.workspace, environment, jobs, rules }),
    createJobOutputTool(jobs),
    createJobStopTool(jobs),
    createTodoTool(),
    ...(skills.length === 0 ? [] : [createSkillTool(skills)]),
    ...(web === undefined ? [] : [createFetchTool(web)]),
  ]
}

/**
 * Registers the tools by name, including the names other agents use for them; a model is offered each once.
 * @throws `invalid_configuration` if two tools have the same name
 */
export function createCodeToolRegistry<T extends CodeTool>(tools: readonly T[]): ToolRegistry {
  const registry = createToolRegistry(tools)
  return {
    tools: registry.tools,
    get: (name) => registry.get(name) ?? registry.get(toOwnName(name)),
  }
}
