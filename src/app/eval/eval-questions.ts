import { basename, resolve } from 'node:path'
import { answerAll, openQuestions } from '../../eval/answer-all.ts'
import { EvalFolder } from '../../eval/folder.ts'
import type { EvalQuestion } from '../../eval/question.ts'
import type { QuestionSet } from '../../eval/read-questions.ts'
import { renderReportPage } from '../../eval/report/page.ts'
import type { EvalResult } from '../../eval/result.ts'
import { rateScores, sumCost, summarize } from '../../eval/summary.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import { listModelNames } from '../../models/model-source.ts'
import { checkLiveness, currentOwner } from '../../stores/process-owner.ts'
import type { AppParts } from '../app-parts.ts'
import { rolesInUse } from '../models/roles.ts'
import type { AppOptions } from '../options.ts'
import { createAppParts } from '../workflows/workflow-registry.ts'
import { createAsker } from './eval-asker.ts'
import { findIdentity } from './eval-identity.ts'
import type { EvalOptions, EvalReport, EvalRequest } from './eval-options.ts'
import { nothingToAsk, readNamedSet } from './eval-set.ts'

/** Implements `evaluate` of `eval.ts`, which loads this on first use. */
export async function evaluateQuestions(
  app: AppOptions,
  request: EvalRequest,
  options: EvalOptions,
): Promise<EvalReport> {
  const parts = createAppParts(app)
  try {
    return await evaluateIn(parts, request, options)
  } finally {
    await parts.close()
  }
}

async function evaluateIn(
  parts: AppParts,
  request: EvalRequest,
  options: EvalOptions,
): Promise<EvalReport> {
  checkRequest(request)
  const read = await readNamedSet(resolve(parts.folder, request.file), options.signal)
  const questions = read.questions.slice(0, request.limit)
  if (questions.length === 0) throw nothingToAsk(read)
  const ask = { answerFormat: 'short' as const, ...request.ask }
  const limits = { ...parts.options.limits, ...options.limits }
  const path = resolve(parts.folder, request.out ?? `eval-${read.name}`)
  const asker = await createAsker(parts, {
    ...{ ask, limits, questions, questionFolder: read.folder, evalFolder: path },
    session: basename(path).slice(0, 200),
  })
  const identity = await findIdentity(parts, read, ask, limits)
  const folder = new EvalFolder(path, identity, {
    owner: currentOwner(),
    livenessOf: checkLiveness,
  })
  const scored = { ...read, questions }
  try {
    await answerAll(questions, {
      folder,
      asker,
      concurrency: request.concurrency ?? 2,
      signal: options.signal ?? new AbortController().signal,
      ...listeners(scored, folder, options),
    })
    return createReport(parts, scored, folder, ask.answerFormat)
  } catch (error) {
    showUnfinished(() => createReport(parts, scored, folder, ask.answerFormat))
    throw error
  } finally {
    folder.close()
  }
}

/** @throws `invalid_input` for an invalid value */
function checkRequest({ workflow = 'ask', concurrency = 1, limit = 1, ask = {} }: EvalRequest) {
  const evaluated: readonly string[] = ['ask']
  if (!evaluated.includes(workflow))
    throw cannotBe('workflow of an evaluation', workflow, 'Give "ask".')
  for (const [name, value] of Object.entries({ concurrency, limit }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw cannotBe(`${name} of an evaluation`, value, 'Give a whole number of at least 1.')
  const given: Readonly<Record<string, unknown>> = { ...ask }
  const own = ['question', 'continue', 'approvePlan'].find((name) => given[name] !== undefined)
  if (own === undefined) return
  throw new ScholiumError('invalid_input', `An evaluation does not accept "${own}".`, {
    hint: 'Questions come from the file, and each is answered on its own without a user present.',
  })
}

function cannotBe(what: string, value: unknown, hint: string): ScholiumError {
  return new ScholiumError('invalid_input', `Invalid ${what}: ${String(value)}.`, { hint })
}

/** Shows what is done even if the rest is not. Reports what ended the work, not that writing its page failed too. */
function showUnfinished(writePage: () => void): void {
  try {
    writePage()
  } catch (error) {
    const { code } = toFailure(error)
    if (code !== 'store_failed' && code !== 'fenced') throw error
  }
}

function createReport(
  parts: AppParts,
  { questions, refused, treatments }: QuestionSet,
  folder: EvalFolder,
  answerFormat: 'full' | 'short',
): EvalReport {
  const results = resultsIn(questions, folder)
  const facts = {
    schema: 'scholium.eval-report/1',
    folder: folder.path,
    workflow: 'ask',
    answerFormat,
    models: listModelNames(parts.modelSource, rolesInUse),
    treatments,
    refused,
    total: questions.length,
    done: results.length,
    sets: summarize(results),
  } as const
  const madeAt = new Date(parts.clock.now()).toISOString()
  const title = basename(folder.path)
  const page = folder.writeReport(renderReportPage({ ...facts, title, madeAt, results }))
  return { ...facts, page }
}

function resultsIn(questions: readonly EvalQuestion[], folder: EvalFolder): readonly EvalResult[] {
  return questions.flatMap(({ id }) => folder.resultFor(id) ?? [])
}

/** Reports progress when a question starts or ends. */
function listeners(
  { questions }: QuestionSet,
  folder: EvalFolder,
  { onProgress = () => {} }: EvalOptions,
) {
  const open = openQuestions(questions, folder)
  const running = new Set<string>()
  const isOpen = new Set(open.map(({ id }) => id))
  const over = resultsIn(questions, folder).filter(({ id }) => !isOpen.has(id))
  const doneBefore = over.length
  const tell = (result?: EvalResult) =>
    onProgress({
      folder: folder.path,
      total: questions.length,
      done: over.length,
      doneBefore,
      running: [...running],
      exactMatch: rateScores(over, 'exactMatch'),
      cost: sumCost(over),
      ...(result === undefined ? {} : { result }),
    })
  tell()
  return {
    onStart: ({ id }: EvalQuestion) => {
      running.add(id)
      tell()
    },
    onResult: (result: EvalResult) => {
      running.delete(result.id)
      over.push(result)
      tell(result)
    },
  }
}
