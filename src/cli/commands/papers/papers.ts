import type { PapersAnswer, PapersRequest } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import { readGrants } from '../../arguments/grant-options.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { readQuestion } from '../../arguments/read-question.ts'
import { executeRun } from '../../execute-run.ts'
import { exitCodes } from '../../exit-codes.ts'
import { reportError } from '../../report-error.ts'
import type { Terminal } from '../../terminal.ts'
import { type PaperFile, readPaperFiles, writePaperFiles } from './paper-files.ts'

/** `scholium papers`. */
export const runPapers: RunCommand = async (invocation) => {
  const { options, terminal } = invocation
  const run = options.filled('continue')
  const choices = readChoices(options)
  const query = await readQuery(invocation, run)
  const files = readPaperFiles(options, terminal.host.cwd())
  const { readAskDefaults, readPapersDefaults } = await import('../../../app.ts')
  return withApp(
    invocation,
    async (app, configuration) => {
      const request: PapersRequest = {
        ...readPapersDefaults(configuration, run !== undefined),
        ...choices,
        ...(query === undefined ? {} : { query }),
        ...(run === undefined ? {} : { continue: run }),
      }
      const grants = readGrants(options, readAskDefaults(configuration).web)
      let answer: PapersAnswer | undefined
      const exitCode = await executeRun({
        invocation,
        workflow: 'papers',
        drive: async (execution) => {
          answer = await app.papers(request, { ...execution, grants })
          return answer
        },
      })
      if (answer === undefined) return exitCode
      return (await writeAll(files, app, answer, terminal)) ? exitCode : exitCodes.invalid_input
    },
    'new',
  )
}

/**
 * Writes the files; returns whether all were written. The result exists already, so a full disk is reported but loses
 * nothing.
 */
async function writeAll(
  files: readonly PaperFile[],
  app: OpenApp,
  answer: PapersAnswer,
  terminal: Terminal,
): Promise<boolean> {
  try {
    await writePaperFiles(files, app, answer, terminal)
    return true
  } catch (error) {
    return reportError(error, { terminal, format: 'text' }) === 0
  }
}

/** The query; a run that continues another has its query. */
async function readQuery(
  { words, terminal, options }: Invocation,
  run: string | undefined,
): Promise<string | undefined> {
  if (run === undefined && options.has('add'))
    throw new ScholiumError('invalid_input', '--add needs a run to extend.', {
      hint: 'Give the run: scholium papers --continue last --add FILE. To search files in a new query: --source FILE',
    })
  if (words.length > 0) return readQuestion(words, terminal, paperWords)
  if (run !== undefined) return undefined
  throw new ScholiumError('invalid_input', paperWords.none, { hint: paperWords.hint })
}

const paperWords = {
  none: 'No topic was given.',
  hint: 'Give one: scholium papers "sparse attention" --source papers/',
}

/** The options for this synthesis alone. @throws `invalid_input` for a value out of range */
function readChoices(options: GivenOptions): PapersRequest {
  const category = options.filled('category')
  const server = options.filled('mcp-arxiv')
  const count = upTo(20, 'count', options)
  const concurrency = upTo(16, 'concurrency', options)
  const threshold = options.share('threshold')
  const sources = options.texts('source')
  const add = options.texts('add')
  return {
    ...(category === undefined ? {} : { category }),
    ...(server === undefined ? {} : { mcpArxiv: server }),
    ...(count === undefined ? {} : { count }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(sources.length === 0 ? {} : { sources }),
    ...(add.length === 0 ? {} : { add }),
    ...(options.has('fresh') ? { fresh: true } : {}),
  }
}

/** An integer from 1 to `most`. @throws `invalid_input` for any other, naming the range */
function upTo(most: number, name: 'count' | 'concurrency', options: GivenOptions) {
  const given = options.text(name)
  if (given === undefined) return undefined
  const number = /^\d+$/.test(given) ? Number(given) : 0
  if (number >= 1 && number <= most) return number
  const shown = name === 'count' ? '-n (--count)' : '--concurrency'
  throw new ScholiumError('invalid_input', `Invalid value for ${shown}: "${given}".`, {
    hint: `Give a whole number from 1 to ${most}.`,
  })
}
