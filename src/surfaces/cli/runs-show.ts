import type { RunRecord } from '../../kernel/run-store.ts'
import { type Answer, type OpenApp, withApp } from './app-settings.ts'
import type { Invocation, RunCommand } from './invocation.ts'
import { count, seconds } from './live-lines.ts'
import { printLine, printResult } from './print.ts'
import { renderAnswer } from './render-answer.ts'
import { localTime } from './runs.ts'
import { renderTable } from './table.ts'
import { oneLine } from './text.ts'
import { type TimelineEntry, timelineOf } from './timeline.ts'

/** `scholium runs show`. */
export const runRunsShow: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const [run = ''] = invocation.words
    const record = await app.showRun(run)
    if (invocation.options.has('events')) return printEvents(invocation, app, record.runId)
    const answer = await app.recordedAnswer(record.runId)
    const timeline = await timelineOf(app.events(record.runId, { withOutput: false }))
    const shown = { ...record, answer: answer ?? null, timeline }
    printResult(invocation, shown, () => renderRun(invocation, record, answer, timeline))
    return 0
  })

async function printEvents({ terminal }: Invocation, app: OpenApp, runId: string): Promise<number> {
  const { stdout } = terminal.host
  let isClosed = false
  terminal.whenStdoutCloses(() => {
    isClosed = true
    stdout.emit('drain')
  })
  for await (const event of app.events(runId)) {
    printLine(terminal, event)
    if (stdout.writableNeedDrain) await new Promise((resolve) => stdout.once('drain', resolve))
    if (isClosed) break
  }
  return 0
}

function renderRun(
  { terminal }: Invocation,
  record: RunRecord,
  answer: Answer | undefined,
  timeline: readonly TimelineEntry[],
): string {
  const { columns, paint } = terminal.stdout
  const { runId, workflow, status, createdAt, title } = record
  const facts = [
    `Run       ${runId}`,
    `Question  ${oneLine(title)}`,
    `Status    ${status}`,
    `Started   ${localTime(createdAt)}`,
    `Workflow  ${workflow}`,
  ].join('\n')
  const result =
    answer === undefined
      ? terminal.asTyped(`It has no answer yet. Go on with it: scholium resume ${runId}\n`)
      : terminal.asTyped(renderAnswer(answer, { columns, paint, folder: terminal.host.cwd() }))
  const rows = timeline.map(({ node, durationMs, modelCalls, toolCalls }) => [
    node,
    seconds(durationMs),
    callsOf(modelCalls, toolCalls),
  ])
  const times =
    rows.length === 0 ? [] : ['', ...renderTable(['NODE', 'TIME', 'CALLS'], rows, columns)]
  return [facts, '', result.trimEnd(), ...times].join('\n')
}

function callsOf(modelCalls: number, toolCalls: number): string {
  const models = modelCalls === 0 ? [] : [count(modelCalls, 'model call')]
  const tools = toolCalls === 0 ? [] : [count(toolCalls, 'tool call')]
  return [...models, ...tools].join(', ')
}
