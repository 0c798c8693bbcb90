import * as z from 'zod'
import { createToolRegistry, type Tool } from '../../../kernel/agent/tool.ts'
import { nearest } from '../../../kernel/text/nearest.ts'
import { isTerminalAction, isToolName, toolsList } from '../../../reasoning/index.ts'
import { dottedName } from '../../document/agent-document.ts'
import type { ActionCall, ActionRegistry, ComposedAction } from '../action.ts'
import { composedAction } from './composed-action.ts'

/** Tools by the names that a file gives, or why there are none. */
export type ToolReading =
  | { readonly ok: true; readonly tools: readonly Tool[] }
  | { readonly ok: false; readonly error: string }

/**
 * The tools that a model is given. A name that has not the form of one is not looked up; an action that makes steps of its own
 * is no tool; the names with which ReAct ends stand for nothing more.
 */
export function toolsNamed(names: readonly string[], actions: ActionRegistry): ToolReading {
  const tools: Tool[] = []
  for (const name of new Set(names.map(dottedName))) {
    if (isTerminalAction(name)) continue
    const found = isToolName(name.replaceAll('-', '_')) ? actions.get(name) : undefined
    if (found?.kind === 'tool') tools.push(found.tool)
    else return { ok: false, error: refusal(name, found !== undefined, actions) }
  }
  return { ok: true, tools }
}

function refusal(name: string, isComposed: boolean, actions: ActionRegistry): string {
  if (isComposed) return `${name} cannot be a tool: it makes steps of its own.`
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
  const known = actions.all.flatMap((action) => (action.kind === 'tool' ? [action.tool.name] : []))
  const meant = isToolName(name) ? nearest(name, known) : undefined
  return `There is no tool ${shown}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}

/**
 * Notes that a result may hold text from elsewhere where one of the called tools brings such text.
 * @param calledNames as the model called them
 */
export function taintByCalls(
  call: ActionCall,
  tools: readonly Tool[],
  calledNames: readonly string[],
): void {
  const registry = createToolRegistry(tools)
  const called = calledNames.map((name) => registry.get(name))
  const isDescribed = tools.some(({ untrusted }) => untrusted === 'all')
  if (isDescribed || called.some((tool) => tool?.untrusted !== undefined)) call.taint()
}

/** `tools.list`: what ReAct and agents can call. */
export function toolsListAction(): ComposedAction {
  return composedAction({
    name: 'tools.list',
    description: 'Lists the tools that agents can call, with the JSON Schema of their parameters.',
    params: z.strictObject({
      filter: z.array(z.string()).nullish().describe('The tools to list. Default: all.'),
    }),
    result: '{tools: [{name, description, parameters}], count}; final_answer is always among them.',
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
