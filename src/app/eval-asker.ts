import { relative, resolve } from 'node:path'
import type { Asker } from '../eval/answer-all.ts'
import type { EvalQuestion } from '../eval/question.ts'
import { ScholiumError, toFailure } from '../kernel/errors.ts'
import type { Limits } from '../kernel/limits.ts'
import { resumeRun, startRun } from '../kernel/run.ts'
import type { AskInput } from '../workflows/ask/ask.ts'
import type { AppParts } from './app-parts.ts'
import { toolsOf } from './ask-input.ts'
import {
  type AskRequest,
  checkAnswerFormat,
  checkClaimPolicy,
  checkRetryLimits,
} from './options.ts'
import { recordedConditions } from './recorded-conditions.ts'
import { requirePrices } from './require-prices.ts'
import { newRunId } from './run-id.ts'

/** How every question of an evaluation is asked. */
export interface Asking {
  readonly request: Omit<AskRequest, 'question'>
  readonly limits: Limits
  /** Out of which no file that a question names is read, whatever links say. */
  readonly questionFolder: string
  /** Under which the runs are filed. */
  readonly session: string
}

/**
 * Asks questions as runs of a home.
 * @throws `invalid_input`, `invalid_configuration` for a way of asking that cannot be
 */
export function createAsker(parts: AppParts, asking: Asking): Asker {
  const { request, limits, session } = asking
  for (const path of request.sources ?? []) parts.requirePath(resolve(parts.folder, path))
  checkRetryLimits({ question: '', ...request })
  checkClaimPolicy({ question: '', ...request })
  checkAnswerFormat({ question: '', ...request })
  requirePrices({ ...parts.options.limits, ...limits }, parts.modelSource)
  return {
    newRunId: () => newRunId(parts.clock.now()),
    holds: (runId) => hasBegun(parts, runId),
    ask: async (question, own, runId, signal) => {
      const input = inputOf(parts, asking, question, own)
      const execution = parts.execution({ signal, limits, session })
      const { result } = await startRun(parts.workflow(), input, runId, execution)
      return parts.answerOf(runId, result)
    },
    resume: async (runId, signal) => {
      const models = await parts.modelsOfRun(runId)
      const { baseUrls } = await recordedConditions(parts.store, runId)
      const execution = parts.execution({ signal, limits, session }, models, { baseUrls })
      const { result } = await resumeRun(parts.workflow(), runId, execution)
      return parts.answerOf(runId, result)
    },
  }
}

function inputOf(
  parts: AppParts,
  { request, questionFolder }: Asking,
  { question, files }: EvalQuestion,
  own: readonly string[],
): AskInput {
  const { folder } = parts
  const { sources = [], sourcesRoot, mcp: _mcp, ...asked } = request
  const paths = [...sources, ...own].map((path) => resolve(folder, path))
  const isOfQuestion = sources.length === 0 && files.length > 0
  const root = sourcesRoot ?? (isOfQuestion ? questionFolder : undefined)
  const within = root === undefined ? undefined : resolve(folder, root)
  if (within !== undefined) for (const path of own) requireBelow(path, within)
  return {
    ...asked,
    question,
    files: paths,
    ...(within === undefined ? {} : { filesWithin: within }),
    claims: asked.claims ?? 'mark',
    sequential: asked.sequential ?? false,
    ...toolsOf(parts, request),
  }
}

/** What is not below the root would not be read, and the question asked without its sources. */
function requireBelow(path: string, root: string): void {
  if (!relative(root, path).startsWith('..')) return
  throw new ScholiumError(
    'invalid_input',
    `${path} lies outside of ${root}, to which this project's sources are held.`,
    {
      hint: 'Put the evaluation into that folder with --out, or leave the sources out of the configuration.',
    },
  )
}

/** Whether there is such a run; one that was cut off before its first event is taken away. */
async function hasBegun({ store }: AppParts, runId: string): Promise<boolean> {
  try {
    await store.get(runId)
  } catch (error) {
    if (toFailure(error).code === 'run_not_found') return false
    throw error
  }
  for await (const _ of store.events(runId, { types: ['run.started'], withOutput: false }))
    return true
  await store.remove(runId)
  return false
}
