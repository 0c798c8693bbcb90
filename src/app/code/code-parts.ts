import type { CodeTool } from '../../tools/code/code-tool.ts'
import { createCodeTools } from '../../tools/code/code-tools.ts'
import type { CodeParts, ToolSite } from '../../workflows/code/parts.ts'
import { loadCodePrompts } from '../../workflows/code/prompts.ts'
import type { AppParts } from '../app-parts.ts'
import { mentioned } from './mentioned.ts'
import { moreTools } from './more-tools.ts'
import { workspaceFiles } from './workspace-files.ts'

/** What sessions work with, and the way to end what they started. */
export type OpenCodeParts = CodeParts & { close(): Promise<void> }

/** The parts of one execution of a session. */
export async function openCodeParts(parts: AppParts): Promise<OpenCodeParts> {
  return {
    prompts: loadCodePrompts(),
    tools: (site) => toolsOf(site),
    moreTools: (context, input) => moreTools(parts, context, input),
    mention: (mention, input, signal) => mentioned(parts, mention, input, signal),
    files: (workspace) => workspaceFiles(workspace, () => parts.clock.now()),
    close: async () => {},
  }
}

function toolsOf({ workspace, memory, rules }: ToolSite): readonly CodeTool[] {
  return createCodeTools({ workspace, memory, rules, environment: {}, jobs: {} as never })
}
