import { codeWorkflow, codeWorkflowInfo } from '../../code/code.ts'
import type { CodeParts, SessionDriver, ToolContext } from '../../code/parts.ts'
import { loadCodePrompts } from '../../code/prompts.ts'
import type { CodeTool } from '../../code/tools/code-tool.ts'
import { createCodeTools } from '../../code/tools/code-tools.ts'
import { createCommandEnvironment } from '../../code/tools/processes/command-environment.ts'
import { findProgram } from '../../code/tools/processes/find-program.ts'
import { createJobs, type Jobs } from '../../code/tools/processes/jobs.ts'
import { keyVariables } from '../../models/providers.ts'
import type { WebSources } from '../../tools/web/web-sources.ts'
import type { AppParts } from '../app-parts.ts'
import { readMention } from './mentioned.ts'
import { createMoreTools, type SessionGrant } from './more-tools.ts'
import { findClosedFolders, workspaceFiles } from './workspace-files.ts'

/**
 * The workflow of a session, which opens its services when it runs and closes them at its end.
 * @param hasWeb whether a session that may use the web according to its record may do so now
 */
export function sessionWorkflow(
  parts: AppParts,
  driver: SessionDriver,
  grant: SessionGrant,
): ReturnType<typeof codeWorkflow> {
  return {
    ...codeWorkflowInfo(loadCodePrompts()),
    async run(context, input) {
      const { close, ...opened } = openCodeParts(parts, grant)
      try {
        return await codeWorkflow(opened, driver).run(context, input)
      } finally {
        await close()
      }
    },
  }
}

/** The services of sessions, and a function that closes them. */
type OpenCodeParts = CodeParts & { close(): Promise<void> }

/** The services of one execution of a session. @param grant see `sessionWorkflow` */
function openCodeParts(parts: AppParts, grant: SessionGrant): OpenCodeParts {
  const jobs = createJobs()
  let web: WebSources | undefined
  return {
    prompts: loadCodePrompts(),
    tools: (site) => createTools(parts, jobs, web, site),
    async moreTools(context, input) {
      // Tools are created later, when nobody waits.
      if (input.web) web = await parts.webIf(grant.hasWeb)
      return createMoreTools(parts, context, input, grant)
    },
    mention: (mention, input, signal) => readMention(parts, mention, input, signal),
    files: (workspace) =>
      workspaceFiles(workspace, {
        // A home that somebody else created may contain their skills.
        ...(parts.ownsHome ? { home: parts.home.path } : {}),
        closedFolders: findClosedFolders(workspace, parts),
        nowMs: () => parts.clock.now(),
      }),
    close: () => jobs.close(),
  }
}

function createTools(
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
    closedFolders: findClosedFolders(workspace, parts),
    ...(web === undefined ? {} : { web }),
    ...(ripgrep === undefined ? {} : { ripgrep }),
  })
}
