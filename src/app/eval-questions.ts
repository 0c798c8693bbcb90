import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, relative, resolve } from 'node:path'
import { answerAll, openQuestions } from '../eval/answer-all.ts'
import { EvalFolder, type Identity } from '../eval/folder.ts'
import type { EvalQuestion, RefusedLine } from '../eval/question.ts'
import { type QuestionSet, readQuestions } from '../eval/read-questions.ts'
import { reportPage } from '../eval/report/page.ts'
import type { EvalResult } from '../eval/result.ts'
import { costOf, rateOfScore, summarize } from '../eval/summary.ts'
import { ScholiumError, toFailure } from '../kernel/errors.ts'
import { canonicalJson, sha256 } from '../kernel/json.ts'
import { modelNamesOf } from '../models/model-source.ts'
import { currentOwner, livenessOf } from '../stores/process-owner.ts'
import { AppParts } from './app-parts.ts'
import { createAsker } from './eval-asker.ts'
import type { EvalOptions, EvalReport, EvalRequest } from './eval-options.ts'
import type { AppOptions } from './options.ts'
import { rolesInUse } from './roles.ts'
import { packageVersion } from './version.ts'

/** As `evaluate` in `eval.ts`, which loads this on first use. */
export async function evaluateQuestions(
  app: AppOptions,
  request: EvalRequest,
  options: EvalOptions,
): Promise<EvalReport> {
  const parts = new AppParts(app)
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
  const file = resolve(parts.folder, request.file)
  const bytes = readSet(file)
  const name = nameOf(file)
  const read = withOwnFiles(readQuestions(decoded(bytes, file), name), dirname(file))
  const questions = read.questions.slice(0, request.limit)
  if (questions.length === 0) throw nothingToAsk(file, read.refused)
  const ask = { answerFormat: 'short' as const, ...request.ask }
  const limits = { ...parts.options.limits, ...options.limits }
  const path = resolve(parts.folder, request.out ?? `eval-${name}`)
  const asker = createAsker(parts, {
    request: ask,
    limits,
    questionFolder: dirname(file),
    session: basename(path).slice(0, 200),
  })
  const identity = identityOf(parts, sha256(bytes), { ...ask, limits }, file)
  const folder = new EvalFolder(path, identity, {
    owner: currentOwner(),
    livenessOf,
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
    return reportOf(parts, scored, folder, ask.answerFormat)
  } catch (error) {
    showUnfinished(() => reportOf(parts, scored, folder, ask.answerFormat))
    throw error
  } finally {
    folder.close()
  }
}

/** What is done can be looked at, also where the rest is not. What ended the work is told, not that its page failed too. */
function showUnfinished(writePage: () => void): void {
  try {
    writePage()
  } catch (error) {
    const { code } = toFailure(error)
    if (code !== 'store_failed' && code !== 'fenced') throw error
  }
}

function reportOf(
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
    models: modelNamesOf(parts.modelSource, rolesInUse),
    treatments,
    refused,
    total: questions.length,
    done: results.length,
    sets: summarize(results),
  } as const
  const madeAt = new Date(parts.clock.now()).toISOString()
  const title = basename(folder.path)
  const page = folder.writeReport(reportPage({ ...facts, title, madeAt, results }))
  return { ...facts, page }
}

function resultsIn(questions: readonly EvalQuestion[], folder: EvalFolder): readonly EvalResult[] {
  return questions.flatMap(({ id }) => folder.resultFor(id) ?? [])
}

/** Tells how the evaluation stands when a question begins or ends. */
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
      exactMatch: rateOfScore(over, 'exactMatch'),
      cost: costOf(over),
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

/** What makes an evaluation this one: another value of any would mix answers that cannot be compared. */
function identityOf(
  { home, modelSource }: AppParts,
  questionsHash: string,
  asked: object,
  file: string,
): Identity {
  const models = Object.entries(modelNamesOf(modelSource, rolesInUse))
  const settings = Object.entries(asked).filter(([, value]) => value !== undefined)
  return {
    workflow: 'ask',
    'question file': basename(file),
    'hash of the questions': questionsHash,
    version: packageVersion,
    home: home.path,
    ...Object.fromEntries(models.map(([role, name]) => [`model of ${role}`, name])),
    ...Object.fromEntries(
      settings.map(([name, value]) => [
        name,
        typeof value === 'string' ? value : canonicalJson(JSON.parse(JSON.stringify(value))),
      ]),
    ),
  }
}

function nameOf(file: string): string {
  return basename(file).replace(/\.(?:jsonl|ndjson|json)$/i, '')
}

function readSet(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw new ScholiumError(
      'invalid_input',
      `The questions in ${file} cannot be read: ${reason}.`,
      {
        hint: 'Give a file with one JSON object a line, each with a "question".',
        cause,
      },
    )
  }
}

function decoded(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ScholiumError('invalid_input', `${file} is no UTF-8 text.`, {
      hint: 'Give a file with one JSON object a line, each with a "question".',
      cause,
    })
  }
}

/** A set may come from anywhere, so that it names files beside it alone: what its questions read may go to a model. */
function withOwnFiles(read: QuestionSet, folder: string): QuestionSet {
  const refused: RefusedLine[] = [...read.refused]
  const questions = read.questions.flatMap((question) => {
    const reason = question.files.map((file) => objectionTo(file, folder)).find((one) => one !== '')
    if (reason !== undefined) refused.push({ line: question.line, reason })
    return reason === undefined
      ? [{ ...question, files: question.files.map((file) => resolve(folder, file)) }]
      : []
  })
  return { ...read, questions, refused: refused.toSorted((one, other) => one.line - other.line) }
}

function objectionTo(file: string, folder: string): string {
  try {
    const way = relative(realpathSync(folder), realpathSync(resolve(folder, file)))
    return !way.startsWith('..') && !isAbsolute(way)
      ? ''
      : `the file ${file} is not in the folder of the questions`
  } catch {
    return `there is no file ${file} beside the questions`
  }
}

function nothingToAsk(file: string, refused: readonly RefusedLine[]): ScholiumError {
  const [first] = refused
  const why = first === undefined ? 'it is empty' : `line ${first.line}: ${first.reason}`
  return new ScholiumError('invalid_input', `There is no question in ${file}: ${why}.`, {
    hint: 'Give a file with one JSON object a line, each with a "question".',
  })
}
