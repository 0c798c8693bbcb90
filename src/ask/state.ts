import type { PassageReference } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import { type ResearchResult, saysNothing } from '../citations/role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import {
  applyPatch,
  type Channel,
  type Channels,
  initialState,
  type Patch,
  replace,
  type Stage,
  setFields,
  stage,
} from '../graph/graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { Failure } from '../kernel/errors.ts'
import type { Hash, Json, JsonObject } from '../kernel/json.ts'
import { type Gap, withGaps } from '../team/gap.ts'
import type { DescribedTool } from '../tools/mcp/mcp-access.ts'
import type { WebPlace } from '../tools/web/places.ts'
import type { Calculation } from './calculated.ts'
import type { Earlier } from './earlier.ts'
import type { AnswerFormat, AskResult, ClaimPolicy, Depth, Figure } from './result.ts'
import type { ShownPictures, SourcePaths } from './team.ts'

/** The roles whose work a critic judges. */
export type Worker = 'planner' | 'researcher' | 'expert'
/** Where the orchestrator can send the work; `research` is all research steps at once, `approval` a person's review of the plan. */
export type AgentName = Worker | `critic_${Worker}` | 'research' | 'approval' | 'finalizer'

/** A critic's decision; empty before there is one. */
export type Decision = '' | 'approve' | 'reject'

/** The last judgement of a role's work: its critic's, or, for the plan, possibly a person's. */
export type Review = {
  readonly decision: Decision
  readonly feedback: string
}

/** What was asked, and what may be used to answer it: the run's input, and the sources, pictures and tools found for it. */
export type QuestionStage = {
  readonly text: string
  readonly files: readonly string[]
  /** The only folder in which files are read; empty for no restriction. */
  readonly filesWithin: string
  /** What the question takes over from the run that it continues; `null` if it continues none. */
  readonly earlier: Earlier | null
  /** The policy for unsupported claims. Empty, as in version 0.1: `mark`. */
  readonly claims: ClaimPolicy | ''
  readonly depth: Depth
  /** The form of the answer; empty for cited sentences. */
  readonly answerFormat: AnswerFormat | ''
  /** What a role's critic checks in addition to its instructions. */
  readonly criteria: { readonly [role in Worker]?: string }
  /** Whether the web may be used. */
  readonly web: boolean
  /** Whether models that take pictures are shown those among the sources. */
  readonly pictures: boolean
  /** The names of the MCP servers that may be used. */
  readonly mcp: readonly string[]
  /** Whether the expert may run Python. */
  readonly python: boolean
  /** Whether research steps run one after another. */
  readonly sequential: boolean
  /** Whether a person reviews the plan before research begins. */
  readonly approvePlan: boolean
  readonly sourceIds: readonly SourceId[]
  /** The titles of what can be searched, those of the question's own files first with their names; the first 40. */
  readonly sourceTitles: readonly string[]
  /** How many sources can be searched. */
  readonly sourceCount: number
  /** The paths under which the question named sources, where the library knows them under others. */
  readonly sourcePaths: SourcePaths
  /** The pictures that models were shown. */
  readonly shownPictures: ShownPictures | null
  /** The tools of MCP servers that researchers get. */
  readonly mcpTools: readonly DescribedTool[]
  /** Whether researchers are shown the pictures that these tools return. */
  readonly mcpImages: boolean
}

/** How the question is to be answered. */
export type PlanStage = Review & {
  readonly researchSteps: readonly string[]
  readonly expertSteps: readonly string[]
  /** For each research step the indexes of the earlier ones whose results it gets; empty where none needs another. */
  readonly needs: readonly (readonly number[])[]
  /** What a person asked to change in the plans that were shown, in order. */
  readonly wishes: readonly string[]
}

/** A researcher's work on one research step, kept for the next attempt after a rejection. */
export type ResearcherState = {
  readonly stepIndex: number
  /** The hashes of its messages. */
  readonly conversation: readonly Hash[]
  /** Why its last search failed; empty if it succeeded. */
  readonly failedSearch: string
  /** What its web searches found; absent without the web. */
  readonly places?: readonly WebPlace[]
}

/** What was found for each research step, and the passages that were read for it. */
export type ResearchStage = Review & {
  /**
   * The current research step, as an index into the plan and into `results`; -1 before the first. After parallel steps:
   * the number of approved ones.
   */
  readonly index: number
  /** The work on each research step, by its index. */
  readonly researchers: { readonly [stepIndex: string]: ResearcherState }
  readonly results: readonly ResearchResult[]
  /** Results of the steps that a parallel research step needs. */
  readonly earlierResults: readonly ResearchResult[]
  /** The numbers that stand for sources. */
  readonly citations: readonly MintedNumber[]
  readonly passages: readonly PassageReference[]
}

