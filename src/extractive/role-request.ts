import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import * as z from 'zod'
import type { AnalyzerInput, SynthesizerInput } from '../citations/papers-role-requests.ts'
import type {
  CalculationOutput,
  CriticInput,
  ExpertInput,
  FinalizerInput,
  PlannerInput,
  ResearcherInput,
  SearchOutput,
} from '../citations/role-requests.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { completeFollowUp } from './question/follow-up.ts'

/** A role with its input: all that this engine reads apart from tools and their results. */
export type RoleRequest =
  | { readonly role: 'planner'; readonly input: PlannerInput }
  | { readonly role: 'researcher'; readonly input: ResearcherInput }
  | { readonly role: 'expert'; readonly input: ExpertInput }
  | { readonly role: 'critic'; readonly input: CriticInput }
  | { readonly role: 'finalizer'; readonly input: FinalizerInput }
  | { readonly role: 'analyzer'; readonly input: AnalyzerInput }
  | { readonly role: 'synthesizer'; readonly input: SynthesizerInput }

const feedback = z.string().nullable()
const steps = z.array(z.string())
const research = z.array(z.object({ request: z.string(), result: z.string() }))
const question = z.string()
const turn = z.object({ question, answer: z.string().optional() })
/** What is asked, and the turns before it. */
const asked = { question, earlierTurns: z.array(turn).optional() }
const passage = z.looseObject({
  n: z.number(),
  passageId: z.string(),
  sourceId: z.string(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
})
const evidence = z.array(passage)

const findings = z.array(z.looseObject({ text: z.string(), quote: z.string().optional() }))
const analysedPaper = z.looseObject({
  n: z.number(),
  title: z.string(),
  methodology: findings,
  key_findings: findings,
  conclusions: findings,
  limitations: findings,
  contributions: findings,
})

const requestSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('planner'), input: z.object({ ...asked, feedback }) }),
  z.object({
    role: z.literal('researcher'),
    input: z.object({ ...asked, request: z.string(), feedback }),
  }),
  z.object({
    role: z.literal('expert'),
    input: z.object({ ...asked, expert_steps: steps, research, feedback }),
  }),
  z.object({
    role: z.literal('critic'),
    input: z.discriminatedUnion('work', [
      z.object({
        work: z.literal('planner'),
        ...asked,
        plan: z.object({ research_steps: steps, expert_steps: steps }),
      }),
      z.object({
        work: z.literal('researcher'),
        ...asked,
        request: z.string(),
        result: z.string(),
        evidence,
      }),
      z.object({
        work: z.literal('expert'),
        ...asked,
        research,
        answer: z.object({ expert_answer: z.string(), reasoning_trace: z.string() }),
        evidence,
      }),
    ]),
  }),
  z.object({
    role: z.literal('finalizer'),
    input: z.object({
      question,
      research_steps: steps,
      expert_steps: steps,
      research,
      expert_answer: z.string(),
      expert_reasoning: z.string(),
      answer_format: z.literal('short').optional(),
    }),
  }),
  z.object({
    role: z.literal('analyzer'),
    input: z.object({
      question,
      paper: z.object({ n: z.number(), title: z.string(), authors: steps }),
      passages: evidence,
    }),
  }),
  z.object({
    role: z.literal('synthesizer'),
    input: z.object({ question, papers: z.array(analysedPaper) }),
  }),
])

/**
 * Reads the role and its input from the call's provider options.
 * @throws `invalid_input` if they are missing or malformed
 */
export function readRoleRequest(options: LanguageModelV4CallOptions): RoleRequest {
  const parsed = requestSchema.safeParse(options.providerOptions?.scholium)
  if (parsed.success) return completeQuestion(parsed.data as unknown as RoleRequest)
  throw new ScholiumError(
    'invalid_input',
    `The extractive engine got no usable role: ${z.prettifyError(parsed.error)}`,
    {
      hint: 'It reads no prompts. Give providerOptions.scholium = { role, input }, or choose a language model.',
    },
  )
}

/** Resolves what a follow-up question leaves out: this engine reads no conversation. */
function completeQuestion(call: RoleRequest): RoleRequest {
  const { role } = call
  if (role === 'finalizer' || role === 'analyzer' || role === 'synthesizer') return call
  const { question: given, earlierTurns = [] } = call.input
  if (earlierTurns.length === 0) return call
  return {
    ...call,
    input: { ...call.input, question: completeFollowUp(given, earlierTurns) },
  } as RoleRequest
}

/** The result of reading more of a source. */
export interface ReadOutput {
  readonly citation: number
  readonly passages: SearchOutput['passages']
  /** How many passages of the source follow these. */
  readonly passagesLeft: number
}

/** A tool's result as the engine uses it. */
export type ToolOutcome =
  | { readonly tool: 'search_library'; readonly output: SearchOutput }
  | { readonly tool: 'read_source'; readonly output: ReadOutput }
  | { readonly tool: 'calculate' | 'convert_units'; readonly output: CalculationOutput }
  | { readonly tool: string; readonly failure: string }

const searchSchema = z.looseObject({
  query: z.string(),
  passages: z.array(z.looseObject({ ...passage.shape, title: z.string() })),
})
const readSchema = z.looseObject({
  citation: z.number(),
  passages: searchSchema.shape.passages,
  passagesLeft: z.number(),
})
const calculationSchema = z.looseObject({ expression: z.string(), result: z.coerce.string() })

/** Tool results. `earlier`: before the user's last message; `now`: since then. */
export interface ToolOutcomes {
  readonly earlier: readonly ToolOutcome[]
  readonly now: readonly ToolOutcome[]
}

/** Reads the tool results in a prompt. Of the messages' texts nothing is read. */
export function readToolOutcomes(options: LanguageModelV4CallOptions): ToolOutcomes {
  const { prompt } = options
  const lastUser = prompt.findLastIndex(({ role }) => role === 'user')
  const outcomes = (messages: typeof prompt) =>
    messages.flatMap((message) =>
      message.role === 'tool'
        ? message.content.flatMap((part) =>
            part.type === 'tool-result' ? [readOutcome(part.toolName, part.output)] : [],
          )
        : [],
    )
  return {
    earlier: outcomes(prompt.slice(0, lastUser + 1)),
    now: outcomes(prompt.slice(lastUser + 1)),
  }
}

type ToolOutput = Extract<
  Extract<LanguageModelV4CallOptions['prompt'][number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output']

function readOutcome(tool: string, output: ToolOutput): ToolOutcome {
  if (output.type !== 'json')
    return { tool, failure: 'value' in output ? failureText(output.value) : 'refused' }
  if (tool === 'search_library') {
    const parsed = searchSchema.safeParse(output.value)
    if (parsed.success) return { tool, output: parsed.data as unknown as SearchOutput }
  } else if (tool === 'read_source') {
    const parsed = readSchema.safeParse(output.value)
    if (parsed.success) return { tool, output: parsed.data as unknown as ReadOutput }
  } else if (tool === 'calculate' || tool === 'convert_units') {
    const parsed = calculationSchema.safeParse(output.value)
    if (parsed.success) return { tool, output: parsed.data }
  }
  return { tool, failure: 'gave a result of another form' }
}

function failureText(value: unknown): string {
  const error =
    typeof value === 'object' && value !== null && 'error' in value ? value.error : value
  return typeof error === 'string' ? error : JSON.stringify(error)
}

/** The names of the tools that are offered. */
export function offeredTools(options: LanguageModelV4CallOptions): ReadonlySet<string> {
  return new Set((options.tools ?? []).map(({ name }) => name))
}
