import type { AnswerFormat, ClaimPolicy, Depth } from '../ask/result.ts'
import type { Hooks } from '../kernel/agent/hooks.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { Limits } from '../kernel/limits/limits.ts'
import type { Price } from '../kernel/model/model.ts'
import type { Clock } from '../kernel/run/clock.ts'
import type { LiveEvent } from '../kernel/run/event.ts'
import type { RunStore } from '../kernel/run/run-store.ts'
import type { Workflow } from '../kernel/run/workflow.ts'
import type {
  ModelChoices,
  ModelObjects,
  ModelSettings,
  NamedModels,
  RoleModel,
} from '../models/model-settings.ts'
import type { PapersGraphChange } from '../papers/change-graph.ts'
import type { AgentFeatures } from './agents/agent-actions.ts'
import type { McpSettings } from './mcp/mcp.ts'
import type { PythonSettings } from './python.ts'
import type { Question } from './questions.ts'
import type { RunLabels } from './runs/trace-labels.ts'
import type { Right } from './trust/right.ts'
import type { Environment } from './trust/user-folders.ts'
import type { WebServers } from './web-sources.ts'

/** Options of an app; all have defaults. */
export interface AppOptions {
  /** Folder of runs and library. Default: `SCHOLIUM_HOME`, the nearest `.scholium/` that this person made, or the user's data folder. */
  readonly home?: string
  /**
   * Homes to trust although they are not registered as this user's, as in a container, so that their runs can be resumed. Homes
   * that this user's app created are registered.
   */
  readonly trustedHomes?: readonly string[]
  /** Environment variables. Default: the process's. */
  readonly environment?: Environment
  /** Folder that relative paths start from. Default: the process's working directory. */
  readonly folder?: string
  /**
   * Models by role: by name, or as objects of the AI SDK. Default: for a recorded run, its own models; otherwise the built-in
   * `extractive` engine, which is not a language model.
   */
  readonly models?: ModelChoices
  /** Keys and addresses of models that recorded runs may name. */
  readonly knownModels?: readonly RoleModel[]
  /** The same from a project's own files; used only for a model whose recorded address is the same. */
  readonly projectModels?: readonly RoleModel[]
  /** The variables of `environment` that a project's `.env` sets; addresses among them are used under the same condition. */
  readonly projectVariables?: readonly string[]
  /** Prices by model name or prefix (`openai:gpt-5*`); they take precedence over the built-in table. */
  readonly prices?: Readonly<Record<string, Price>>
  /** Further providers by the name before the colon; each creates a model from the text after it. */
  readonly providers?: NonNullable<ModelSettings['providers']>
  /** Limits of each run. */
  readonly limits?: Limits
  /** Your own workflows, so that their runs can be resumed, replayed, forked and shown. */
  readonly workflows?: readonly Workflow<JsonObject, JsonObject>[]
  /**
   * Changes to the graphs of workflows, such as a node of your own (`insertNode` of `scholium/graph`). A run is resumed, replayed and
   * forked with the graph that it was begun with.
   */
  readonly graphs?: { readonly papers?: PapersGraphChange }
  readonly hooks?: Hooks
  readonly clock?: Clock
  /** MCP servers, and which of them questions may use. */
  readonly mcp?: McpSettings
  /** How experts run Python. */
  readonly python?: PythonSettings
  /** Features to disable for agent files: `{ reasoning: false }`. Default: none. */
  readonly features?: AgentFeatures
  /** Servers to use in place of the usual ones for web sources. */
  readonly webServers?: WebServers
  /** A run store to use in place of the one in the home, as in tests. */
  readonly store?: RunStore
  /** Called with problems that do not affect a run, such as an unreachable trace collector. Default: `process.emitWarning`. */
  readonly onWarning?: (text: string) => void
}

/** Options in which each model has a name, with the model objects by these names. */
export interface ResolvedOptions extends Omit<AppOptions, 'models'> {
  readonly models?: NamedModels
  readonly modelObjects: ModelObjects
}

/** Options for executing a run. */
export interface ExecutionOptions extends RunLabels {
  /** What a new run is listed as; shown on one line, up to 200 characters. Default: its question, its topic, or what its workflow says. */
  readonly title?: string
  readonly signal?: AbortSignal
  /**
   * When aborted, the run ends at once with what it has, as at a time limit: a question or a review with a partial answer from the work
   * that is done. A call in progress is given up. If its reason is a `ScholiumError`, the log has the details of that.
   */
  readonly finish?: AbortSignal
  readonly limits?: Limits
  /** Called with each event after it is stored, and with tokens and progress, which are not stored. */
  readonly onEvent?: (event: LiveEvent) => void
  /** Answers questions to a person; `undefined` leaves the run waiting. `key` is the key of the asking step. */
  readonly answer?: (question: Question, key: string) => Promise<Json | undefined>
  /**
   * The rights that a resumed, forked or continued run keeps, such as web access. Its record alone grants nothing. Default: none.
   */
  readonly grants?: readonly Right[]
  /** Your own tools, for a resumed or forked run that was started with them. */
  readonly tools?: readonly Tool[]
}

