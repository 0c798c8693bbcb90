import * as z from 'zod'
import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import type { AppParts } from '../app-parts.ts'
import { actionName } from './agent-checks.ts'

/** An action that agent files can name. */
export interface ActionSummary {
  readonly name: string
  readonly description: string
  /** `composed`: it consists of several steps. */
  readonly effect: 'pure' | 'read' | 'write' | 'composed'
  /** What it returns, in words. */
  readonly result: string
  /** The feature it needs. */
  readonly needs?: string
  readonly params: readonly ActionParam[]
}

/** A parameter of an action. */
export interface ActionParam {
  readonly name: string
  /** In words: `text`, `number`, `list`, `one of a, b`. */
  readonly type: string
  readonly isRequired: boolean
  /** As JSON; absent if there is none. */
  readonly default?: string
  readonly description: string
}

/** @see App.listActions */
export async function listActions(parts: AppParts): Promise<readonly ActionSummary[]> {
  return actionLines(await parts.agents.actions())
}

/** Describes actions, by name. */
export function actionLines({ all }: ActionRegistry): readonly ActionSummary[] {
  return all.map(toActionLine).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function toActionLine(action: Action): ActionSummary {
  const { result, needs } = action
  const name = actionName(action)
  const isTool = action.kind === 'tool'
  return {
    name,
    description: isTool ? action.tool.description : action.description,
    effect: isTool ? action.tool.effect : 'composed',
    result,
    ...(needs === undefined ? {} : { needs }),
    params: listParameters(action.params),
  }
}

interface Described {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Described[]
  readonly oneOf?: readonly Described[]
  readonly default?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

function listParameters(schema: z.ZodType): readonly ActionParam[] {
  const described = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Described
  const { properties = {}, required = [] } = described
  return Object.entries(properties).map(([name, one]) => ({
    name,
    type: formatType(one),
    isRequired: required.includes(name),
    ...(one.default === undefined ? {} : { default: JSON.stringify(one.default) }),
    description: one.description ?? '',
  }))
}

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
  object: 'map',
  null: 'null',
}

function formatType({ type, enum: values, const: only, anyOf, oneOf }: Described): string {
  const parts = anyOf ?? oneOf
  if (values !== undefined) return `one of ${values.join(', ')}`
  if (only !== undefined) return String(only)
  if (parts !== undefined) {
    const types = new Set(parts.map(formatType).filter((word) => word !== 'null'))
    return types.size > 3 ? 'any value' : [...types].join(' or ') || 'null'
  }
  if (type === undefined) return 'any value'
  return [type]
    .flat()
    .map((one) => words[one] ?? one)
    .join(' or ')
}
