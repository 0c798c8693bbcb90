import type * as z from 'zod'
import { defineTool, type ToolDeclaration } from '../../../kernel/agent/tool.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import { usedParams } from '../known-params.ts'

/** What an action of one effect is declared with. */
export interface ToolActionDeclaration<Schema extends z.ZodType> extends ToolDeclaration<Schema> {
  /** What it gives, in words. */
  readonly result: string
  /** See {@link ToolAction.calculates}. */
  readonly calculates?: true
  /** See {@link ToolAction.keeps}. */
  readonly keeps?: true
}

/** An action from its declaration. */
export function toolAction<Schema extends z.ZodType>({
  result,
  calculates,
  keeps,
  ...declaration
}: ToolActionDeclaration<Schema>): ToolAction {
  const tool = defineTool(declaration)
  const shown = { ...tool, parameters: usedParams(tool.parameters) }
  const facts = { params: declaration.input, result }
  return {
    kind: 'tool',
    tool: shown,
    ...facts,
    ...(calculates === undefined ? {} : { calculates }),
    ...(keeps === undefined ? {} : { keeps }),
  }
}

/** What only this call could not do, as data: `{error, success: false, error_type}`. */
export function notDone(error: string, errorType: string, more: JsonObject = {}): JsonObject {
  return { error, success: false, error_type: errorType, ...more }
}
