import * as z from 'zod'
import type { Tool } from '../../kernel/agent/tool.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { CodeLanguage } from '../document/agent-document.ts'

/** Something that an agent file can name in `uses` or `action`. */
export type Action = ToolAction | ComposedAction

/** What all actions say of themselves, for checks and the reference. */
export interface ActionFacts {
  /** The parameters after their templates were filled in: a strict object, so that a mistyped name is found. */
  readonly params: z.ZodType
  /** What it gives, in words. */
  readonly result: string
  /** The feature (`features` in the file) without which it is not there. */
  readonly needs?: string
}

/**
 * One effect, done as one step: a tool like any other, which a model may be given as well. What it throws ends the run, or what
 * `on_error` says; what only this call could not do it gives as `{error, success: false}`.
 */
export interface ToolAction extends ActionFacts {
  readonly kind: 'tool'
  readonly tool: Tool
  /**
   * Whether it only calculates with what it is given, as everything `pure` does: secrets stand in its parameters as
   * `[secret:NAME]`, since nothing that comes of them would be known as secret in the record.
   */
  readonly calculates?: true
  /** Whether it stores for other runs what it is given: where a secret goes into that, it is not done. */
  readonly keeps?: true
}

/** What makes steps of its own: calls of models, other actions; or none, when all it does is calculate. */
export interface ComposedAction extends ActionFacts {
  readonly kind: 'composed'
  /** As `reason.cot`. */
  readonly name: string
  readonly description: string
  /** Names of parameters whose templates it fills in itself, once for each use: `item` of a list, `output` of a round. They come as written. */
  readonly lateParams?: readonly string[]
  /** Whether what it gives depends on the state beside its parameters; where it has late ones, it does. */
  readonly readsState?: true
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
  /** Whether what it is given may hold text that neither the person nor the operator wrote: `isTainted` of an agent that it runs. */
  readonly isTainted: boolean
  /** Says that what this action gives may hold such text. What {@link ActionCall.perform} brought counts without it. */
  taint(): void
  /** Fills in a template, with names beside those of the file. Secrets stand in it as `[secret:NAME]`. */
  render(value: Json, names?: JsonObject): Json
  /**
   * The parameters with the secrets themselves in place of `[secret:NAME]`: for use inside of an effect only, never as the
   * input of a step. The same object where the file names no secret.
   */
  revealed(): JsonObject
  /** Whether templates in a value may read a secret: what comes of it is not to be kept. */
  readsSecret(written: Json): boolean
  /** Does another action, its parameters already filled in; `context` is a child of this call's. @throws `invalid_input` for an unknown action or parameters that do not fit */
  perform(name: string, params: JsonObject, context: RunContext): Promise<Json>
  /** As {@link ActionCall.perform}, for parameters as the file has them, templates in them: of {@link ComposedAction.lateParams}. */
  performWritten(
    name: string,
    params: JsonObject,
    context: RunContext,
    names?: JsonObject,
  ): Promise<Json>
  /** Does a node of the file by its name: `generator` or `corrector` of a loop may be one. @throws `invalid_input` for an unknown node */
  performNode(name: string, context: RunContext, names?: JsonObject): Promise<NodeDone>
  /** What code gives that a parameter holds as written, one step of `context`: `{run: …}` of a generator. @throws `tool_failed` with language and line */
  runCode(code: ActionCode, context: RunContext, names?: JsonObject): Promise<Json>
  /** The same call for work that sees other members of the state: those of a round, as `reflection_iteration`. */
  withState(changes: JsonObject): ActionCall
}

/** What a node did for an action. */
export interface NodeDone {
  readonly result: Json
  /** What it would change in the state, by its `output`: whose action did it says what becomes of that. */
  readonly changes: JsonObject
}

/** Code that an action was given. */
export interface ActionCode {
  readonly language: CodeLanguage
  readonly code: string
}

/** What a file says once for all its nodes. */
export interface AgentScope {
  readonly name: string
  readonly variables: JsonObject
  /** All of `settings`, templates filled in; secrets stand in it as `[secret:NAME]`. */
  readonly settings: JsonObject
  /** The folder out of which no file is read or written. */
  readonly workspace: string
  /** Tools that an agent may use although its conversation is tainted: `allow` of an agent. */
  readonly allow: readonly string[]
}

/** Actions by name. */
export interface ActionRegistry {
  readonly all: readonly Action[]
  get(name: string): Action | undefined
}

/** A parameter of the format that means nothing here: it is passed over, and a check of the file says why. @param why as a part of a sentence */
export function unusedParam(why: string) {
  return z
    .json()
    .optional()
    .meta({ description: `Not used: ${why}.`, unused: why })
}

/** A parameter of the format without which its action would do something else than the file says: it is refused. @param why as a part of a sentence */
export function refusedParam(why: string) {
  return z
    .never({ error: why })
    .optional()
    .meta({ description: `Refused: ${why}.`, refused: why })
}

/** A JSON Schema of parameters without those that mean nothing here or are refused: as a model is shown it. */
export function usedParams<Schema extends { readonly properties?: unknown }>(
  schema: Schema,
): Schema {
  const { properties } = schema
  if (typeof properties !== 'object' || properties === null) return schema
  const used = Object.entries(properties as Readonly<Record<string, object>>).filter(
    ([, { unused, refused }]: [string, { unused?: unknown; refused?: unknown }]) =>
      unused === undefined && refused === undefined,
  )
  return { ...schema, properties: Object.fromEntries(used) }
}