/** A question and its settings. */
export interface AskRequest {
  readonly question: string
  /**
   * The run that this question follows up on: its id, a part of it, or `last`. Its sources, citation numbers and settings are kept;
   * limits are not.
   */
  readonly continue?: string
  /** Files and folders to search in addition to the library. */
  readonly sources?: readonly string[]
  /**
   * Sources are read only inside this folder: links that lead elsewhere are skipped and reported as gaps. Meant for sources named
   * by a project's own files. Default: links are followed anywhere.
   */
  readonly sourcesRoot?: string
  /**
   * How much work goes into the answer. `quick`: one agent searches and writes it, in 2 or 3 calls; `standard`: a team with the
   * critics that are needed; `thorough`: a critic judges every step. The claims are checked in all three. Default `standard`.
   */
  readonly depth?: Depth
  /** Maximum number of rejections by critics, over all roles. Default 5. */
  readonly retryLimit?: number
  /** Maximum number of rejections by role. */
  readonly retryLimits?: { readonly [role in 'planner' | 'researcher' | 'expert']?: number }
  /**
   * How to treat claims that their sources do not support: `mark` shows them with their verdicts, `strict` rewrites each once and
   * otherwise leaves it out, `off` checks nothing. Default `mark`.
   */
  readonly claims?: ClaimPolicy
  /** Whether the web may be used: searches, pages, Wikipedia, papers, transcripts. Default false. */
  readonly web?: boolean
  /**
   * MCP servers that may be used, of those that the operator has set up ({@link AppOptions.mcp}): all, none or these. Default: those
   * of the app's settings.
   */
  readonly mcp?: boolean | readonly string[]
  /**
   * Your own tools, for the researchers. They may not change anything. A tool's result becomes a source that the answer can cite,
   * and is untrusted text. A resumed run needs them again: {@link ExecutionOptions.tools}.
   */
  readonly tools?: readonly Tool[]
  /** Whether the expert may run Python, in a sandbox without files or network. Default: if its package is installed. */
  readonly python?: boolean
  /**
   * Whether research steps run one after another. Default false: up to four independent steps run in parallel.
   */
  readonly sequential?: boolean
  /** Whether a person approves the plan first, through {@link ExecutionOptions.answer}. Default false. */
  readonly approvePlan?: boolean
  /** `full`: sentences with citations; `short`: only a number, a few words or a comma-separated list. Default `full`. */
  readonly answerFormat?: AnswerFormat
  /** Additional criteria for the critic of a role, in words. */
  readonly criteria?: { readonly [role in 'planner' | 'researcher' | 'expert']?: string }
}

/** The policies for claims, the default first. */
export const claimPolicies = ['mark', 'strict', 'off'] as const satisfies readonly ClaimPolicy[]

/** The depths of a question, the quickest first. */
export const depths = ['quick', 'standard', 'thorough'] as const satisfies readonly Depth[]

/** The forms of an answer, the default first. */
export const answerFormats = ['full', 'short'] as const satisfies readonly AnswerFormat[]

/**
 * A run that reads untrusted text must not change anything because of it.
 * @param reader what the run is: `a question`
 * @throws `invalid_input` for a tool that writes
 */
export function requireReading(tools: readonly Tool[], reader: string): void {
  const writing = tools.find(({ effect }) => effect === 'write')
  if (writing === undefined) return
  throw new ScholiumError(
    'invalid_input',
    `The tool "${writing.name}" may change something, and ${reader} only reads.`,
    { hint: 'Leave it out, or create an agent whose "allow" names it: app.createAgent({ … }).' },
  )
}

/** @throws `invalid_input` for an unknown format */
export function checkAnswerFormat({ answerFormat = 'full' }: AskRequest): void {
  if (answerFormats.includes(answerFormat)) return
  throw new ScholiumError('invalid_input', `Invalid answer format "${answerFormat}".`, {
    hint: `Give one of: ${answerFormats.join(', ')}.`,
  })
}

/** @throws `invalid_input` for an unknown policy */
export function checkClaimPolicy({ claims = 'mark' }: AskRequest): void {
  if (claimPolicies.includes(claims)) return
  throw new ScholiumError('invalid_input', `Invalid claims policy "${claims}".`, {
    hint: `Give one of: ${claimPolicies.join(', ')}.`,
  })
}

/** @throws `invalid_input` for a depth that is none, or a plan at depth `quick`, which has none */
export function checkDepth({ depth = 'standard', approvePlan, sequential }: AskRequest): void {
  if (!depths.includes(depth))
    throw new ScholiumError('invalid_input', `Invalid depth "${depth}".`, {
      hint: `Give one of: ${depths.join(', ')}.`,
    })
  if (depth !== 'quick') return
  if (approvePlan === true)
    throw new ScholiumError('invalid_input', 'At depth "quick" there is no plan to approve.', {
      hint: 'Choose depth standard or thorough, or leave out the approval of the plan.',
    })
  if (sequential === true)
    throw new ScholiumError('invalid_input', 'At depth "quick" there is only one research step.', {
      hint: 'Choose depth standard or thorough, or leave out "sequential".',
    })
}

/** @throws `invalid_input` for a retry limit that is not an integer of at least 0 */
export function checkRetryLimits({ retryLimit, retryLimits = {} }: AskRequest): void {
  const limits = [retryLimit ?? 0, ...Object.values(retryLimits)]
  const wrong = limits.find((limit) => !Number.isSafeInteger(limit) || limit < 0)
  if (wrong === undefined) return
  throw new ScholiumError('invalid_input', `Invalid retry limit: ${wrong}.`, {
    hint: 'Give a whole number of at least 0.',
  })
}
