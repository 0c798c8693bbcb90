import { ScholiumError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createSemaphore } from '../kernel/run/semaphore.ts'
import { type CallSettings, chooseReasoner } from './choose-reasoner.ts'
import { type SubAnswer, solveProblem } from './solve-problem.ts'
import type { SubProblem } from './sub-problems.ts'
import { type ReasoningTrace, type TraceListener, TraceRecorder } from './trace.ts'

/** A problem to be solved in parts. */
export interface DecomposeInput extends CallSettings {
  readonly problem: string
  /** Times that a problem may be split, one within the other; 0 splits nothing, 1 not the parts. Default 2. */
  readonly maxDepth?: number
  /** How the answers of the first split are put together, in words. */
  readonly synthesisPrompt?: string
  /** `provider:model`. Default: the model of the role `default`. */
  readonly model?: string
  /** Model calls that go on at once at most. Default 4. */
  readonly concurrency?: number
  /** Hears the entries at the end, in an order that does not depend on which part was faster. */
  readonly onEntry?: TraceListener
}

/** What a problem came to. */
export type DecomposeResult = {
  /** Empty where the problem was answered as it is. */
  readonly subProblems: readonly SubProblem[]
  /** In the order of the sub-problems. */
  readonly subAnswers: readonly SubAnswer[]
  readonly finalAnswer: Json
  /** How the answers were put together, or the answer was found. */
  readonly synthesisReasoning: string
  /** How many times a problem was split, one within the other; `maxDepth` at most. */
  readonly depthUsed: number
  readonly model: string
  readonly trace: ReasoningTrace
}

/**
 * A problem's answer, put together of those of its sub-problems, each of which the model may split again or answer. Those that do
 * not need each other are solved at once; one that does is told the others' answers. A sub-problem without a usable answer is a
 * gap that is told. Once for each context: its steps' keys are fixed.
 *
 * @throws `invalid_input` for a depth or concurrency that cannot be, `model_output_malformed` with the raw text where the
 *   first split or the whole has no usable form (`details.cycle` for sub-problems that need each other),
 *   `invalid_configuration` for a model that cannot be called, and as `callModel`
 */
export async function decompose(
  context: RunContext,
  input: DecomposeInput,
): Promise<DecomposeResult> {
  const { problem, maxDepth = 2, synthesisPrompt, concurrency = 4, onEntry } = input
  checkWhole('maxDepth', maxDepth, 0)
  checkWhole('concurrency', concurrency, 1)
  const recorder = await TraceRecorder.begin(context, 'decompose', onEntry)
  const model = await chooseReasoner(context, 'default', input.model, input)
  const solver = {
    model,
    depthLeft: maxDepth,
    turns: createSemaphore(concurrency),
    ...(synthesisPrompt === undefined ? {} : { instruction: synthesisPrompt }),
  }
  const solution = await solveProblem(context, solver, { problem, given: [] })
  for (const { kind, data, timestampMs } of solution.noted)
    await recorder.add(kind, data, { timestampMs })
  return {
    subProblems: solution.subProblems,
    subAnswers: solution.subAnswers,
    finalAnswer: solution.answer,
    synthesisReasoning: solution.reasoning,
    depthUsed: solution.depth,
    model: model.name,
    trace: recorder.end(),
  }
}

function checkWhole(name: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return
  throw new ScholiumError(
    'invalid_input',
    `${name} has to be a whole number from ${least} up, not ${value}.`,
  )
}
