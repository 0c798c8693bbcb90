import { ScholiumError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createSemaphore } from '../kernel/run/semaphore.ts'
import { type CallSettings, chooseReasoner } from './choose-reasoner.ts'
import { type SubAnswer, solveProblem } from './solve-problem.ts'
import type { SubProblem } from './sub-problems.ts'
import { type ReasoningTrace, type TraceListener, TraceRecorder } from './trace.ts'

/** A problem to solve by decomposition. */
export interface DecomposeInput extends CallSettings {
  readonly problem: string
  /** Maximum depth of splitting: 0 splits nothing, 1 only the problem itself. Default 2. */
  readonly maxDepth?: number
  /** How to combine the answers of the first split, in words. */
  readonly synthesisPrompt?: string
  /** `provider:model`. Default: the model of the role `default`. */
  readonly model?: string
  /** Maximum number of parallel model calls. Default 4. */
  readonly concurrency?: number
  /** Receives the trace entries at the end, in an order that does not depend on timing. */
  readonly onEntry?: TraceListener
}

/** The result of solving a problem. */
export type DecomposeResult = {
  /** Empty if the problem was answered directly. */
  readonly subProblems: readonly SubProblem[]
  /** In the order of the sub-problems. */
  readonly subAnswers: readonly SubAnswer[]
  readonly finalAnswer: Json
  /** How the answers were combined, or how the direct answer was found. */
  readonly synthesisReasoning: string
  /** Depth of splitting that was used, at most `maxDepth`. */
  readonly depthUsed: number
  readonly model: string
  readonly trace: ReasoningTrace
}

/**
 * Solves a problem by combining the answers of its sub-problems, each of which the model may answer or split again. Independent
 * sub-problems are solved in parallel; a dependent one is given the answers it needs. A sub-problem without a usable answer is
 * reported as a gap. Call it once per context: its step keys are fixed.
 * @throws `invalid_input` for an invalid depth or concurrency; `model_output_malformed` with the raw text if the first split or
 * the final answer has no usable form (`details.cycle` for a dependency cycle); `invalid_configuration` for an unusable model;
 * and as `callModel`
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
