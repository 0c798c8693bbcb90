import type { AnswerFormat, ClaimPolicy } from '../ask/result.ts'
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

/** What an app is made with; everything has a default. */
export interface AppOptions {
  /** Folder of runs and library. Default: `SCHOLIUM_HOME`, the nearest `.scholium/` that this person made, or the user's data folder. */
  readonly home?: string
  /**
   * Homes that are the operator's own although their registration is not there, as in a container: runs that they record go on. A
   * home that this person's app made is known by itself.
   */
  readonly trustedHomes?: readonly string[]
  /** Default: the process's. */
  readonly environment?: Environment
  /** Folder from which relative paths count. Default: the process's. */
  readonly folder?: string
  /**
   * Models by role: by name, or as objects of the AI SDK. Default: the built-in `extractive` engine, which is no language model; for a recorded run, the models
   * that it was recorded with.
   */
  readonly models?: ModelChoices
  /** How models are reached that a recorded run names, where its record and the environment do not say it: their keys. */
  readonly knownModels?: readonly RoleModel[]
  /** The same of a project's own files: they count only for a model at the address that the record has. */
  readonly projectModels?: readonly RoleModel[]
  /** The variables of `environment` that a project's `.env` sets: the addresses among them count alike. */
  readonly projectVariables?: readonly string[]
  /** Prices by model name, or by its beginning with a `*` behind; before the built-in table. */
  readonly prices?: Readonly<Record<string, Price>>
  /** More providers by the name before the colon: each makes a model from what stands behind it. */
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
  /** Parts of the program that are switched off for agent files: `{reasoning: false}`. Default: none. */
  readonly features?: AgentFeatures
  /** Other servers for sources of the web than the usual ones. */
  readonly webServers?: WebServers
  /** Takes the place of the run store in the home, for tests and other media. */
  readonly store?: RunStore
  /** Told what goes wrong beside a run, such as a collector of traces that cannot be reached. Default: `process.emitWarning`. */
  readonly onWarning?: (text: string) => void
}

/** Options in which each model has a name, with the model objects by these names. */
export interface ResolvedOptions extends Omit<AppOptions, 'models'> {
  readonly models?: NamedModels
  readonly modelObjects: ModelObjects
}

/** What one execution is given. */
export interface ExecutionOptions extends RunLabels {
  readonly signal?: AbortSignal
  readonly limits?: Limits
  /** Hears each event once the log has it, and what is not stored as it happens. */
  readonly onEvent?: (event: LiveEvent) => void
  /** Answers the run's questions to a person; `undefined` leaves the run waiting. `key` is that of the step that asks. */
  readonly answer?: (question: Question, key: string) => Promise<Json | undefined>
  /**
   * What a run that is resumed, forked or continued may have of what its record names, and variables for its agent file. Its
   * record alone gives it nothing. Default: none.
   */
  readonly grants?: readonly Right[]
  /** Your own tools, of a run that is resumed or forked and was begun with them. */
  readonly tools?: readonly Tool[]
}

/** What is asked. */
export interface AskRequest {
  readonly question: string
  /**
   * The run from which the question goes on: its id, a part of it, or `last`. The question keeps its sources, numbers and settings,
   * and may leave out what the questions before it say. Limits are its own.
   */
  readonly continue?: string
  /** Files and folders to search for this question beside the library. */
  readonly sources?: readonly string[]
  /**
   * A folder out of which no source is read: files and folders that lead elsewhere by a link are passed over and told as gaps. For
   * sources that a project's own files name. Default: links are followed anywhere.
   */
  readonly sourcesRoot?: string
  /** Rejections by critics at most, over all roles. Default 5. */
  readonly retryLimit?: number
  /** Rejections by role at most. */
  readonly retryLimits?: { readonly [role in 'planner' | 'researcher' | 'expert']?: number }
  /**
   * What becomes of claims that their sources do not bear out: `mark` delivers them with their verdicts, `strict` rewrites each
   * once with its passages and else leaves it out, `off` checks nothing. Default `mark`.
   */
  readonly claims?: ClaimPolicy
  /** Whether the web may be asked: searches, pages, Wikipedia, papers, transcripts. Default false. */
  readonly web?: boolean
  /**
   * MCP servers that may be used, of those that the operator has set up ({@link AppOptions.mcp}): all, none or these. Default: those
   * of the app's settings.
   */
  readonly mcp?: boolean | readonly string[]
  /**
   * Your own tools, for the researchers. They may not change anything. What a tool gives becomes a source that the answer can cite,
   * and counts as text from elsewhere. A resumed run needs them again: {@link ExecutionOptions.tools}.
   */
  readonly tools?: readonly Tool[]
  /** Whether the expert may run Python, in a sandbox without files or network. Default: if its package is installed. */
  readonly python?: boolean
  /**
   * Whether research steps are worked on one after the other. Default false: at most four at once that do not need each other. The
   * answer is the same where the models' are.
   */
  readonly sequential?: boolean
  /** Whether a person is asked, through {@link ExecutionOptions.answer}, before the plan is worked on. Default false. */
  readonly approvePlan?: boolean
  /** `full`: sentences with their citations; `short`: a number, a few words or a list with commas alone. Default `full`. */
  readonly answerFormat?: AnswerFormat
  /** What the critic of a role looks at beside its instructions, in words. */
  readonly criteria?: { readonly [role in 'planner' | 'researcher' | 'expert']?: string }
}

/** The policies for claims, the default first. */
export const claimPolicies = ['mark', 'strict', 'off'] as const satisfies readonly ClaimPolicy[]

/** The forms of an answer, the default first. */
export const answerFormats = ['full', 'short'] as const satisfies readonly AnswerFormat[]

/**
 * A run that reads text from elsewhere must not change anything because of it.
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

/** @throws `invalid_input` for a form that is none */
export function checkAnswerFormat({ answerFormat = 'full' }: AskRequest): void {
  if (answerFormats.includes(answerFormat)) return
  throw new ScholiumError('invalid_input', `Invalid answer format "${answerFormat}".`, {
    hint: `Give one of: ${answerFormats.join(', ')}.`,
  })
}

/** @throws `invalid_input` for a policy that is none */
export function checkClaimPolicy({ claims = 'mark' }: AskRequest): void {
  if (claimPolicies.includes(claims)) return
  throw new ScholiumError('invalid_input', `Invalid claims policy "${claims}".`, {
    hint: `Give one of: ${claimPolicies.join(', ')}.`,
  })
}

/** @throws `invalid_input` for a retry limit that is no whole number from 0 on */
export function checkRetryLimits({ retryLimit, retryLimits = {} }: AskRequest): void {
  const limits = [retryLimit ?? 0, ...Object.values(retryLimits)]
  const wrong = limits.find((limit) => !Number.isSafeInteger(limit) || limit < 0)
  if (wrong === undefined) return
  throw new ScholiumError('invalid_input', `Invalid retry limit: ${wrong}.`, {
    hint: 'Give a whole number of at least 0.',
  })
}