/** The expert's draft, which its critic judges, and the final text made from it, whose claims are checked (`basis` for a short answer). */
export type AnswerStage = Review & {
  /** The hashes of the expert's messages; null before its first attempt. */
  readonly conversation: readonly Hash[] | null
  readonly draft: string
  readonly draftReasoning: string
  /** What the expert's tools calculated, in order. */
  readonly calculations: readonly Calculation[]
  /** What they drew, in order. */
  readonly figures: readonly Figure[]
  /** The final answer; empty until it is written, or code has fixed it. */
  readonly text: string
  readonly reasoning: string
  /** The text that a short answer was made from; empty if the answer needs none. */
  readonly basis: string
}

/** The result, with the verdict on each claim of the final text. */
export type VerdictStage = {
  readonly result: AskResult | null
}

/** Who works, and what ends the work: rejections, limits, failures. */
export type ControlStage = {
  /** The messages between the orchestrator and the agents. */
  readonly messages: readonly Message[]
  /**
   * The current or last agent: an {@link AgentName}, or `input`; empty before the first, and when a research step has
   * ended.
   */
  readonly atAgent: string
  /** Rejections so far: over all roles, and by role. */
  readonly rejectionCount: number
  readonly rejections: { readonly [role in Worker]: number }
  /** The settings `retryLimit` and `retryLimits`: the rejection that reaches one of them ends the work. */
  readonly retryLimit: number
  readonly retryLimits: { readonly [role in Worker]?: number }
  /** The role whose last answer was invalid. */
  readonly malformed: Worker | ''
  readonly malformedReason: string
  readonly error: Failure | null
  /** The node that failed. */
  readonly errorComponent: string | null
  /** The limit that stopped the run. */
  readonly limit: Failure | null
  /** Set if a person rejected the plan. */
  readonly ending: 'plan_refused' | ''
  /** What the run could not do or read. */
  readonly gaps: readonly Gap[]
}

/** The state of the question team, by stage. All of it is JSON; sources and their texts stay in the library, under their ids. */
export type AskState = {
  readonly question: Stage<QuestionStage>
  readonly plan: Stage<PlanStage>
  readonly research: Stage<ResearchStage>
  readonly answer: Stage<AnswerStage>
  readonly verdicts: Stage<VerdictStage>
  readonly control: Stage<ControlStage>
}

/** What a node changes: of each stage some fields. */
export type AskPatch = Patch<AskState>

/** The default number of rejections that ends the work. */
export const initialRetryLimit = 5

const review = { decision: replace<Decision>(''), feedback: replace('') }

/** The initial value of each field, and how patches apply: messages and gaps are appended, other fields replaced. */
export const channels: Channels<AskState> = {
  question: stage<QuestionStage>({
    text: replace(''),
    files: replace<readonly string[]>([]),
    filesWithin: replace(''),
    earlier: replace<Earlier | null>(null),
    claims: replace<QuestionStage['claims']>(''),
    depth: replace<Depth>('thorough'),
    answerFormat: replace<QuestionStage['answerFormat']>(''),
    criteria: replace<QuestionStage['criteria']>({}),
    web: replace(false),
    pictures: replace(false),
    mcp: replace<readonly string[]>([]),
    python: replace(false),
    // As in version 0.1, whose runs say nothing of it.
    sequential: replace(true),
    approvePlan: replace(false),
    sourceIds: replace<readonly SourceId[]>([]),
    sourceTitles: replace<readonly string[]>([]),
    sourceCount: replace(0),
    sourcePaths: replace<SourcePaths>({}),
    shownPictures: replace<ShownPictures | null>(null),
    mcpTools: replace<readonly DescribedTool[]>([]),
    mcpImages: replace(false),
  }),
  plan: stage<PlanStage>({
    researchSteps: replace<readonly string[]>([]),
    expertSteps: replace<readonly string[]>([]),
    needs: replace<PlanStage['needs']>([]),
    wishes: replace<readonly string[]>([]),
    ...review,
  }),
  research: stage<ResearchStage>({
    index: replace(-1),
    researchers: replace({}),
    results: replace<readonly ResearchResult[]>([]),
    earlierResults: replace<readonly ResearchResult[]>([]),
    citations: replace<readonly MintedNumber[]>([]),
    passages: replace<readonly PassageReference[]>([]),
    ...review,
  }),
  answer: stage<AnswerStage>({
    conversation: replace<readonly Hash[] | null>(null),
    draft: replace(''),
    draftReasoning: replace(''),
    calculations: replace<readonly Calculation[]>([]),
    figures: replace<readonly Figure[]>([]),
    text: replace(''),
    reasoning: replace(''),
    basis: replace(''),
    ...review,
  }),
  verdicts: stage<VerdictStage>({
    result: replace<AskResult | null>(null),
  }),
  control: stage<ControlStage>({
    messages: appendUnique(),
    atAgent: replace(''),
    rejectionCount: replace(0),
    rejections: replace<ControlStage['rejections']>({ planner: 0, researcher: 0, expert: 0 }),
    retryLimit: replace(initialRetryLimit),
    retryLimits: replace<ControlStage['retryLimits']>({}),
    malformed: replace<ControlStage['malformed']>(''),
    malformedReason: replace(''),
    error: replace<Failure | null>(null),
    errorComponent: replace<string | null>(null),
    limit: replace<Failure | null>(null),
    ending: replace<ControlStage['ending']>(''),
    gaps: { initial: [], reduce: withGaps },
  }),
}

