import type { PapersRequest } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { withApp } from './app-settings.ts'
import { driveRun } from './drive-run.ts'
import type { Invocation, RunCommand } from './invocation.ts'
import type { GivenOptions } from './option.ts'
import { paperFilesOf, writePaperFiles } from './paper-files.ts'
import { readQuestion } from './read-question.ts'

/** `scholium papers`. */
export const runPapers: RunCommand = async (invocation) => {
  const { options, terminal } = invocation
  const run = options.filled('continue')
  const choices = choicesOf(options)
  const query = await queryOf(invocation, run)
  const files = paperFilesOf(options, terminal.host.cwd())
  const { askDefaultsOf } = await import('../../app.ts')
  return withApp(
    invocation,
    (app, configuration) => {
      const { web, claims, sources, sourcesRoot } = askDefaultsOf(configuration, run !== undefined)
      const request: PapersRequest = {
        ...(web === undefined ? {} : { web }),
        ...(claims === undefined ? {} : { claims }),
        ...(sources === undefined || options.has('source') ? {} : { alsoSources: sources }),
        ...(sourcesRoot === undefined ? {} : { sourcesRoot }),
        ...choices,
        ...(query === undefined ? {} : { query }),
        ...(run === undefined ? {} : { continue: run }),
      }
      return driveRun({
        invocation,
        workflow: 'papers',
        drive: async (execution) => {
          const answer = await app.papers(request, execution)
          await writePaperFiles(files, app, answer, terminal)
          return answer
        },
      })
    },
    'new',
  )
}

/** What is looked for; a run that goes on from another one has its query. */
async function queryOf(
  { words, terminal, options }: Invocation,
  run: string | undefined,
): Promise<string | undefined> {
  if (run === undefined && options.has('add'))
    throw new ScholiumError('invalid_input', '--add needs a run to go on from.', {
      hint: 'Name it: scholium papers --continue last --add FILE. For papers of a new query: --source FILE',
    })
  if (words.length > 0) return readQuestion(words, terminal, paperWords)
  if (run !== undefined) return undefined
  throw new ScholiumError('invalid_input', paperWords.none, { hint: paperWords.hint })
}

const paperWords = {
  none: 'There is no topic.',
  hint: 'Name one: scholium papers "sparse attention" --source papers/',
}

/** What is said of this synthesis alone. @throws `invalid_input` for a value out of its range */
function choicesOf(options: GivenOptions): PapersRequest {
  const category = options.filled('category')
  const server = options.filled('mcp-arxiv')
  const count = options.whole('count', 1)
  const concurrency = options.whole('concurrency', 1)
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
