import * as z from 'zod'
import { ScholiumError } from '../errors.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Effect } from '../run/event.ts'
import type { RunContext } from '../run/run-context.ts'
import { toJsonSchema } from '../text/json-schema.ts'

/** What a tool's function receives in addition to its arguments. */
export interface ToolRun {
  readonly signal: AbortSignal
  /** The key of the step in which the tool runs. */
  readonly key: string
  /** Whether the agent that calls it has been shown text from elsewhere: an agent that the tool starts begins so, too. */
  readonly isTainted?: true
  /** What was let through, where that was looked at before: the tool does this, or nothing. */
  readonly permitted?: Json
  /** Shows progress while it runs. */
  emit(data: JsonObject): void
}

/** The address that a tool call contacts. */
export interface Reached {
  readonly address: string
  /** Whether it sends more than the address: headers, a body. */
  readonly saysMore: boolean
}

/** Something that a model may call. */
export interface Tool {
  /** Letters, digits, `_`, `-` and `.`, beginning with a letter. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
  readonly effect: Effect
  /** What one call does, where that depends on its arguments: never more than `effect` says. */
  effectOf?(input: Json): Effect
  readonly timeoutMs: number
  /**
   * What of it neither the person nor the operator wrote: its `results`, such as pages, transcripts and documents, or `all`, also
   * its name and description. A model that was shown it changes nothing without an allow rule.
   */
  readonly untrusted?: 'results' | 'all'
  /**
   * Where a call asks, and whether it says more there than the address, where the caller chooses both. A model that was shown
   * text from elsewhere reaches only addresses that stood there whole: it can put nothing into them.
   */
  readonly reaches?: (input: Json) => Reached
  /** Whether a call of it that succeeds is the last thing that an agent does. */
  readonly endsWork?: true
  /** The checked arguments, or why they are refused. */
  parse(
    input: unknown,
  ): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly reason: string }
  /** Does the work, as one step of the run. What it throws goes back to the model as data. */
  execute(input: Json, run: ToolRun): Promise<Json>
  /** In the place of `execute`, of a tool whose work is steps of the run itself: other agents, for example. */
  performs?(context: RunContext, input: Json, isTainted: boolean): Promise<Json>
}

/** What a tool is declared with. */
export interface ToolDeclaration<Schema extends z.ZodType> {
  readonly name: string
  readonly description: string
  readonly input: Schema
  readonly effect: Effect
  /** Default 30 s. */
  readonly timeoutMs?: number
  readonly untrusted?: Tool['untrusted']
  /** Where a call asks: see {@link Tool.reaches}. */
  readonly reaches?: (input: z.output<Schema>) => Reached
  /** Does the work with the checked arguments. What it throws goes back to the model as data. */
  execute(input: z.output<Schema>, run: ToolRun): Promise<Json>
}

const toolNamePattern = /^[A-Za-z][\w-]*(\.[A-Za-z][\w-]*)*$/

/**
 * A tool from its declaration.
 * @throws `invalid_configuration` for a name that is none
 */
export function defineTool<Schema extends z.ZodType>(declaration: ToolDeclaration<Schema>): Tool {
  const { name, description, input, effect, timeoutMs = 30_000, untrusted, reaches } = declaration
  if (!toolNamePattern.test(name)) {
    throw new ScholiumError('invalid_configuration', `"${name}" is not a valid tool name.`, {
      hint: 'Use letters, digits, "_", "-" and ".", starting with a letter.',
    })
  }
  return {
    name,
    description,
    parameters: toJsonSchema(input),
    effect,
    timeoutMs,
    ...(untrusted === undefined ? {} : { untrusted }),
    ...(reaches === undefined
      ? {}
      : { reaches: (value: Json) => reaches(value as z.output<Schema>) }),
    parse(value) {
      const parsed = input.safeParse(value)
      if (parsed.success) return { ok: true, value: parsed.data as Json }
      return { ok: false, reason: z.prettifyError(parsed.error) }
    },
    execute: (value, run) => declaration.execute(value as z.output<Schema>, run),
  }
}

/**
 * A tool's name as every provider takes it: letters, digits, `_` and `-`, 64 at most, beginning with a letter or `_`. Also
 * for names that a model made up.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 * @see https://ai.google.dev/api/caching#FunctionDeclaration
 */
export function wireToolName(name: string): string {
  const allowed = name.replaceAll(/[^\w-]/g, '_')
  return (/^[A-Za-z_]/.test(allowed) ? allowed : `_${allowed}`).slice(0, 64)
}

/** Tools by name. */
export interface ToolRegistry {
  readonly tools: readonly Tool[]
  /** The tool of that name, or the one that models know by it. */
  get(name: string): Tool | undefined
}

/**
 * A registry of tools.
 * @throws `invalid_configuration` when two have one name
 */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) {
      throw new ScholiumError('invalid_configuration', `There are two tools named "${tool.name}".`)
    }
    byName.set(tool.name, tool)
  }
  for (const tool of tools) {
    const name = wireToolName(tool.name)
    if (byName.has(name) && byName.get(name) !== tool) {
      throw new ScholiumError(
        'invalid_configuration',
        `The tools "${tool.name}" and "${byName.get(name)?.name}" would both be called "${name}" by a model.`,
      )
    }
    byName.set(name, tool)
  }
  return { tools, get: (name) => byName.get(name) }
}