/** Another view of a state: the given fields replace those of the state, also messages and gaps. */
export function withFields(state: AskState, fields: AskPatch): AskState {
  return setFields(channels, state, fields)
}

/** The state after a node returned a patch: messages and gaps are added to those of the state, all other fields replaced. */
export function stateAfter(state: AskState, patch: AskPatch): AskState {
  return applyPatch(channels, state, patch)
}

/** Several patches as one: their messages and gaps are joined; of any other field that several set, the last counts. */
export function mergePatches(...patches: readonly AskPatch[]): AskPatch {
  const merged: Record<string, JsonObject> = {}
  for (const patch of patches)
    for (const [name, fields] of Object.entries(patch))
      merged[name] = { ...merged[name], ...fields }
  const messages = patches.flatMap(({ control }) => control?.messages ?? [])
  const gaps = patches.flatMap(({ control }) => control?.gaps ?? [])
  if (messages.length > 0) merged.control = { ...merged.control, messages }
  if (gaps.length > 0) merged.control = { ...merged.control, gaps }
  return merged as AskPatch
}

/** Whether one more rejection of a role's work reaches a limit, and so ends the work. */
export function isLastRejection(
  { rejectionCount, rejections, retryLimit, retryLimits }: ControlStage,
  worker: Worker,
): boolean {
  return (
    rejectionCount + 1 >= retryLimit || rejections[worker] + 1 >= (retryLimits[worker] ?? Infinity)
  )
}

/** Whether the critic's last decision approved the expert's draft. */
export function isAnswerApproved({ answer }: AskState): boolean {
  return answer.decision === 'approve'
}

/** The approved research results that are not empty. */
export function approvedResults({ research }: AskState): readonly ResearchResult[] {
  const approved = research.results.slice(0, Math.max(0, research.index))
  return approved.filter(({ result }) => !saysNothing(result))
}

function appendUnique(): Channel<readonly Message[]> {
  return {
    initial: [],
    reduce: (current, given) => {
      const known = new Set(current.map((message) => message.id))
      return [...current, ...given.filter((message) => !known.has(message.id))]
    },
  }
}

/**
 * The fields of a state, as `stage.field`, that are missing or of another type than their initial value, and messages of another
 * form; empty when the state is sound.
 */
export function findInvalidFields(state: {
  readonly [stage: string]: Json | undefined
}): readonly string[] {
  const initial = initialState<AskState>(channels, {})
  const invalid = Object.entries(initial).flatMap(([name, fields]) =>
    Object.entries(fields as JsonObject).flatMap(([field, value]) => {
      const found = (state[name] as JsonObject | undefined)?.[field]
      const problem = findTypeProblem(found, value as Json)
      return problem === undefined ? [] : [`${name}.${field} is ${problem}`]
    }),
  )
  return [...invalid, ...malformedMessages((state.control as JsonObject | undefined)?.messages)]
}

function findTypeProblem(found: Json | undefined, initial: Json): string | undefined {
  if (found === undefined) return 'missing'
  if (initial === null) return undefined
  const isSame = typeof found === typeof initial && Array.isArray(found) === Array.isArray(initial)
  return isSame && found !== null ? undefined : describeType(found)
}

function malformedMessages(messages: Json | undefined): readonly string[] {
  if (!Array.isArray(messages)) return []
  return messages.flatMap((message, index) =>
    isTeamMessage(message) ? [] : [`control.messages[${index}] is not a message of the team`],
  )
}

/** Whether a value is a message of the team, envelope and all. */
export function isTeamMessage(value: Json): boolean {
  const { id, role, parts, meta } = (value ?? {}) as Partial<Record<string, Json>>
  const { sender, receiver, kind, stepId } = (meta ?? {}) as Partial<Record<string, Json>>
  return (
    [id, role, sender, receiver].every((text) => typeof text === 'string') &&
    Array.isArray(parts) &&
    (kind === 'instruction' || kind === 'response') &&
    (stepId === null || Number.isInteger(stepId))
  )
}

function describeType(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value
}
