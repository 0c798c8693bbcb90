import { join, sep } from 'node:path'
import { askWorkflow } from '../../ask/ask.ts'
import { mergePaths } from '../../ask/carry-over-sources.ts'
import type { Answer } from '../../ask/result.ts'
import type { ReadSources, TeamParts } from '../../ask/team.ts'
import type { Asker } from '../../eval/answer-all.ts'
import type { EvalQuestion } from '../../eval/question.ts'
import { toFailure } from '../../kernel/errors.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { resumeRun, startRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { toAskInput } from '../ask/run-ask.ts'
import { requirePrices } from '../models/require-prices.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'
import { newRunId } from '../runs/run-id.ts'
import { modelsOfRun } from '../runs/run-models.ts'
import { presentResult } from '../runs/run-result.ts'
import type { Right } from '../trust/right.ts'
import { requireGranted } from '../trust/rights.ts'
import type { EvalAsk } from './eval-options.ts'

/** How to ask every question of an evaluation. */
export interface Asking {
  readonly ask: EvalAsk
  readonly limits: Limits
  readonly questions: readonly EvalQuestion[]
  /** The only folder in which files that a question names are read, whatever links say. */
  readonly questionFolder: string
  /** The only folder in which the questions' own texts are read. */
  readonly evalFolder: string
  /** The session that the runs belong to. */
  readonly session: string
}

/**
 * Asks questions as runs in a home.
 * @throws `invalid_input`, `invalid_configuration` for an invalid request
 */
export async function createAsker(parts: AppParts, asking: Asking): Promise<Asker> {
  const { ask, limits, session } = asking
  // Problems with the request are reported before anything is asked.
  await toAskInput(parts, { ...ask, question: '' })
  requirePrices({ ...parts.options.limits, ...limits }, parts.modelSource)
  const grants: readonly Right[] = [
    ...(ask.web === true ? [{ kind: 'web', value: '' } as const] : []),
    ...parts.mcp.namesFor(ask.mcp).map((value) => ({ kind: 'mcp', value }) as const),
  ]
  const workflow = askWorkflow(boundedTeam(await parts.team(), asking))
  return {
    newRunId: () => newRunId(parts.clock.now()),
    holds: (runId) => hasBegun(parts, runId),
    ask: async (question, own, runId, signal) => {
      const input = await toInput(parts, asking, question, own)
      await parts.readWindows({ signal })
      const execution = parts.execution({ signal, limits, session })
      const { result } = await startRun(workflow, input, runId, execution)
      return presentResult(parts, runId, result) as Promise<Answer>
    },
    resume: async (runId, signal) => {
      await requireGranted(parts, runId, { grants, limits })
      const models = await modelsOfRun(parts, runId)
      const { baseUrls } = await recordedConditions(parts.store, runId)
      const execution = parts.execution({ signal, limits, session }, models, { baseUrls })
      const { result } = await resumeRun(workflow, runId, execution)
      return presentResult(parts, runId, result) as Promise<Answer>
    },
  }
}

/** If a question's files are its only sources, its record has their folder too, for runs that continue it. */
function toInput(
  parts: AppParts,
  { ask, questionFolder }: Asking,
  { question, files }: EvalQuestion,
  own: readonly string[],
) {
  const { sources = [], sourcesRoot } = ask
  const root =
    sourcesRoot ?? (sources.length === 0 && files.length > 0 ? questionFolder : undefined)
  return toAskInput(parts, {
    ...ask,
    question,
    sources: [...sources, ...own],
    ...(root === undefined ? {} : { sourcesRoot: root }),
  })
}

/** The team, which reads a set's files only in the set's folders, whatever else a question may read. */
function boundedTeam(
  team: TeamParts,
  { questions, questionFolder, evalFolder }: Asking,
): TeamParts {
  const named = new Set(questions.flatMap(({ files }) => files))
  const written = join(evalFolder, 'sources') + sep
  const boundOf = (path: string) =>
    named.has(path) ? questionFolder : path.startsWith(written) ? evalFolder : ''
  return {
    ...team,
    readSources: async (paths, signal, within) => {
      const groups = Map.groupBy(paths, boundOf)
      if (groups.size === 0) return team.readSources(paths, signal, within)
      const read: ReadSources[] = []
      for (const [bound, group] of groups)
        read.push(await team.readSources(group, signal, bound || within))
      return joined(read)
    },
  }
}

function joined(read: readonly ReadSources[]): ReadSources {
  const pictures = read.flatMap((one) => one.pictures ?? [])
  return {
    sourceIds: [...new Set(read.flatMap(({ sourceIds }) => sourceIds))],
    gaps: read.flatMap(({ gaps }) => gaps),
    sourcePaths: mergePaths(read),
    isSample: false,
    ...(pictures.length === 0 ? {} : { pictures: [...new Set(pictures)] }),
  }
}

/** Whether the run exists; one that was interrupted before its first event is removed. */
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
