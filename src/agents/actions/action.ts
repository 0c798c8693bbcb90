import * as z from 'zod'
import type { Tool } from '../../kernel/agent/tool.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { CodeLanguage } from '../document/agent-document.ts'

/** An action that an agent file can name in `uses` or `action`. */
export type Action = ToolAction | ComposedAction

/** Facts about an action, for checks and the reference. */
export interface ActionFacts {
  /** Parameters after templates were filled in: a strict object, so that mistyped names are found. */
  readonly params: z.ZodType
  /** The result, in words. */
  readonly result: string
  /** The feature (`features` in the file) that it requires. */
  readonly needs?: string
}

/**
 * One effect, performed as one step: an ordinary tool, which a model can be given as well. What it throws ends the run
 * or is handled by `on_error`; what only this call failed to do is returned as `{error, success: false}`.
 */
export interface ToolAction extends ActionFacts {
  readonly kind: 'tool'
  readonly tool: Tool
  /**
   * Whether it only computes with its parameters, as every `pure` action does. Its parameters then hold secrets as
   * `[secret:NAME]`, since nothing computed from a secret would be recognized as secret in the log.
   */
  readonly calculates?: true
  /** Whether it stores its input for other runs; it refuses input that contains a secret. */
  readonly keeps?: true
}

/** An action that performs steps of its own, such as model calls or other actions, or none if it only computes. */
export interface ComposedAction extends ActionFacts {
  readonly kind: 'composed'
  /** Such as `reason.cot`. */
  readonly name: string
  readonly description: string
  /**
   * Names of parameters whose templates it fills in itself, once per use: `item` of a list, `output` of a round. They
   * arrive as written.
   */
  readonly lateParams?: readonly string[]
  /** Whether its result depends on the state in addition to its parameters; always so if it has late parameters. */
  readonly readsState?: true
  /** @throws what ends the run; what only this action failed to do is returned as `{error, success: false}` */
  run(params: JsonObject, call: ActionCall): Promise<Json>
}

/** What a composed action receives in addition to its parameters. */
export interface ActionCall {
  /** Context for its steps; no other action uses this path. */
  readonly context: RunContext
  /** The state as its node sees it. */
  readonly state: JsonObject
  readonly scope: AgentScope
  /** All actions that the file may use. */
  readonly actions: ActionRegistry
  /** Whether its input may contain untrusted text; passed to an agent that it runs as `isTainted`. */
  readonly isTainted: boolean
  /** Marks the action's result as possibly untrusted. Results of {@link ActionCall.perform} are marked anyway. */
  taint(): void
  /** Fills in a template, with names in addition to those of the file. Secrets appear as `[secret:NAME]`. */
  render(value: Json, names?: JsonObject): Json
  /**
   * The parameters with real secrets in place of `[secret:NAME]`, for use inside an effect only, never as a step's
   * input. The same object if the file names no secret.
   */
  revealed(): JsonObject
  /** Whether templates in a value may read a secret, so that the result must not be stored. */
  readsSecret(written: Json): boolean
  /**
   * Performs another action with filled-in parameters; `context` is a child of this call's. @throws `invalid_input`
   * for an unknown action or parameters that do not fit
   */
  perform(name: string, params: JsonObject, context: RunContext): Promise<Json>
  /**
   * Like {@link ActionCall.perform}, for parameters as written in the file, such as {@link ComposedAction.lateParams}.
   */
  performWritten(
    name: string,
    params: JsonObject,
    context: RunContext,
    names?: JsonObject,
  ): Promise<Json>
  /**
   * Runs a node of the file by name; `generator` or `corrector` of a loop may be one. @throws `invalid_input` for an
   * unknown node
   */
  performNode(name: string, context: RunContext, names?: JsonObject): Promise<NodeOutcome>
  /**
   * Runs code from a parameter, such as `{run: …}` of a generator, as one step of `context`. @throws `tool_failed`
   * with language and line
   */
  runCode(code: ActionCode, context: RunContext, names?: JsonObject): Promise<Json>
  /** The same call with other members in its state, such as those of a round: `reflection_iteration`. */
  withState(changes: JsonObject): ActionCall
}

/** Outcome of a node run for an action. */
export interface NodeOutcome {
  readonly result: Json
  /** Changes to the state that its `output` asks for; the calling action decides about them. */
  readonly changes: JsonObject
}

/** Code given to an action. */
export interface ActionCode {
  readonly language: CodeLanguage
  readonly code: string
}

/** Settings of a file that apply to all its nodes. */
export interface AgentScope {
  readonly name: string
  readonly variables: JsonObject
  /** All of `settings`, templates filled in; secrets appear as `[secret:NAME]`. */
  readonly settings: JsonObject
  /** The folder that no file access leaves. */
  readonly workspace: string
  /** Tools that an agent may use although its conversation is tainted: an agent's `allow`. */
  readonly allow: readonly string[]
}

/** Actions by name. */
export interface ActionRegistry {
  readonly all: readonly Action[]
  get(name: string): Action | undefined
}

/** A parameter of the format that has no effect here. It is ignored with a warning. @param why part of a sentence */
export function ignoredParam(why: string) {
  return z
    .json()
    .optional()
    .meta({ description: `Not used: ${why}.`, unused: why })
}

/** A parameter of the format that cannot be honored. A file that uses it is refused. @param why part of a sentence */
export function refusedParam(why: string) {
  return z
    .never({ error: why })
    .optional()
    .meta({ description: `Refused: ${why}.`, refused: why })
}

/** A JSON Schema of parameters without ignored and refused ones, as shown to models. */
export function omitIgnoredParams<Schema extends { readonly properties?: unknown }>(
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
