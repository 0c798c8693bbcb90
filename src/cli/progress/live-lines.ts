import type { Paint } from '../render/paint.ts'
import { currentResearch, currentWork, type RunView, type Work } from '../render/run-view.ts'
import { countColumns, cut, oneLine } from '../render/text.ts'

/** The frame for which a run is drawn. */
export interface LiveFrame {
  readonly columns: number
  /** Maximum number of lines. */
  readonly rows: number
  readonly elapsedMs: number
  /** Whether the run has ended and nothing moves. */
  readonly isOver: boolean
  /** What is being waited for. */
  readonly waiting?: string
  readonly paint: Paint
}

/** A line before it is fitted to the width: a sign, the work, and its outcome. */
export interface Line {
  readonly sign: string
  readonly text: string
  readonly note: string
}

/** Draws a run: plan, research steps, answer, check and usage. No line is wider than the columns. */
export function liveLines(view: RunView, frame: LiveFrame): readonly string[] {
  const research = view.research.map((work, index) => researchLine(view, work, index, frame))
  // At depth quick, the research is the answer.
  const hasTeam = view.plan.state !== 'todo' || research.length === 0
  const parts = [
    ...(hasTeam ? [partLine(view, view.plan, planText(view), frame)] : []),
    ...fitted(research, currentResearch(view), Math.max(1, frame.rows - 4)),
    ...(hasTeam ? [partLine(view, view.answer, 'Answer', frame)] : []),
    partLine(view, view.check, 'Claim check', frame),
  ]
  const most = Math.max(1, frame.rows - 1)
  const lines = parts.slice(-most).map((line) => drawn(line, frame))
  return [...lines.slice(0, most), footer(view, frame)].slice(-Math.max(1, frame.rows))
}

function planText({ research, plan }: RunView): string {
  if (plan.state === 'todo' || plan.state === 'doing') return 'Plan'
  return research.length === 0
    ? 'Plan: no research needed'
    : `Plan: ${count(research.length, 'research step')}`
}

function partLine(view: RunView, work: Work, text: string, frame: LiveFrame): Line {
  return { sign: chooseSign(work, frame), text, note: formatNote(view, work, frame) }
}

function researchLine(view: RunView, work: Work, index: number, frame: LiveFrame): Line {
  return {
    sign: ` ${chooseSign(work, frame)}`,
    text: `${index + 1}. ${oneLine(work.text)}`,
    note: formatNote(view, work, frame),
  }
}

/** The lines around the current one, if not all fit. */
function fitted(lines: readonly Line[], current: number, room: number): readonly Line[] {
  if (lines.length <= room) return lines
  const shown = Math.max(1, room - 1)
  const from = Math.min(Math.max(0, current - shown + 1), lines.length - shown)
  const more: Line = { sign: ' ', text: `… ${count(lines.length - shown, 'more step')}`, note: '' }
  return room === 1 ? lines.slice(from, from + 1) : [more, ...lines.slice(from, from + shown)]
}

function chooseSign(work: Work, { paint, elapsedMs, isOver }: LiveFrame): string {
  if (work.state === 'done') return paint.green('✓')
  if (work.state === 'todo') return paint.dim('·')
  if (isOver) return paint.yellow('–')
  return paint.cyan(spinnerAt(elapsedMs))
}

/** The spinner's character. */
export function spinnerAt(elapsedMs: number): string {
  return spinner[Math.floor(elapsedMs / 100) % spinner.length] as string
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const

function formatNote(view: RunView, work: Work, { waiting = '' }: LiveFrame): string {
  const searches = work.searches === 0 ? [] : [count(work.searches, 'search', 'searches')]
  const rejections =
    work.rejections === 0
      ? []
      : [`rejected ${work.rejections}×${work.feedback === '' ? '' : `: ${oneLine(work.feedback)}`}`]
  const verdict = work.isApproved
    ? work.isJudged
      ? ['approved']
      : []
    : work.state === 'judging'
      ? ['critic reviews it']
      : []
  const isCurrent = work === currentWork(view)
  const last = work.activity === '' && isCurrent ? view.activity : work.activity
  const activity = work.state === 'doing' && last !== '' ? [oneLine(last)] : []
  const isAwaited = isCurrent && work.state !== 'done' && waiting !== ''
  const waits = isAwaited ? [oneLine(waiting)] : []
  return [...waits, ...(activity.length > 0 ? activity : searches), ...verdict, ...rejections].join(
    ', ',
  )
}

/** Fits a line to the width: the work keeps at least half of it; the outcome is cut first. */
export function drawn({ sign, text, note }: Line, { columns, paint }: LiveFrame): string {
  const signColumns = sign.startsWith(' ') ? 2 : 1
  const room = columns - signColumns - 1
  if (room < 4) return cut(text, columns)
  if (note === '') return `${sign} ${cut(text, room)}`
  const noteRoom = Math.max(
    room - countColumns(text) - 2,
    Math.min(countColumns(note), Math.floor(room / 2) - 2),
  )
  const shownNote = noteRoom < 4 ? '' : cut(note, noteRoom)
  const shownText = cut(text, shownNote === '' ? room : room - countColumns(shownNote) - 2)
  return shownNote === '' ? `${sign} ${shownText}` : `${sign} ${shownText}  ${paint.dim(shownNote)}`
}

/** Usage of the run so far, and its id. */
export function footer(view: RunView, { columns, elapsedMs, paint }: LiveFrame): string {
  const parts = [
    seconds(elapsedMs),
    count(view.modelCalls, 'model call'),
    ...(view.toolCalls === 0 ? [] : [count(view.toolCalls, 'tool call')]),
    view.costUsd === null ? 'cost unknown' : dollars(view.costUsd),
    ...(view.runId === '' ? [] : [view.runId]),
  ]
  return paint.dim(cut(parts.join(' · '), columns))
}

/** `1 step`, `2 steps`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** Milliseconds as `0.3 s`. */
export function seconds(timeMs: number): string {
  return `${(timeMs / 1000).toFixed(1)} s`
}

/** A time as `12 ms`, or as `1.3 s` from a second on. */
export function duration(timeMs: number): string {
  return timeMs < 1000 ? `${Math.round(timeMs)} ms` : seconds(timeMs)
}

/** US dollars with four decimals. */
export function dollars(costUsd: number): string {
  return `$${costUsd.toFixed(4)}`
}
