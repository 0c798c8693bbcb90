import * as z from 'zod'
import type { PassageReference } from '../citations/claim.ts'
import { EvidenceLedger, type MintedNumber } from '../citations/ledger.ts'
import type { PassageId } from '../citations/source.ts'
import { runGraph } from '../graph/run-graph.ts'
import { maxResultCharacters } from '../kernel/agent/long-results.ts'
import { messageText, type ToolResultPart } from '../kernel/agent/message.ts'
import { createToolRegistry, type Tool } from '../kernel/agent/tool.ts'
import type { Hash, Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage, modelText } from '../team/conversation.ts'
import { cutGaps } from '../team/gap.ts'
import { createLibraryTools } from '../tools/library/library-tools.ts'
import { presentPassages } from '../tools/library/present-passages.ts'
import type { McpAccessNotice } from '../tools/mcp/mcp-access.ts'
import {
  numberPlacesInResult,
  searchToolNames,
  type WebPlace,
  type WebPlaces,
} from '../tools/web/places.ts'
import type { Unavailable } from '../tools/web/unavailable.ts'
import { createAgentGraph } from './agent-graph.ts'
import type { Calculation } from './calculated.ts'
import { toEarlierTurns } from './earlier.ts'
import {
  collectCalculations,
  describeEarlierEvidence,
  FigureCollector,
  loadExpertTools,
  offersPython,
} from './expert.ts'
import { selectPictures } from './pictures.ts'
import { allowedWrites, loadMcpTools, presentMcpResult, recordNotices } from './research-mcp.ts'
import {
  buildResearcherPrompt,
  createPlaces,
  findQuestionPages,
  loadWebTools,
  reportUnavailable,
} from './research-web.ts'
import {
  describeSources,
  reportMalformed,
  respond,
  selectConversation,
  withinBoundary,
} from './roles.ts'
import {
  type AskPatch,
  type AskState,
  mergePatches,
  type QuestionStage,
  type ResearcherState,
} from './state.ts'
import { maxTurns, type TeamParts } from './team.ts'

const resultSchema = z.object({ result: modelText.trim().min(1) })

/** What a researcher's tools leave for the team: numbers and passages. */
type Findings = {
  readonly citations: readonly MintedNumber[]
  readonly passages: readonly PassageReference[]
  /** Why the last search failed; empty if it succeeded. */
  readonly failedSearch: string
  /** What web searches found. */
  readonly places: readonly WebPlace[]
  readonly unavailable: readonly Unavailable[]
  /** What the agent of depth `quick` calculated; absent where it calculated nothing. */
  readonly calculations?: readonly Calculation[]
  /** Notices of servers; absent if there are none. */
  readonly notices?: readonly McpAccessNotice[]
}

/**
 * The researcher: works on the current research step in a graph of its own, converse → report. After a rejection it continues the
 * same conversation.
 */
export function researcherNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<AskPatch> =>
    withinBoundary('researcher', context, async () => {
      const { plan, research, control } = state
      const { index } = research
      const ledger = new EvidenceLedger(research.citations, research.passages)
      const figures = new FigureCollector(state.answer.figures)
      const collectors = { ledger, places: createPlaces(state), figures }
      const graph = await createResearcherGraph(team, state, collectors, context)
      const done = await runGraph(graph, context, {
        conversation: await openConversationFor(team, state, context),
      })
      const found = done.findings as unknown as Findings
      const { citations, passages, failedSearch, places } = found
      const { conversation } = done
      const researcher: ResearcherState = {
        stepIndex: index,
        conversation,
        failedSearch,
        ...(places.length === 0 ? {} : { places }),
      }
      const request = plan.researchSteps[index] ?? ''
      const gaps = [
        ...(await reportUnavailable(context, control.gaps, found.unavailable)),
        ...cutGaps(done.isCut, `What was found on “${request}”`),
      ]
      await recordNotices(context, found.notices ?? [])
      const researchers = { ...research.researchers, [index]: researcher }
      const calculated: AskPatch['answer'] = {
        ...(found.calculations === undefined
          ? {}
          : { calculations: [...state.answer.calculations, ...found.calculations] }),
        ...(figures.all.length === 0 ? {} : { figures: figures.all }),
      }
      const kept: AskPatch = {
        research: { researchers, citations, passages },
        ...(Object.keys(calculated).length === 0 ? {} : { answer: calculated }),
        ...(gaps.length === 0 ? {} : { control: { gaps } }),
      }
      if (done.answer === null)
        return mergePatches(kept, await reportMalformed('researcher', done.problem, context))
      const result = String(done.answer.result)
      const results = [...research.results]
      results[index] = { request, result }
      const text = `research complete\n${result}`
      return mergePatches(
        kept,
        { research: { results } },
        respond(context, 'researcher', index, text),
      )
    })
}

