import * as z from 'zod'
import { createToolRegistry, type Tool } from '../../../kernel/agent/tool.ts'
import { findNearest } from '../../../kernel/text/nearest.ts'
import { isTerminalAction, isToolName, listTools } from '../../../reasoning/index.ts'
import { toDottedName } from '../../document/agent-document.ts'
import type { ActionCall, ActionRegistry, ComposedAction } from '../action.ts'
import { defineComposedAction } from './composed-action.ts'

/** The named tools, or why one cannot be used. */
export type ToolReading =
  | { readonly ok: true; readonly tools: readonly Tool[] }
  | { readonly ok: false; readonly error: string }

/**
 * Finds the tools for a model. Malformed names are not looked up, composed actions are not tools, and the names with
 * which ReAct ends are skipped.
 */
export function findTools(names: readonly string[], actions: ActionRegistry): ToolReading {
  const tools: Tool[] = []
  for (const name of new Set(names.map(toDottedName))) {
    if (isTerminalAction(name)) continue
    const found = isToolName(name.replaceAll('-', '_')) ? actions.get(name) : undefined
    if (found?.kind === 'tool') tools.push(found.tool)
    else return { ok: false, error: explainMissing(name, found !== undefined, actions) }
  }
  return { ok: true, tools }
}

function explainMissing(name: string, isComposed: boolean, actions: ActionRegistry): string {
  if (isComposed) return `${name} cannot be a tool, because it makes steps of its own.`
  const shown = JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
  const known = actions.all.flatMap((action) => (action.kind === 'tool' ? [action.tool.name] : []))
  const meant = isToolName(name) ? findNearest(name, known) : undefined
  return `There is no tool ${shown}.${meant === undefined ? '' : ` Did you mean ${meant}?`}`
}

/**
 * Marks a result as possibly untrusted if a called tool returns untrusted text.
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

/** `tools.list`: the tools that ReAct and agents can call. */
export function toolsListAction(): ComposedAction {
  return defineComposedAction({
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
        ...listTools(
          registry,
          filter?.filter((name) => isToolName(name)),
        ),
      }
    },
  })
}
