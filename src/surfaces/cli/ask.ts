import { withApp } from './app-settings.ts'
import { driveRun } from './drive-run.ts'
import type { RunCommand } from './invocation.ts'
import { readQuestion } from './read-question.ts'

/** `scholium ask`. */
export const runAsk: RunCommand = async (invocation) => {
  const { words, options, terminal } = invocation
  const retryLimit = options.whole('retry-limit', 0)
  const sources = options.texts('source')
  const question = await readQuestion(words, terminal)
  const request = { question, sources, ...(retryLimit === undefined ? {} : { retryLimit }) }
  return withApp(invocation, (app) => {
    return driveRun({ invocation, drive: (execution) => app.ask(request, execution) })
  })
}