/** What a researcher's tools fill: the run's numbers, results of the web, drawings. */
interface Collectors {
  readonly ledger: EvidenceLedger
  readonly places: WebPlaces
  readonly figures: FigureCollector
}

/** A researcher's tools; at depth `quick` also those with which an answer is calculated. */
async function loadTools(
  team: TeamParts,
  question: QuestionStage,
  { ledger, places }: Collectors,
  context: RunContext,
): Promise<readonly Tool[]> {
  const { library } = team
  const { sourceIds, depth } = question
  const sourceOf = (n: number) => ledger.requireSource(n).sourceId
  return [
    ...createLibraryTools({ library, sourceIds, sourceOf }),
    ...(await loadWebTools(team, question, ledger, places)),
    ...(await loadMcpTools(team, question, places, context)),
    ...(depth === 'quick' ? await loadExpertTools(team, question, context) : []),
  ]
}

/** The researcher's sub-graph, with tools that know the run's numbers. */
async function createResearcherGraph(
  team: TeamParts,
  state: AskState,
  collectors: Collectors,
  context: RunContext,
) {
  const { question, plan, research } = state
  const { earlierResults } = research
  const { ledger, places, figures } = collectors
  const unavailable: Unavailable[] = []
  const notices: McpAccessNotice[] = []
  const feedback = research.decision === 'reject' ? research.feedback : null
  const request = plan.researchSteps[research.index] ?? ''
  const model = context.services.models.forRole('researcher')
  const form = model.effect === 'pure' ? 'json' : 'text'
  const maxCharacters = form === 'json' ? Infinity : maxResultCharacters(model)
  const presentation = { form, maxCharacters, shown: new Set<PassageId>() } as const
  return createAgentGraph({
    name: 'researcher',
    schema: resultSchema,
    fromProse: (text) => ({ result: text }),
    agent: {
      model,
      tools: createToolRegistry(await loadTools(team, question, collectors, context)),
      maxTurns,
      allow: allowedWrites(question),
      roleRequest: {
        question: question.text,
        request,
        feedback,
        ...(earlierResults.length === 0 ? {} : { earlier: earlierResults }),
        ...toEarlierTurns(question),
      },
      present: (result) => {
        const found = numberPlacesInResult(places, result)
        const presented = presentMcpResult(places, question, found.result)
        unavailable.push(...found.unavailable, ...presented.unavailable)
        notices.push(...presented.notices)
        return figures.present(presentPassages(ledger, presented.result, presentation))
      },
    },
    findings: (results, calls) => {
      const { citations, passages } = ledger
      const failedSearch = findFailedSearch(results)
      const found = places.all.slice(findQuestionPages(question).length)
      const left = { citations, passages, failedSearch, places: found, unavailable }
      const calculations = question.depth === 'quick' ? collectCalculations(results, calls) : []
      return {
        ...left,
        ...(calculations.length === 0 ? {} : { calculations }),
        ...(notices.length === 0 ? {} : { notices }),
      } as unknown as Json
    },
  })
}

/** Why the last search failed. A call rejected for its form is the model's mistake, not a failed search. */
function findFailedSearch(results: readonly ToolResultPart[]): string {
  const last = results.findLast(({ toolName }) => searchToolNames.has(toolName))
  const output = (last?.output ?? {}) as { readonly error?: Json; readonly code?: Json }
  return last?.isError === true && output.code !== undefined ? String(output.error) : ''
}

/** The opening of a new research step's conversation, or the existing one with the orchestrator's later messages. */
async function openConversationFor(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly Hash[]> {
  const { question, research, control } = state
  const stepId = research.index
  const instructions = selectConversation(control.messages, 'researcher', {
    stepId,
    kind: 'instruction',
  }).slice(-1)
  const earlier = research.researchers[stepId]
  if (earlier !== undefined) return [...earlier.conversation, ...context.keepMessages(instructions)]
  const system = createMessage(context, 'system', buildSystemPrompt(team, question, context))
  const pictures = selectPictures(question, 'researcher')
  const opening = [...context.keepMessages([system]), ...pictures]
  if (question.depth !== 'quick') return [...opening, ...context.keepMessages(instructions)]
  const evidence = await describeEarlierEvidence(team, state, context)
  const sources = describeSources(question)
  // First what all questions share, so that services can cache it.
  const task = `${sources === '' ? '' : `${sources}\n\n`}${instructions.map(messageText).join('')}${evidence}`
  return [...opening, ...context.keepMessages([createMessage(context, 'user', task)])]
}

function buildSystemPrompt(team: TeamParts, question: QuestionStage, context: RunContext): string {
  const prompt = buildResearcherPrompt(team, question)
  const hasPython = question.depth === 'quick' && offersPython(question, context)
  return hasPython ? `${prompt}\n\n${team.prompts.expert_python}` : prompt
}
