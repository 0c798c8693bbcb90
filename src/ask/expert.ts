import * as z from 'zod'
import type { CalculationOutput } from '../citations/role-requests.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { ToolCallPart, ToolResultPart } from '../kernel/agent/message.ts'
import { createToolRegistry, type Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Hash, Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { describeEvidence, modelText, openConversation } from '../team/conversation.ts'
import { readEvidence } from '../team/evidence.ts'
import { cutPatch } from '../team/gap.ts'
import { createAgentGraph } from './agent-graph.ts'
import { type Calculation, findNewNumbers } from './calculated.ts'
import { needsFinalizer } from './depth.ts'
import { continuationPrompts, selectEarlierEvidence, toEarlierTurns } from './earlier.ts'
import { selectPictures } from './pictures.ts'
import { presentQuestion } from './research-web.ts'
import type { Figure } from './result.ts'
import {
  describeResearch,
  describeSteps,
  findLastInstruction,
  reportMalformed,
  respond,
  selectConversation,
  withinBoundary,
} from './roles.ts'
import { type AskPatch, type AskState, mergePatches, type QuestionStage } from './state.ts'
import { maxTurns, type TeamParts } from './team.ts'

const answerSchema = z.object({
  expert_answer: modelText.trim().min(1),
  reasoning_trace: modelText,
})

/** The expert: answers from the research results and calculations in its own sub-graph. */
export function expertNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<AskPatch> =>
    withinBoundary('expert', context, async () => {
      const conversation = await openExpertConversation(team, state, context)
      const figures = new FigureCollector(state.answer.figures)
      const graph = await createExpertGraph(team, state, figures, context)
      const done = await runGraph(graph, context, { conversation })
      const calculated = done.findings as unknown as readonly Calculation[]
      const kept: AskPatch = {
        answer: {
          conversation: done.conversation,
          calculations: [...state.answer.calculations, ...calculated],
          ...(figures.all.length === 0 ? {} : { figures: figures.all }),
        },
      }
      if (done.answer === null)
        return mergePatches(kept, await reportMalformed('expert', done.problem, context))
      const { expert_answer: draft, reasoning_trace: reasoning } = done.answer
      const text = `expert complete\n${JSON.stringify(done.answer)}`
      return mergePatches(
        kept,
        {
          answer: { draft: String(draft), draftReasoning: String(reasoning) },
          control: cutPatch(done.isCut, 'The expert’s answer'),
        },
        respond(context, 'expert', null, text),
      )
    })
}

async function createExpertGraph(
  team: TeamParts,
  state: AskState,
  figures: FigureCollector,
  context: RunContext,
) {
  const { question, plan, research, answer } = state
  const feedback = answer.decision === 'reject' ? answer.feedback : null
  return createAgentGraph({
    name: 'expert',
    schema: answerSchema,
    fromProse: (text) => ({ expert_answer: text, reasoning_trace: '' }),
    agent: {
      model: context.services.models.forRole('expert'),
      tools: createToolRegistry(await loadExpertTools(team, question, context)),
      maxTurns,
      roleRequest: {
        question: question.text,
        expert_steps: plan.expertSteps,
        research: research.results,
        feedback,
        ...toEarlierTurns(question),
      },
      present: (result) => figures.present(result),
    },
    findings: (results, calls) => collectCalculations(results, calls) as unknown as Json,
  })
}

/** What the calculator, the unit converter and Python calculated. @param calls those that the results answer, in their order */
export function collectCalculations(
  results: readonly ToolResultPart[],
  calls: readonly ToolCallPart[],
): readonly Calculation[] {
  return [...collectExpressions(results), ...collectPythonCalculations(results, calls)]
}

/** Other tools, such as those of MCP servers, may return anything. */
const calculators: ReadonlySet<string> = new Set(['calculate', 'convert_units'])

function collectExpressions(results: readonly ToolResultPart[]): readonly CalculationOutput[] {
  return results.flatMap(({ toolName: tool, output, isError }) => {
    if (!calculators.has(tool)) return []
    const { expression, result } = output as { readonly expression?: Json; readonly result?: Json }
    if (isError === true || expression === undefined || result === undefined) return []
    return [{ expression: String(expression), result: String(result) }]
  })
}

