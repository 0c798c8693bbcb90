import * as z from 'zod'
import { createToolRegistry } from '../../../kernel/agent/tool.ts'
import { isToolName, toolsList } from '../../../reasoning/index.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction } from './composed-action.ts'

/** `tools.list`: what ReAct and agents can call. */
export function toolsListAction(): ComposedAction {
  return composedAction({
    name: 'tools.list',
    description: 'Lists the tools that agents can call, with the JSON Schema of their parameters.',
    params: z.strictObject({
      filter: z.array(z.string()).nullish().describe('The tools to list. Default: all.'),
    }),
    result: '{tools: [{name, description, parameters}], count}; final_answer is always included.',
    run: async ({ filter }, { actions }) => {
      const tools = actions.all.flatMap((action) => (action.kind === 'tool' ? [action.tool] : []))
      const registry = createToolRegistry(tools)
      return {
        ...toolsList(
          registry,
          filter?.filter((name) => isToolName(name)),
        ),
      }
    },
  })
}
