import { type Failure, ScholiumError } from '../../../kernel/errors.ts'
import type { RunEvent } from '../../../kernel/run/event.ts'
import type { Place } from '../../../kernel/run/fork.ts'
import type { RunRecord } from '../../../kernel/run/run-store.ts'
import { type OpenApp, type RunResult, withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { findDisplay } from '../../displays/displays.ts'
import { buildView } from '../../displays/reduce-view.ts'
import { count, duration } from '../../progress/live-lines.ts'
import { asObject } from '../../render/as-object.ts'
import { describeRun } from '../../render/describe-run.ts'
import { jsonText, printLine, printResult } from '../../render/print.ts'
import { answerStyle } from '../../render/render-answer.ts'
import { renderTable } from '../../render/table.ts'
import { oneLine, printable, wrap } from '../../render/text.ts'
import {
  buildTimeline,
  type Calls,
  countOtherCalls,
  type TimelineEntry,
} from '../../render/timeline.ts'
import { localTime } from './runs.ts'
import { saveFigures } from './save-figures.ts'
import { stepNamed } from './step-named.ts'

/** `scholium runs show`. */
export const runRunsShow: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const [run = ''] = invocation.words
    const { options } = invocation
    refuseTogether(options)
    const figures = options.filled('figures')
    const record = await app.showRun(run)
    if (figures !== undefined) return saveFigures(invocation, app, record.runId, figures)
    if (options.has('state')) return printState(invocation, app, record.runId)
    const at = stepNamed(options)
    const place = at === undefined ? undefined : (await app.stateAt(record.runId, at)).place
    if (options.has('events')) return printEvents(invocation, app, record.runId, place)
    if (place !== undefined) return printUpTo(invocation, app, record, place)
    const answer = await app.recordedAnswer(record.runId)
    const events = await Array.fromAsync(app.events(record.runId))
    const timeline = buildTimeline(events)
    const { failure } = buildView(events)
    const withheld = withheldText(events, answer)
    const related = await findRelated(app, record.runId, events)
    const resume = answer === undefined ? await app.resumeCommand(record.runId) : ''
    const shown = {
      ...record,
      ...related,
      answer: answer ?? null,
      ...(withheld === '' ? {} : { withheld }),
      timeline,
    }
    printResult(invocation, shown, () =>
      renderRun(invocation, {
        record,
        related,
        answer,
        resume,
        withheld,
        story: describeRun(events),
        timeline,
        otherCalls: countOtherCalls(events, timeline),
        failure,
      }),
    )
    return 0
  })

async function printState(invocation: Invocation, app: OpenApp, runId: string): Promise<number> {
  const { place, state } = await app.stateAt(runId, stepNamed(invocation.options))
  const { boundary, seq } = place
  const { terminal, options, format } = invocation
  // On stdout, other formats are JSON for programs.
  if (format === 'text' && !options.has('quiet'))
    terminal.tell(terminal.stderr.paint.dim(`State of ${runId} after ${boundary}`))
  printResult(invocation, { runId, boundary, seq, state }, () => jsonText(state))
  return 0
}

/** Prints the run as it was at a place from which it can be forked. */
async function printUpTo(
  invocation: Invocation,
  app: OpenApp,
  record: RunRecord,
  place: Place,
): Promise<number> {
  const { runId } = record
  const all = await Array.fromAsync(app.events(runId))
  const events = all.filter(({ seq }) => seq <= place.seq)
  const timeline = buildTimeline(events)
  const shown = { ...record, upTo: { boundary: place.boundary, seq: place.seq }, timeline }
  const at = await formatPlaceOption(app, runId, place, invocation.options.text('at') ?? '')
  printResult(invocation, shown, () => {
    const { terminal } = invocation
    const commands = [
      `State at this point: scholium runs show ${runId}${at} --state`,
      `Branch off here: scholium fork ${runId}${at}`,
    ]
    const what = place.boundary.includes('/') ? place.boundary : 'the beginning'
    const next = place.at === '' ? '' : `; next was ${place.at}`
    return [
      renderFacts(record),
      `Up to     ${what}, event ${place.seq} of ${all.length}${next}`,
      ...renderWay(invocation, { record, story: describeRun(events), timeline, otherCalls: none }),
      '',
      ...commands.map((text) => terminal.asTyped(text)),
    ].join('\n')
  })
  return 0
}

/** The command line form of a place: the node after it if that is the same place, else as given. */
async function formatPlaceOption(
  app: OpenApp,
  runId: string,
  place: Place,
  asked: string,
): Promise<string> {
  if (!place.boundary.includes('/')) return ''
  const node = place.at.split('/')[1]
  const isSame = node !== undefined && (await app.stateAt(runId, node)).place.seq === place.seq
  return ` --at '${isSame ? node : asked}'`
}

const none: Calls = { modelCalls: 0, toolCalls: 0 }

/** @throws `invalid_input` for options that exclude each other */
function refuseTogether(options: GivenOptions): void {
  const given = ['events', 'state', 'figures', 'at'].filter((name) => options.has(name))
  const others = options.has('figures') ? given : given.filter((name) => name !== 'at')
  if (others.length < 2) return
  const names = others.map((name) => `--${name}`).join(' and ')
  throw new ScholiumError('invalid_input', `${names} cannot be combined.`, {
    hint: 'Give only one of them. --at can be combined with --events or --state.',
  })
}

