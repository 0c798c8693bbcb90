import { withApp } from '../../arguments/app-settings.ts'
import { readGrants } from '../../arguments/grant-options.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { readQuestion } from '../../arguments/read-question.ts'
import { executeRun } from '../../execute-run.ts'

/** `scholium ask`. */
export const runAsk: RunCommand = async (invocation) => {
  const { words, terminal, options } = invocation
  const question = await readQuestion(words, terminal)
  const { readAskDefaults } = await import('../../../app.ts')
  return withApp(
    invocation,
    (app, configuration) => {
      const run = options.filled('continue')
      const request = {
        ...readAskDefaults(configuration, run !== undefined),
        question,
        ...(run === undefined ? {} : { continue: run }),
        ...readChoices(options),
      }
      const grants = readGrants(options, readAskDefaults(configuration).web)
      return executeRun({
        invocation,
        drive: (execution) => app.ask(request, { ...execution, grants }),
      })
    },
    'new',
  )
}

/** The options for this question alone. */
function readChoices(options: GivenOptions) {
  const depth = options.choice('depth', ['quick', 'standard', 'thorough'])
  const answerFormat = options.choice('answer-format', ['full', 'short'])
  return {
    ...(depth === undefined ? {} : { depth }),
    ...(answerFormat === undefined ? {} : { answerFormat }),
    ...(options.has('approve-plan') ? { approvePlan: true } : {}),
    ...(options.has('no-sequential')
      ? { sequential: false }
      : options.has('sequential')
        ? { sequential: true }
        : {}),
  }
}
