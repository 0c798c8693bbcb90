import type { Tool } from '../kernel/agent/tool.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { CodeEvent } from './events.ts'
import type { WorkspaceFiles } from './file-changes.ts'
import type { CodePrompts } from './prompts.ts'
import type { CodeInput, SessionGrants } from './settings.ts'
import type { Skill } from './skills/skills.ts'
import type { SessionState } from './state.ts'
import type { CodeTool, CommandRule, FileMemory } from './tools/code-tool.ts'

/** What tools of a session rest on that changes while it goes on. */
export interface ToolContext {
  readonly workspace: string
  readonly memory: FileMemory
  readonly rules: readonly CommandRule[]
  /** What a rule says of reading a file, named from the workspace on, or of giving commands a variable of the environment. */
  verdictOn(what: 'read' | 'env', name: string): 'allow' | 'deny' | undefined
  readonly web: boolean
  readonly skills: readonly Skill[]
}

/** What the coding agent works with. */
export interface CodeParts {
  readonly prompts: CodePrompts
  /** The tools of the workspace. */
  tools(site: ToolContext): readonly CodeTool[]
  /** Tools beside them: of MCP servers, the question team. What there is, is recorded. */
  moreTools(context: RunContext, input: CodeInput): Promise<MoreTools>
  files(workspace: string): WorkspaceFiles
  /** What a mention of a request stands for: a file, `server:uri`, or `/server:prompt` with what follows it. */
  mention?(
    mention: string,
    input: CodeInput,
    signal: AbortSignal,
  ): Promise<MentionedText | UnreadMention>
}

/** Tools beside those of the workspace. */
export interface MoreTools {
  readonly tools: readonly Tool[]
  /** Names of those that the operator has allowed to change something. */
  readonly allowed: readonly string[]
  /** What is to be told of them. */
  readonly notes: readonly string[]
}

/** Why nothing can be put behind a request for a mention, in words that follow the mention. */
export type UnreadMention = { readonly why: string }

/** What stands behind a mention. */
export type MentionedText = {
  readonly title: string
  readonly text: string
  /** Whether neither the person nor the operator wrote it. */
  readonly isForeign: boolean
}

/** Who drives an execution of a session: hears what happens, and may stop a turn. */
export interface SessionDriver {
  onEvent?(event: CodeEvent): void
  /** Gets the tools that the session's model is offered. */
  onTools?(tools: readonly Tool[]): void
  /** Gets what the session is after each turn, and before its first prompt. */
  onState?(state: SessionState): void
  /** Gets the way to stop the turn that begins; `undefined` once it is over. */
  onTurn?(stop: (() => Promise<void>) | undefined): void
  /** Of a resumed session, what it may have of what its record says. Absent: all of it. */
  readonly granted?: SessionGrants
}