async function printEvents(
  { terminal }: Invocation,
  app: OpenApp,
  runId: string,
  place: Place | undefined,
): Promise<number> {
  const { stdout } = terminal.host
  let isClosed = false
  terminal.whenStdoutCloses(() => {
    isClosed = true
    stdout.emit('drain')
  })
  for await (const event of app.events(runId)) {
    if (place !== undefined && event.seq > place.seq) break
    printLine(terminal, event)
    if (stdout.writableNeedDrain) await new Promise((resolve) => stdout.once('drain', resolve))
    if (isClosed) break
  }
  return 0
}

/** The text of a withheld answer, which stays in the log. */
function withheldText(events: readonly RunEvent[], answer: RunResult | undefined): string {
  if (answer === undefined) return ''
  return findDisplay(answer.workflow).withheldText?.(events, answer) ?? ''
}

/** How a run proceeded, and where its time went. */
interface Way {
  readonly record: RunRecord
  readonly story: readonly string[]
  readonly timeline: readonly TimelineEntry[]
  /** Calls outside the timeline's nodes. */
  readonly otherCalls: Calls
}

interface ShownRun extends Way {
  readonly related: Related
  readonly answer: RunResult | undefined
  /** The command that resumes the run; empty where it has ended. */
  readonly resume: string
  /** A model's answer that was withheld; empty for none. */
  readonly withheld: string
  readonly failure: Failure | null
}

/** The runs before and after a run in a chain of follow-up questions. */
interface Related {
  readonly continues?: string
  readonly followUps?: readonly string[]
}

async function findRelated(
  app: OpenApp,
  runId: string,
  events: readonly RunEvent[],
): Promise<Related> {
  const started = asObject(events.find(({ type }) => type === 'run.started')?.output)
  const { runId: continues } = asObject(started.earlier)
  const followUps = await app.followUps(runId)
  return {
    ...(typeof continues === 'string' ? { continues } : {}),
    ...(followUps.length === 0 ? {} : { followUps }),
  }
}

function renderFacts(
  { runId, workflow, status, createdAt, title, parent }: RunRecord,
  { continues, followUps = [] }: Related = {},
): string {
  return [
    `Run       ${runId}`,
    `${findDisplay(workflow).titleLabel.padEnd(8)}  ${oneLine(title)}`,
    `Status    ${status}`,
    `Started   ${localTime(createdAt)}`,
    `Workflow  ${workflow}`,
    ...(parent === undefined ? [] : [`Fork of   ${parent.runId}, after its event ${parent.seq}`]),
    ...(continues === undefined ? [] : [`Continues ${continues}`]),
    ...(followUps.length === 0 ? [] : [`Continued by ${followUps.join(', ')}`]),
  ].join('\n')
}

function renderRun(invocation: Invocation, shown: ShownRun): string {
  const { terminal } = invocation
  const { record, related, answer, resume, failure } = shown
  const { runId } = record
  const result =
    answer === undefined
      ? terminal.asTyped(
          record.status === 'running'
            ? `It is still running and has no answer yet. To see its progress: scholium trace show ${runId}`
            : `It has no answer yet. To resume it: ${resume}`,
        )
      : findDisplay(answer.workflow).render(answer, { ...answerStyle(terminal), failure })
  return [
    renderFacts(record, related),
    '',
    result.trimEnd(),
    ...renderWithheld(invocation, shown.withheld),
    ...renderWay(invocation, shown),
    '',
    terminal.asTyped(`All calls and their times: scholium trace show ${runId}`),
  ].join('\n')
}

function fitted({ terminal }: Invocation, line: string, indent: string): readonly string[] {
  const { columns } = terminal.stdout
  return columns === undefined ? [line] : wrap(line, Math.max(20, columns), indent)
}

function renderWithheld(invocation: Invocation, withheld: string): readonly string[] {
  if (withheld === '') return []
  const { paint } = invocation.terminal.stdout
  const head = "Withheld: the model's text, which is not based on anything that was read"
  const lines = printable(withheld).split('\n')
  return [
    '',
    paint.bold(head),
    ...lines.flatMap((line) => fitted(invocation, `  | ${line}`, '  | ')),
  ]
}

function renderWay(
  invocation: Invocation,
  { record, story, timeline, otherCalls }: Way,
): readonly string[] {
  const { columns, paint } = invocation.terminal.stdout
  const worked = timeline.filter(
    ({ node, durationMs, modelCalls, toolCalls }) =>
      modelCalls + toolCalls > 0 || (durationMs >= 1 && !node.startsWith('orchestrator[')),
  )
  const rows = worked.map(({ node, durationMs, modelCalls, toolCalls }) => [
    node,
    duration(durationMs),
    formatCalls(modelCalls, toolCalls),
  ])
  const times =
    rows.length === 0 ? [] : ['', ...renderTable(['NODE', 'TIME', 'CALLS'], rows, columns)]
  const shared = worked.filter(({ isShared }) => isShared === true).length
  const notes = [
    ...(shared === 0
      ? []
      : [`Done and counted in ${record.parent?.runId}: the first ${count(shared, 'node')}.`]),
    ...(otherCalls.modelCalls + otherCalls.toolCalls === 0
      ? []
      : [
          `Not included: ${formatCalls(otherCalls.modelCalls, otherCalls.toolCalls)} in nodes that were redone or did not finish.`,
        ]),
  ]
  return [
    ...(story.length === 0 ? [] : ['', paint.bold('How the answer was produced')]),
    ...story.flatMap((line) => fitted(invocation, `- ${line}`, '  ')),
    ...times,
    ...notes.flatMap((line) => fitted(invocation, line, '')),
  ]
}

function formatCalls(modelCalls: number, toolCalls: number): string {
  const models = modelCalls === 0 ? [] : [count(modelCalls, 'model call')]
  const tools = toolCalls === 0 ? [] : [count(toolCalls, 'tool call')]
  return [...models, ...tools].join(', ')
}
