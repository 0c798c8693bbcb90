import type { PassageReference } from '../citations/claim.ts'
import type { MintedNumber } from '../citations/ledger.ts'
import { type ResearchResult, saysNothing } from '../citations/role-requests.ts'
import type { SourceId } from '../citations/source.ts'
import type { ClaimOpinion } from '../claims/verify/opinions.ts'
import { type Channels, replace } from '../graph/graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { Failure } from '../kernel/errors.ts'
import type { Hash, Json } from '../kernel/json.ts'
import { type Gap, withGaps } from '../team/gap.ts'
import type { DescribedTool } from '../tools/mcp/mcp-access.ts'
import type { WebPlace } from '../tools/web/places.ts'
import type { Calculation } from './calculated.ts'
import type { Earlier } from './earlier.ts'
import type { AnswerFormat, AskResult, ClaimPolicy, Figure } from './result.ts'
import type { ShownPictures, SourcePaths } from './team.ts'

/** The agents whose work a critic judges. */
export type Worker = 'planner' | 'researcher' | 'expert'
/** The nodes to which the orchestrator sends; `research` is all research steps at once, `approval` a person's look at the plan. */
export type AgentName = Worker | `critic_${Worker}` | 'research' | 'approval' | 'finalizer'

/** How a critic decided; empty before it has. */
export type Decision = '' | 'approve' | 'reject'

/** A researcher's work on one step, kept for its retries: the hashes of its messages. */
export type ResearcherState = {
  readonly stepIndex: number
  readonly conversation: readonly Hash[]
  /** Why its last search failed; empty when it did not. */
  readonly failedSearch: string
  /** What its searches of the web found, for its retries; absent where there is none. */
  readonly places?: readonly WebPlace[]
}

/** The state of the question team. All of it is JSON; sources and their texts stay in the library, under their ids. */
export type AskState = {
  readonly question: string
  readonly files: readonly string[]
  /** The folder out of which none of them is read; empty for none. */
  readonly filesWithin: string
  /** What the run from which this one goes on leaves to it; null where it goes on from none. */
  readonly earlier: Earlier | null
  readonly sourceIds: readonly SourceId[]
  /** Where the question names some of them, in the place of the paths that the library has for them. */
  readonly sourcePaths: SourcePaths
  readonly agentMessages: readonly Message[]
  readonly researchSteps: readonly string[]
  readonly expertSteps: readonly string[]
  /** For each research step the indexes of the earlier ones whose results it gets; empty where none needs another. */
  readonly researchNeeds: readonly (readonly number[])[]
  /** What was found by the steps that this one needs. */
  readonly earlierResults: readonly ResearchResult[]
  /** -1 before the first research step. */
  readonly currentResearchIndex: number
  readonly researcherStates: { readonly [stepIndex: string]: ResearcherState }
  readonly researchResults: readonly ResearchResult[]
  readonly expertState: { readonly conversation: readonly Hash[] } | null
  readonly expertAnswer: string
  readonly expertReasoning: string
  readonly criticPlannerDecision: Decision
  readonly criticPlannerFeedback: string
  readonly criticResearcherDecision: Decision
  readonly criticResearcherFeedback: string
  readonly criticExpertDecision: Decision
  readonly criticExpertFeedback: string
  readonly finalAnswer: string
  readonly finalReasoningTrace: string
  /** What ended the work beside failures, limits and critics: a person who refused the plan; empty where nothing did. */
  readonly ending: 'plan_refused' | ''
  /** The text from which a short answer was made; empty where the answer speaks for itself. */
  readonly answerBasis: string
  readonly currentStep: string
  readonly nextStep: string
  /** What becomes of claims that do not hold; empty where the run was not told, as in version 0.1: `mark`. */
  readonly claims: ClaimPolicy | ''
  /** Whether the web may be asked. */
  readonly web: boolean
  /** Whether models that take pictures are shown those among the sources. */
  readonly pictures: boolean
  /** Which they were shown. */
  readonly shownPictures: ShownPictures | null
  /** The MCP servers that may be used, by name. */
  readonly mcp: readonly string[]
  /** Their tools that the researchers get. */
  readonly mcpTools: readonly DescribedTool[]
  /** Whether the researchers are shown the pictures that these give. */
  readonly mcpImages: boolean
  /** Whether the expert may run Python. */
  readonly python: boolean
  /** Whether research steps are worked on one after the other. */
  readonly sequential: boolean
  /** Whether a person is asked before the plan is worked on. */
  readonly approvePlan: boolean
  /** What a person wanted otherwise of the plans that were shown, in order. */
  readonly planWishes: readonly string[]
  /** The form of the answer; empty for one of cited sentences. */
  readonly answerFormat: AnswerFormat | ''
  /** What a role's critic looks at beside its instructions. */
  readonly criteria: { readonly [role in Worker]?: string }
  readonly retryCount: number
  readonly retryLimit: number
  /** Rejections by role, and the most each role may have. */
  readonly retries: { readonly [role in Worker]: number }
  readonly retryLimits: { readonly [role in Worker]?: number }
  /** The worker whose last answer had no usable form. */
  readonly malformed: Worker | ''
  readonly malformedReason: string
  readonly error: Failure | null
  readonly errorComponent: string | null
  /** The limit at which the run stopped. */
  readonly limit: Failure | null
  readonly citations: readonly MintedNumber[]
  readonly passages: readonly PassageReference[]
  /** What the expert's tools gave it, in order. */
  readonly calculations: readonly Calculation[]
  /** What they drew, in order. */
  readonly figures: readonly Figure[]
  /** What the verifier says of the final answer's sentences. */
  readonly opinions: readonly ClaimOpinion[]
  readonly gaps: readonly Gap[]
  readonly result: AskResult | null
}

