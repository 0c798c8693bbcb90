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

/** What the tools of a coding agent are made with. */
export interface CodeToolOptions {
  /** The folder out of which no file is read or written, and in which commands begin. */
  readonly workspace: string
  /** Folders in it that are left alone, such as where runs are kept; `.git` and `.scholium` always are. */
  readonly closedFolders?: readonly string[]
  /** What commands see of the environment. @see commandEnvironment */
  readonly environment: Readonly<Record<string, string>>
  readonly jobs: Jobs
  readonly memory: FileMemory
  /** After those that are built in: a `deny` that fits wins, else the last rule that fits; without one a command is asked about. */
  readonly rules?: readonly CommandRule[]
  /** What a rule says of reading a file, named from the workspace on; without one files like `.env` and `id_rsa` are not read. */
  readonly readVerdict?: (relativePath: string) => 'allow' | 'deny' | undefined
  /** For `skill`, which is left out where there are none. */
  readonly skills?: readonly Skill[]
  /** For `fetch`, which is left out without it. */
  readonly web?: WebSources
  /** The program `rg`; without one the folder is searched by this process. */
  readonly ripgrep?: string
}

/**
 * The tools: `read`, `write`, `edit`, `list`, `glob`, `grep`, `bash`, `job_output`, `job_stop`, `todo`, where there are skills
 * `skill`, and with the web `fetch`.
 * @throws `invalid_configuration` for a rule that is none
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
 * The tools by name, also by the names that other agents have for them; a model is offered each once.
 * @throws `invalid_configuration` when two have one name
 */
export function createCodeToolRegistry<T extends CodeTool>(tools: readonly T[]): ToolRegistry {
  const registry = createToolRegistry(tools)
  return {
    tools: registry.tools,
    get: (name) => registry.get(name) ?? registry.get(toOwnName(name)),
  }
}
