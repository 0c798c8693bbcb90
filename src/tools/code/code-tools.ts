import type { ToolRegistry } from '../../kernel/tool.ts'
import type { WebSources } from '../web/web-sources.ts'
import type { CodeTool, CommandRule, FileMemory } from './code-tool.ts'
import type { Jobs } from './jobs.ts'

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
  /** Files like `.env` and `id_rsa` that may be read all the same, as globs from the workspace on. */
  readonly readableSecrets?: readonly string[]
  /** For `fetch`, which is left out without it. */
  readonly web?: WebSources
  /** The program `rg`; without one the folder is searched by this process. */
  readonly ripgrep?: string
}

/**
 * The tools: `read`, `write`, `edit`, `list`, `glob`, `grep`, `bash`, `job_output`, `job_stop`, `todo` and, with the web, `fetch`.
 */
export function createCodeTools(_options: CodeToolOptions): readonly CodeTool[] {
  return []
}

/** The tools by name, also by the names that other agents have for them; a model is offered each once. */
export function codeToolRegistry(_tools: readonly CodeTool[]): ToolRegistry {
  return { tools: [], get: () => undefined }
}
