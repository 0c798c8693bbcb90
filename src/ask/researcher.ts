import * as z from 'zod'
import type { PassageReference } from '../citations/claim.ts'
import { EvidenceLedger, type MintedNumber } from '../citations/ledger.ts'
import { runGraph } from '../graph/run-graph.ts'
import { maxResultCharacters } from '../kernel/agent/long-results.ts'
import type { ToolResultPart } from '../kernel/agent/message.ts'
import { createToolRegistry } from '../kernel/agent/tool.ts'
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
import { toEarlierTurns } from './earlier.ts'
import { selectPictures } from './pictures.ts'
import { allowedWrites, loadMcpTools, presentMcpResult, recordNotices } from './research-mcp.ts'
import {
  buildResearcherPrompt,
  createPlaces,
  findQuestionPages,
  loadWebTools,
  reportUnavailable,
} from './research-web.ts'
import { reportMalformed, respond, selectConversation, withinBoundary } from './roles.ts'
import { type AskPatch, type AskState, mergePatches, type ResearcherState } from './state.ts'
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
      const numbers = { ledger, places: createPlaces(state) }
      const graph = await createResearcherGraph(team, state, numbers, context)
      const done = await runGraph(graph, context, {
        conversation: openConversationFor(team, state, context),
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
      const kept: AskPatch = {
        research: { researchers, citations, passages },
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

/** The researcher's sub-graph, with tools that know the run's numbers. */
async function createResearcherGraph(
  team: TeamParts,
  state: AskState,
  { ledger, places }: { readonly ledger: EvidenceLedger; readonly places: WebPlaces },
  context: RunContext,
) {
  const { library } = team
  const { question, plan, research } = state
  const { sourceIds } = question
  const { earlierResults } = research
  const sourceOf = (n: number) => ledger.requireSource(n).sourceId
  const tools = [
    ...createLibraryTools({ library, sourceIds, sourceOf }),
    ...(await loadWebTools(team, question, ledger, places)),
    ...(await loadMcpTools(team, question, places, context)),
  ]
  const unavailable: Unavailable[] = []
  const notices: McpAccessNotice[] = []
  const feedback = research.decision === 'reject' ? research.feedback : null
  const request = plan.researchSteps[research.index] ?? ''
  const model = context.services.models.forRole('researcher')
  const form = model.effect === 'pure' ? 'json' : 'text'
  const maxCharacters = form === 'json' ? Infinity : maxResultCharacters(model)
  return createAgentGraph({
    name: 'researcher',
    schema: resultSchema,
    fromProse: (text) => ({ result: text }),
    agent: {
      model,
      tools: createToolRegistry(tools),
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
        return presentPassages(ledger, presented.result, form, maxCharacters)
      },
    },
    findings: (results) => {
      const { citations, passages } = ledger
      const failedSearch = findFailedSearch(results)
      const found = places.all.slice(findQuestionPages(question).length)
      const left = { citations, passages, failedSearch, places: found, unavailable }
      return { ...left, ...(notices.length === 0 ? {} : { notices }) } as unknown as Json
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
function openConversationFor(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): readonly Hash[] {
  const stepId = state.research.index
  const instructions = selectConversation(state.control.messages, 'researcher', {
    stepId,
    kind: 'instruction',
  })
  const earlier = state.research.researchers[stepId]
  if (earlier === undefined)
    return [
      ...context.keepMessages([
        createMessage(context, 'system', buildResearcherPrompt(team, state.question)),
      ]),
      ...selectPictures(state.question, 'researcher'),
      ...context.keepMessages(instructions.slice(-1)),
    ]
  return [...earlier.conversation, ...context.keepMessages(instructions.slice(-1))]
}
