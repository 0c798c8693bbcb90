import { codeWorkflow, codeWorkflowInfo } from '../../code/code.ts'
import type { SessionDriver } from '../../code/parts.ts'
import { loadCodePrompts } from '../../code/prompts.ts'
import type { AppParts } from '../app-parts.ts'
import { openCodeParts } from './code-parts.ts'

/**
 * The workflow of a session, which opens what it works with when it runs and closes it at its end.
 * @param hasWeb whether a session that may ask the web by its record may do so now
 */
export function sessionWorkflow(
  parts: AppParts,
  driver: SessionDriver,
  hasWeb: boolean,
): ReturnType<typeof codeWorkflow> {
  return {
    ...codeWorkflowInfo(loadCodePrompts()),
    async run(context, input) {
      const { close, ...opened } = openCodeParts(parts, hasWeb)
      try {
        return await codeWorkflow(opened, driver).run(context, input)
      } finally {
        await close()
      }
    },
  }
}
