import { ScholiumError } from '../../../kernel/errors.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { oneLine } from '../../render/text.ts'
import { localTime } from './runs.ts'
import { ageHint, ageMs } from './trace-filter.ts'

/** `scholium trace cleanup`. */
export const runTraceCleanup: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { options, terminal } = invocation
    const text = options.filled('older-than')
    const olderMs = text === undefined ? undefined : ageMs(text)
    if (olderMs === undefined) {
      const what =
        text === undefined
          ? 'trace cleanup needs --older-than'
          : `Invalid value for --older-than: "${text}"`
      throw new ScholiumError('invalid_input', `${what}.`, {
        hint: ageHint(
          text ?? '',
          'Give an age such as 12h, 30d or 8w: scholium trace cleanup --older-than 30d --dry-run',
        ),
      })
    }
    const keep = options.whole('keep', 0)
    const cleanup = await app.cleanUpRuns({
      endedBeforeMs: Date.now() - olderMs,
      isDryRun: options.has('dry-run'),
      ...(keep === undefined ? {} : { keep }),
    })
    const { removed, spared, isDryRun } = cleanup
    printResult(invocation, cleanup, () => {
      const verb = isDryRun ? 'would be removed' : 'removed'
      const rows = removed.map(({ runId, createdAt, status, title }) => [
        runId,
        localTime(createdAt),
        status,
        oneLine(title),
      ])
      const table =
        rows.length === 0
          ? []
          : renderTable(['RUN', 'WHEN', 'STATUS', 'QUESTION'], rows, terminal.stdout.columns)
      return [
        ...table,
        ...spared.map(({ run, reason }) => `${run.runId} kept: ${oneLine(reason)}`),
        `${count(removed.length, 'run')} ${verb}.`,
      ].join('\n')
    })
    return 0
  })
