import type * as z from 'zod'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import type { Tool } from '../../kernel/tool.ts'

/** Something that an agent file can name in `uses` or `action`. */
export type Action = ToolAction | ComposedAction

/** One effect, done as one step: a tool like any other, which a model may be given as well. */
export interface ToolAction {
  readonly kind: 'tool'
  readonly tool: Tool
  /** What it gives, in words, for the reference. */
  readonly result: string
}

/** What makes steps of its own: calls of models, other actions. */
export interface ComposedAction {
  readonly kind: 'composed'
  /** As `reason.cot`. */
  readonly name: string
  readonly description: string
  /** The parameters after their templates were filled in. */
  readonly params: z.ZodType
  /** What it gives, in words, for the reference. */
  readonly result: string
  /** Names of parameters whose templates it fills in itself, once for each use: `item` of a list, `output` of a round. */
  readonly lateParams?: readonly string[]
  /** @throws what ends the run; what only this action could not do it gives as `{error, success: false}` */
  run(params: JsonObject, call: ActionCall): Promise<Json>
}

/** What a composed action gets beside its parameters. */
export interface ActionCall {
  /** Where its steps belong: no other action uses this path. */
  readonly context: RunContext
  /** The state that its node sees. */
  readonly state: JsonObject
  readonly scope: AgentScope
  /** All actions that the file may use. */
  readonly actions: ActionRegistry
  /** Fills in a template, with names beside those of the file. */
  render(value: Json, names?: JsonObject): Json
  /** Does another action, its parameters already filled in; `context` is a child of this call's. @throws `invalid_input` for an unknown action or parameters that do not fit */
  perform(name: string, params: JsonObject, context: RunContext): Promise<Json>
}

/** What a file says once for all its nodes. */
export interface AgentScope {
  readonly name: string
  readonly variables: JsonObject
  readonly settings: JsonObject
  /** The folder out of which no file is read or written. */
  readonly workspace: string
}

/** Actions by name. */
export interface ActionRegistry {
  readonly all: readonly Action[]
  get(name: string): Action | undefined
}
