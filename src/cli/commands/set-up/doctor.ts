import type { DoctorReport, ExamineProgress, Finding, Health } from '../../../app.ts'
import { configurationRequest } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { exitCodes } from '../../exit-codes.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { blockOn } from '../../progress/live-block.ts'
import { count, seconds } from '../../progress/live-lines.ts'
import { progressForm } from '../../progress/progress.ts'
import type { Paint } from '../../render/paint.ts'
import { printResult } from '../../render/print.ts'
import { cut, oneLine, wrap } from '../../render/text.ts'

/** `scholium doctor`. */
export const runDoctor: RunCommand = async (invocation) => {
  const { options, terminal } = invocation
  const maxSeconds = options.amount('max-seconds')
  const { examine, readConfiguration } = await import('../../../app.ts')
  const configuration = await readConfiguration(configurationRequest(invocation))
  const controller = new AbortController()
  const stopListening = listenForInterrupts(() => controller.abort())
  const progress = createDoctorLine(invocation)
  try {
    const report = await examine(configuration, {
      callsPaidModels: options.has('call'),
      signal: controller.signal,
      onProgress: progress.show,
      ...(maxSeconds === undefined ? {} : { maxMs: Math.round(maxSeconds * 1000) }),
    })
    progress.end()
    printResult(invocation, report, () => terminal.asTyped(renderReport(report, invocation)))
    return report.status === 'problem' ? 1 : 0
  } catch (error) {
    if (controller.signal.aborted) return exitCodes.cancelled
    throw error
  } finally {
    progress.end()
    stopListening()
  }
}

/** What is being checked, on one redrawn line; nothing if stderr is not a terminal. */
function createDoctorLine(invocation: Invocation) {
  if (progressForm(invocation) !== 'live') return { show: () => {}, end: () => {} }
  const block = blockOn(invocation.terminal)
  const startedAt = Date.now()
  let latest: ExamineProgress | undefined
  const draw = () => {
    if (latest === undefined) return
    const { done, total, waitingFor } = latest
    const head = `Checking: ${done} of ${total} · ${seconds(Date.now() - startedAt)}`
    block.draw([cut(oneLine([head, ...waitingFor].join(' · ')), block.columns)])
  }
  const timer = setInterval(draw, 200).unref()
  return {
    show: (progress: ExamineProgress) => {
      latest = progress
      draw()
    },
    end: () => {
      clearInterval(timer)
      block.draw([])
      latest = undefined
    },
  }
}

const marks = { ok: '✓', warning: '!', problem: '✗' } as const satisfies Record<Health, string>

function renderReport(report: DoctorReport, { terminal }: Invocation): string {
  const { paint, columns } = terminal.stdout
  const width = columns === undefined ? undefined : Math.max(20, Math.min(columns, 110))
  const areas = [...new Set(report.findings.map(({ area }) => area))]
  const sections = areas.map((area) => {
    const own = report.findings.filter((finding) => finding.area === area)
    const lines = own.flatMap((finding, index) => [
      ...subjectLines(finding, own[index - 1], width),
      ...findingLines(finding, paint, width),
    ])
    return [paint.bold(area), ...lines]
  })
  return [...sections, [formatSummary(report)]].map((lines) => lines.join('\n')).join('\n\n')
}

/** The heading of the next findings, printed once. */
function subjectLines(
  { subject }: Finding,
  before: Finding | undefined,
  width: number | undefined,
): readonly string[] {
  if (subject === undefined || subject === before?.subject) return []
  const line = `  ${oneLine(subject)}`
  return width === undefined ? [line] : wrap(line, width, '    ')
}

function findingLines(
  { status, subject, text, hint, isAbsent }: Finding,
  paint: Paint,
  width: number | undefined,
): readonly string[] {
  const indent = subject === undefined ? '  ' : '    '
  const mark = isAbsent === true ? '·' : marks[status]
  const broken = (line: string) => (width === undefined ? [line] : wrap(line, width, `${indent}  `))
  const [first = '', ...others] = broken(`${indent}${mark} ${oneLine(text)}`)
  const colour = { ok: paint.green, warning: paint.yellow, problem: paint.red }[status]
  return [
    isAbsent === true ? first : first.replace(mark, colour(mark)),
    ...others,
    ...(hint === undefined ? [] : broken(`${indent}  ${oneLine(hint)}`)),
  ]
}

function formatSummary({ findings, durationMs }: DoctorReport): string {
  const number = (status: Health) => findings.filter((finding) => finding.status === status).length
  const parts = [
    ...(number('problem') > 0 ? [count(number('problem'), 'problem')] : []),
    ...(number('warning') > 0 ? [count(number('warning'), 'warning')] : []),
  ]
  const verdict = parts.length === 0 ? 'Everything works' : parts.join(', ')
  return `${verdict} (${seconds(durationMs)})`
}