/** Rejections by critics at most, where nothing else is asked for. */
export const initialRetryLimit = 5

/** How each field begins and takes what a node gives. Every field is replaced: nodes give whole values. */
export const channels: Channels<AskState> = {
  question: replace(''),
  files: replace<readonly string[]>([]),
  filesWithin: replace(''),
  earlier: replace<Earlier | null>(null),
  sourceIds: replace<readonly SourceId[]>([]),
  sourcePaths: replace<SourcePaths>({}),
  agentMessages: appendUnique(),
  researchSteps: replace<readonly string[]>([]),
  expertSteps: replace<readonly string[]>([]),
  researchNeeds: replace<AskState['researchNeeds']>([]),
  earlierResults: replace<readonly ResearchResult[]>([]),
  currentResearchIndex: replace(-1),
  researcherStates: replace({}),
  researchResults: replace<readonly ResearchResult[]>([]),
  expertState: replace<AskState['expertState']>(null),
  expertAnswer: replace(''),
  expertReasoning: replace(''),
  criticPlannerDecision: replace<Decision>(''),
  criticPlannerFeedback: replace(''),
  criticResearcherDecision: replace<Decision>(''),
  criticResearcherFeedback: replace(''),
  criticExpertDecision: replace<Decision>(''),
  criticExpertFeedback: replace(''),
  finalAnswer: replace(''),
  finalReasoningTrace: replace(''),
  ending: replace<AskState['ending']>(''),
  answerBasis: replace(''),
  currentStep: replace(''),
  nextStep: replace('planner'),
  claims: replace<AskState['claims']>(''),
  web: replace(false),
  pictures: replace(false),
  shownPictures: replace<AskState['shownPictures']>(null),
  mcp: replace<readonly string[]>([]),
  mcpTools: replace<readonly DescribedTool[]>([]),
  mcpImages: replace(false),
  python: replace(false),
  // As in version 0.1, whose runs say nothing of it.
  sequential: replace(true),
  approvePlan: replace(false),
  planWishes: replace<readonly string[]>([]),
  answerFormat: replace<AskState['answerFormat']>(''),
  criteria: replace<AskState['criteria']>({}),
  retryCount: replace(0),
  retryLimit: replace(initialRetryLimit),
  retries: replace<AskState['retries']>({ planner: 0, researcher: 0, expert: 0 }),
  retryLimits: replace<AskState['retryLimits']>({}),
  malformed: replace<AskState['malformed']>(''),
  malformedReason: replace(''),
  error: replace<Failure | null>(null),
  errorComponent: replace<string | null>(null),
  limit: replace<Failure | null>(null),
  citations: replace<readonly MintedNumber[]>([]),
  passages: replace<readonly PassageReference[]>([]),
  calculations: replace<readonly Calculation[]>([]),
  figures: replace<readonly Figure[]>([]),
  opinions: replace<readonly ClaimOpinion[]>([]),
  gaps: appendGaps(),
  result: replace<AskResult | null>(null),
}

/** Whether the expert's answer stands: its critic's last word on it was approval. */
export function isAnswerApproved(state: AskState): boolean {
  return state.criticExpertDecision === 'approve'
}

/** The research results that a critic approved and that say something. */
export function approvedResults(state: AskState): readonly ResearchResult[] {
  // The index moves on when a result is approved, so what stands before it was.
  const approved = state.researchResults.slice(0, Math.max(0, state.currentResearchIndex))
  return approved.filter(({ result }) => !saysNothing(result))
}

function appendUnique(): Channels<AskState>['agentMessages'] {
  return {
    initial: [],
    reduce: (current, given) => {
      const known = new Set(current.map((message) => message.id))
      return [...current, ...given.filter((message) => !known.has(message.id))]
    },
  }
}

function appendGaps(): Channels<AskState>['gaps'] {
  return { initial: [], reduce: withGaps }
}

/**
 * The fields of a state that are missing or of another type than they begin with, and messages of another form; empty when the
 * state is sound.
 */
export function findInvalidFields(state: {
  readonly [field: string]: Json | undefined
}): readonly string[] {
  const invalid = Object.entries(channels).flatMap(([field, channel]) => {
    const value = state[field]
    if (value === undefined) return [`${field} is missing`]
    const initial: Json = channel.initial
    if (initial === null) return []
    const isSame =
      typeof value === typeof initial && Array.isArray(value) === Array.isArray(initial)
    return isSame && value !== null ? [] : [`${field} is ${describeType(value)}`]
  })
  return [...invalid, ...malformedMessages(state.agentMessages)]
}

function malformedMessages(messages: Json | undefined): readonly string[] {
  if (!Array.isArray(messages)) return []
  return messages.flatMap((message, index) =>
    isTeamMessage(message) ? [] : [`agentMessages[${index}] is not a message of the team`],
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
