import type { CodeParts, ToolContext } from '../../code/parts.ts'
import { loadCodePrompts } from '../../code/prompts.ts'
import type { CodeTool } from '../../code/tools/code-tool.ts'
import { createCodeTools } from '../../code/tools/code-tools.ts'
import { createCommandEnvironment } from '../../code/tools/processes/command-environment.ts'
import { findProgram } from '../../code/tools/processes/find-program.ts'
import { createJobs, type Jobs } from '../../code/tools/processes/jobs.ts'
import { keyVariables } from '../../models/providers.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { AppParts } from '../app-parts.ts'
import { closedIn } from './closed-in.ts'
import { mentioned } from './mentioned.ts'
import { moreTools } from './more-tools.ts'
import { workspaceFiles } from './workspace-files.ts'

/** What sessions work with, and the way to end what they started. */
export type OpenCodeParts = CodeParts & { close(): Promise<void> }

/** The parts of one execution of a session. @param hasWeb as of `sessionWorkflow` */
export function openCodeParts(parts: AppParts, hasWeb: boolean): OpenCodeParts {
  const jobs = createJobs()
  let web: WebSources | undefined
  return {
    prompts: loadCodePrompts(),
    tools: (site) => toolsOf(parts, jobs, web, site),
    async moreTools(context, input) {
      // Tools are made after this, and not while anybody waits.
      if (input.web) web = await parts.webIf(hasWeb)
      return moreTools(parts, context, input, hasWeb)
    },
    mention: (mention, input, signal) => mentioned(parts, mention, input, signal),
    files: (workspace) =>
      workspaceFiles(workspace, {
        // In a home that somebody else made there may be skills of theirs.
        ...(parts.ownsHome ? { home: parts.home.path } : {}),
        closedFolders: closedIn(workspace, parts),
        nowMs: () => parts.clock.now(),
      }),
    close: () => jobs.close(),
  }
}

function toolsOf(
  parts: AppParts,
  jobs: Jobs,
  web: WebSources | undefined,
  { workspace, memory, rules, verdictOn, skills }: ToolContext,
): readonly CodeTool[] {
  const { environment } = parts
  const ripgrep = findProgram('rg', environment.PATH ?? '', workspace, [workspace])
  return createCodeTools({
    workspace,
    memory,
    rules,
    readVerdict: (way) => verdictOn('read', way),
    skills,
    jobs,
    environment: createCommandEnvironment(environment, {
      names: keyVariables,
      values: parts.secrets(),
      verdictOn: (name) => verdictOn('env', name),
    }),
    closedFolders: closedIn(workspace, parts),
    ...(web === undefined ? {} : { web }),
    ...(ripgrep === undefined ? {} : { ripgrep }),
  })
}
