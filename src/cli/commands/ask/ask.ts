import type { AskEstimate, Range } from '../../../app.ts'
import { withApp } from '../../arguments/app-settings.ts'
import { readGrants } from '../../arguments/grant-options.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { readQuestion } from '../../arguments/read-question.ts'
import { executeRun } from '../../execute-run.ts'
import { count, dollars } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import type { Terminal } from '../../terminal.ts'

/** `scholium ask`. */
export const runAsk: RunCommand = async (invocation) => {
  const { words, terminal, options } = invocation
  const question = await readQuestion(words, terminal)
  const { readAskDefaults, toAppOptions } = await import('../../../app.ts')
  return withApp(
    invocation,
    async (app, configuration) => {
      const run = options.filled('continue')
      const request = {
        ...readAskDefaults(configuration, run !== undefined),
        question,
        ...(run === undefined ? {} : { continue: run }),
        ...readChoices(options),
      }
      if (options.has('estimate')) {
        const estimate = await app.estimate(request)
        printResult(invocation, estimate, () => formatEstimate(estimate))
        return 0
      }
      const maxCostUsd = toAppOptions(configuration, 'new').limits?.maxCostUsd
      if (maxCostUsd !== undefined) warnOfLimit(terminal, maxCostUsd, await app.estimate(request))
      const grants = readGrants(options, readAskDefaults(configuration).web)
      return executeRun({
        invocation,
        drive: (execution) => app.ask(request, { ...execution, grants }),
      })
    },
    'new',
  )
}

function formatEstimate({ depth, modelCalls, tokens, costUsd, earlierRuns }: AskEstimate): string {
  const basis =
    earlierRuns === 0
      ? 'roughly: the log has no earlier question of this depth with these models'
      : `from ${count(earlierRuns, 'earlier question')} of this depth with these models`
  const cost =
    costUsd === null ? 'unknown (no price known for the model)' : formatRange(costUsd, dollars)
  return [
    `Expected at depth ${depth}, ${basis}:`,
    `Model calls  ${formatRange(modelCalls, String)}`,
    `Tokens       ${formatRange(tokens, (number) => number.toLocaleString('en'))}`,
    `Cost         ${cost}`,
  ].join('\n')
}

function formatRange({ from, to }: Range, format: (value: number) => string): string {
  return format(from) === format(to) ? format(from) : `${format(from)} to ${format(to)}`
}

function warnOfLimit(terminal: Terminal, maxCostUsd: number, { costUsd }: AskEstimate): void {
  if (costUsd === null || costUsd.to <= maxCostUsd) return
  const expected = formatRange(costUsd, dollars)
  terminal.tell(
    `The limit of ${dollars(maxCostUsd)} may be too low: the expected cost is ${expected}.`,
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
