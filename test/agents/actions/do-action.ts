import type { ToolAction } from '../../../src/agents/actions/action.ts'
import type { ToolRun } from '../../../src/kernel/agent/tool.ts'
import type { Json } from '../../../src/kernel/json.ts'

/** What an action of a list gives for parameters; rejects for those that do not fit, as its tool throws. */
export async function doAction(
  actions: readonly ToolAction[],
  name: string,
  params: object,
  run: Partial<ToolRun> = {},
): Promise<Json> {
  const action = actions.find(({ tool }) => tool.name === name)
  if (action === undefined) throw new Error(`There is no action ${name}.`)
  const parsed = action.tool.parse(params)
  if (!parsed.ok) throw new Error(parsed.reason)
  const signal = run.signal ?? new AbortController().signal
  return action.tool.execute(parsed.value, { key: 'test', emit: () => {}, ...run, signal })
}
