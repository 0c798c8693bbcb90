import type { EvalProgress } from '../../../app.ts'
import { toFailure } from '../../../kernel/errors.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { exitCodes } from '../../exit-codes.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { createEvalProgress } from '../../progress/eval-progress.ts'
import { printJson, printResult } from '../../render/print.ts'
import { oneLine, shortPath } from '../../render/text.ts'
import { renderReport } from './eval-report.ts'

/** `scholium eval`. */
export const runEval: RunCommand = async (invocation) => {
  const { toAppOptions, readAskDefaults, evaluate } = await import('../../../app.ts')
  const request = toRequest(invocation)
  return withApp(
    invocation,
    async (_, configuration) => {
      const ask = { ...readAskDefaults(configuration), ...request.ask }
      const onWarning = (text: string) => invocation.terminal.tell(oneLine(text))
      const settings = { ...toAppOptions(configuration, 'new'), onWarning }
      return driveEval(invocation, (signal, onProgress) =>
        evaluate(settings, { ...request, ask }, { signal, onProgress }),
      )
    },
    'new',
  )
}

type Evaluate = typeof import('../../../app.ts')['evaluate']
type Report = Awaited<ReturnType<Evaluate>>

/** @throws `invalid_input` for an invalid value */
function toRequest({ words: [file = ''], options }: Invocation) {
  const out = options.filled('out')
  const concurrency = options.whole('concurrency', 1)
  const limit = options.whole('limit', 1)
  const answerFormat = options.choice('answer-format', ['full', 'short'])
  const depth = options.choice('depth', ['quick', 'standard', 'thorough'])
  const workflow = options.choice('workflow', ['ask'])
  return {
    file,
    ...(workflow === undefined ? {} : { workflow }),
    ...(out === undefined ? {} : { out }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(limit === undefined ? {} : { limit }),
    ask: {
      ...(answerFormat === undefined ? {} : { answerFormat }),
      ...(depth === undefined ? {} : { depth }),
    },
  }
}

async function driveEval(
  invocation: Invocation,
  drive: (signal: AbortSignal, onProgress: (progress: EvalProgress) => void) => Promise<Report>,
): Promise<number> {
  const { terminal } = invocation
  const controller = new AbortController()
  const stopListening = listenForInterrupts(() => controller.abort())
  terminal.whenStdoutCloses(() => controller.abort())
  const progress = createEvalProgress(invocation)
  let last: EvalProgress | undefined
  try {
    const report = await drive(controller.signal, (now) => {
      last = now
      progress.hear(now)
    })
    progress.end()
    printResult(invocation, report, () => renderReport(report, invocation))
    return chooseExitCode(report)
  } catch (error) {
    progress.end()
    if (last === undefined) throw error
    if (controller.signal.aborted && toFailure(error).code === 'cancelled')
      return reportInterrupt(invocation, last)
    terminal.tell(`${standing(invocation, last)} Run the same command again to continue.`)
    throw error
  } finally {
    stopListening()
  }
}

function chooseExitCode({ sets, refused }: Report): number {
  const failed = sets.some(({ statuses }) => statuses.failed > 0)
  if (failed) return 1
  return refused.length > 0 ? 3 : 0
}

function standing({ terminal }: Invocation, { done, total, folder }: EvalProgress): string {
  const place = shortPath(folder, terminal.host.cwd())
  return `${done} of ${total} questions are finished; results are in ${place}.`
}

function reportInterrupt(invocation: Invocation, last: EvalProgress): number {
  const { terminal, format } = invocation
  const hint = `${standing(invocation, last)} Run the same command again to continue; unfinished questions are resumed.`
  terminal.tell(`Interrupted. ${hint}`)
  if (format !== 'text') {
    const error = { code: 'cancelled', message: 'Interrupted.', retryable: true, hint }
    const { folder, done, total } = last
    printJson(terminal, format, 'error', { schema: 'scholium.error/1', folder, done, total, error })
  }
  return exitCodes.cancelled
}