async function openExpertConversation(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly Hash[]> {
  const { question, plan, research, answer, control } = state
  if (answer.conversation !== null) {
    const last = selectConversation(control.messages, 'expert', { kind: 'instruction' }).slice(-1)
    return [...answer.conversation, ...context.keepMessages(last)]
  }
  const values = {
    question: presentQuestion(question),
    expert_steps: describeSteps(plan.expertSteps),
    research_steps_and_results: describeResearch(research.results, research.citations),
  }
  const task = findLastInstruction(control.messages, 'expert')
  const instruction = `${task}${await describeEarlierEvidence(team, state, context)}`
  const { expert, expert_final, expert_python, expert_continued } = team.prompts
  const additions = [
    ...(needsFinalizer(state) ? [] : [expert_final]),
    ...(offersPython(question, context) ? [expert_python] : []),
    ...continuationPrompts(question, expert_continued),
  ]
  const opened = openConversation(context, expert, values, instruction, additions)
  const [system, ...others] = context.keepMessages(opened) as readonly [Hash, ...Hash[]]
  return [system, ...selectPictures(question, 'expert'), ...others]
}

/** The passages that earlier answers are based on, read again as one step, as text for a role; empty for none. */
export async function describeEarlierEvidence(
  { library }: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<string> {
  const read = await readEvidence(
    context,
    library,
    selectEarlierEvidence(state.question, state.research.passages),
    state.research.citations,
  )
  const passages = read.filter(({ text }) => text !== '')
  if (passages.length === 0) return ''
  return `\nPassages on which the earlier answers rest:\n${describeEvidence(passages)}`
}

/** The name of the tool. */
const toolName = 'python'
/** Maximum number of figures in an answer; the log has the others. */
const maxFigures = 12
/** Maximum size of the kept results of one run of code. */
const maxResultCharacters = 4_000

/** Whether who answers may run Python: it was on when the question was asked, and the role is a language model. */
export function offersPython({ python, depth }: QuestionStage, { services }: RunContext): boolean {
  const role = depth === 'quick' ? 'researcher' : 'expert'
  return python && services.models.forRole(role).effect !== 'pure'
}

/** The tools with which an answer is calculated in this run. */
export async function loadExpertTools(
  { expertTools, python }: TeamParts,
  question: QuestionStage,
  context: RunContext,
): Promise<readonly Tool[]> {
  if (!offersPython(question, context)) return expertTools
  if (python === undefined)
    throw new ScholiumError(
      'invalid_configuration',
      'This run may use Python, but no Python is set up.',
    )
  return [...expertTools, await python()]
}

/** The parts of Python's result used here. */
type PythonOutput = {
  readonly stdout?: Json
  readonly value?: Json
  readonly error?: Json
  readonly figures?: readonly string[]
}

/** Replaces figures in what models see by notes, and collects them here. */
export class FigureCollector {
  private readonly kept: Figure[]
  private count: number

  /** @param kept the figures that the run already has */
  constructor(kept: readonly Figure[]) {
    this.kept = [...kept]
    this.count = kept.length
  }

  get all(): readonly Figure[] {
    return this.kept.slice(0, maxFigures)
  }

  /** A result as a model sees it. */
  present(result: ToolResultPart): ToolResultPart {
    const output = result.output as PythonOutput
    if (result.toolName !== toolName || result.isError === true || !Array.isArray(output.figures))
      return result
    const figures = output.figures.map((svg) => this.keep(String(svg)))
    return { ...result, output: { ...(output as object), figures } as Json }
  }

  private keep(svg: string): string {
    this.count++
    const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
    const size = { width: Number(width), height: Number(height) }
    this.kept.push({ figure: this.count, mediaType: 'image/svg+xml', ...size, svg })
    return `figure ${this.count}: ${width}×${height}, kept`
  }
}

/**
 * The numbers that code calculated: those of its output and value that are not in the code itself. A number that was
 * only written down and printed is no calculation.
 *
 * @param calls the calls that the results answer, in the same order
 */
export function collectPythonCalculations(
  results: readonly ToolResultPart[],
  calls: readonly ToolCallPart[],
): readonly Calculation[] {
  return results.flatMap((part, index) => {
    if (part.toolName !== toolName || part.isError === true) return []
    const { stdout = '', value = null } = part.output as PythonOutput
    const printed = [stdout, value].map((one) =>
      typeof one === 'string' ? one : JSON.stringify(one, null, 1),
    )
    const expression = readCode(calls[index])
    const result = findNewNumbers(printed.join('\n'), expression).join(' ; ')
    if (result === '') return []
    return [{ tool: 'python', expression, result: result.slice(0, maxResultCharacters) }]
  })
}

function readCode(call: ToolCallPart | undefined): string {
  const { code = '' } = (call?.input ?? {}) as { readonly code?: Json }
  return String(code)
}
