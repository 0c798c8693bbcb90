import type { Json, JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { askStructured, type Reading } from './ask-structured.ts'
import { type CallSettings, chooseReasoner } from './choose-reasoner.ts'
import type { Prompt } from './conversation.ts'
import { parseStructured, toText } from './structured.ts'
import { type ReasoningTrace, type TraceListener, TraceRecorder } from './trace.ts'

/** A solved problem that shows a model how to answer. */
export interface FewShotExample {
  readonly problem: string
  readonly thinking?: string
  readonly answer: Json
}

/** A problem to think through. */
export interface CotInput extends CallSettings {
  readonly problem: string
  /** `provider:model`. Default: the model of the role `default`. */
  readonly model?: string
  /** One of {@link ThinkingFormat}. Default, also for unknown names: `step_by_step`. */
  readonly thinkingFormat?: string
  readonly fewShotExamples?: readonly FewShotExample[]
  /** 0 to 2. Default 0.7. */
  readonly temperature?: number
  readonly onEntry?: TraceListener
}

/** The thoughts and the resulting answer. */
export type Thought = {
  readonly thinking: string
  readonly answer: Json
}

/** The result of a chain of thought. */
export type CotResult = Thought & {
  /** The name of the model. */
  readonly model: string
  readonly thinkingFormat: ThinkingFormat
  readonly trace: ReasoningTrace
}

/**
 * Answers a problem together with the thoughts that led to the answer, in one model call, or two if the first answer cannot be
 * parsed. Call it once per context: its step keys are fixed.
 * @throws `model_output_malformed` with the raw text, `invalid_configuration` for an unusable model, and as `callModel`
 */
export async function chainOfThought(context: RunContext, input: CotInput): Promise<CotResult> {
  const recorder = await TraceRecorder.begin(context, 'cot', input.onEntry)
  const model = await chooseReasoner(context, 'default', input.model, {
    ...input,
    temperature: input.temperature ?? 0.7,
  })
  const thinkingFormat = chooseThinkingFormat(input.thinkingFormat)
  const thought = await askStructured(
    context,
    'model',
    model,
    formatCotPrompt(input),
    parseCotOutput,
  )
  await recorder.add('think', { ...thought, thinking_format: thinkingFormat })
  return { ...thought, model: model.name, thinkingFormat, trace: recorder.end() }
}

/** The prompt for a chain of thought. */
export function formatCotPrompt({
  problem,
  thinkingFormat,
  fewShotExamples = [],
}: Pick<CotInput, 'problem' | 'thinkingFormat' | 'fewShotExamples'>): Prompt {
  const instruction = thinkingInstruction(chooseThinkingFormat(thinkingFormat))
  const form =
    'Answer with one JSON object and nothing else: {"thinking": "your thoughts, as one text", "answer": the answer alone, as text, number, list or object}.'
  const examples = fewShotExamples.map((example, index) => describeExample(example, index + 1))
  return {
    system: [`You solve problems. ${instruction}`, form, ...examples].join('\n\n'),
    user: `Problem: ${problem}`,
  }
}

function describeExample(
  { problem, thinking = '', answer }: FewShotExample,
  number: number,
): string {
  return `Example ${number}\nProblem: ${problem}\n${JSON.stringify({ thinking, answer })}`
}

/** Parses thoughts and answer from a model's text. */
export function parseCotOutput(text: string): Reading<Thought> {
  const read = parseStructured(text, ['thinking', 'answer'])
  if (!read.ok) return read
  const { value, truncated } = read
  return { ok: true, value: thoughtIn(value), truncated }
}

function thoughtIn({ thinking = null, answer = null }: JsonObject): Thought {
  return { thinking: toText(thinking), answer }
}

/** The thinking formats that a prompt can ask for. */
export const thinkingFormats = ['step_by_step', 'pros_cons', 'tree', 'first_principles'] as const

/** A thinking format. */
export type ThinkingFormat = (typeof thinkingFormats)[number]

const instructions: Readonly<Record<ThinkingFormat, string>> = {
  step_by_step:
    'Think step by step: number the steps, do one thing in each, and check the last one before you answer.',
  pros_cons:
    'List pros and cons: name each possible answer, list what speaks for it and what speaks against it, weigh them, and decide.',
  tree: 'Think in a tree structure: name the branches that the problem can be followed into, follow each one level down, cut off those that fail and say why, and go on with the best.',
  first_principles:
    'Think from first principles: name what is known for certain, question what is only assumed, and build the answer from the certain alone.',
}

/** The thinking format of this name; `step_by_step` for unknown names. */
export function chooseThinkingFormat(name: string | undefined): ThinkingFormat {
  return thinkingFormats.find((format) => format === name) ?? 'step_by_step'
}

/** The prompt's instruction for a format. */
function thinkingInstruction(format: ThinkingFormat): string {
  return instructions[format]
}
