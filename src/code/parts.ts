import type { Tool } from '../kernel/agent/tool.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { CodeEvent } from './events.ts'
import type { WorkspaceFiles } from './file-changes.ts'
import type { CodePrompts } from './prompts.ts'
import type { CodeInput, SessionGrants } from './settings.ts'
import type { Skill } from './skills/skills.ts'
import type { SessionState } from './state.ts'
import type { CodeTool, CommandRule, FileMemory } from './tools/code-tool.ts'

/** What a session's tools are created with, as it stands at that moment. */
export interface ToolContext {
  readonly workspace: string
  readonly memory: FileMemory
  readonly rules: readonly CommandRule[]
  /** What the rules say about reading a file (relative to the workspace) or passing on an environment variable. */
  verdictOn(what: 'read' | 'env', name: string): 'allow' | 'deny' | undefined
  readonly web: boolean
  readonly skills: readonly Skill[]
}

/** What the coding agent works with. */
export interface CodeParts {
  readonly prompts: CodePrompts
  /** The workspace's tools. */
  tools(scope: ToolContext): readonly CodeTool[]
  /** Further tools: MCP servers and the question team. What is found is recorded. */
  moreTools(context: RunContext, input: CodeInput): Promise<MoreTools>
  files(workspace: string): WorkspaceFiles
  /** Resolves a mention in a request: a file, `server:uri`, or `/server:prompt` with its arguments. */
  mention?(
    mention: string,
    input: CodeInput,
    signal: AbortSignal,
  ): Promise<MentionedText | UnreadMention>
}

/** Tools in addition to the workspace's own. */
export interface MoreTools {
  readonly tools: readonly Tool[]
  /** Names of tools that the operator allows to change something. */
  readonly allowed: readonly string[]
  /** Notes for the person about them. */
  readonly notes: readonly string[]
}

/** Why a mention could not be resolved, in words that follow the mention. */
export type UnreadMention = { readonly why: string }

/** The text that a mention resolves to. */
export type MentionedText = {
  readonly title: string
  readonly text: string
  /** Whether it was written by neither the person nor the operator. */
  readonly isForeign: boolean
}

/** Drives an execution of a session: receives its events and can stop a turn. */
export interface SessionDriver {
  onEvent?(event: CodeEvent): void
  /** Receives the tools that the session's model is offered. */
  onTools?(tools: readonly Tool[]): void
  /** Receives the session's state before the first prompt and after each turn. */
  onState?(state: SessionState): void
  /** Receives a function that stops the current turn; `undefined` once the turn is over. */
  onTurn?(stop: (() => Promise<void>) | undefined): void
  /** What a resumed session may keep of its recorded permissions. Absent: all of them. */
  readonly granted?: SessionGrants
}
