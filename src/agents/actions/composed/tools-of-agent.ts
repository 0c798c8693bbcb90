import { ScholiumError } from '../../../kernel/errors.ts'
import { nearest } from '../../../kernel/nearest.ts'
import { createToolRegistry, type Tool } from '../../../kernel/tool.ts'
import { readAllowRules } from '../../../kernel/write-guard.ts'
import { isTerminalAction, isToolName } from '../../../reasoning/index.ts'
import type { ActionCall, ActionRegistry } from '../action.ts'

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
  for (const name of new Set(names)) {
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
 * The tools for a loop that begins with text from elsewhere and does not know it: what changes something is refused there, unless
 * an allow rule names it.
 */
export function guardedTools(
  tools: readonly Tool[],
  { isTainted, scope }: ActionCall,
): readonly Tool[] {
  if (!isTainted) return tools
  const isAllowed = readAllowRules(scope.allow)
  return tools.map((tool) =>
    tool.effect !== 'write' || isAllowed(tool.name) ? tool : refusing(tool),
  )
}

function refusing(tool: Tool): Tool {
  return {
    ...tool,
    effect: 'pure',
    async execute() {
      throw new ScholiumError(
        'tool_failed',
        `${tool.name} was not called: it changes something, and what the agent was given holds text from elsewhere, which could have asked for it.`,
        { hint: 'Do not try it again. Go on without it, and say what you would have done.' },
      )
    },
  }
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
