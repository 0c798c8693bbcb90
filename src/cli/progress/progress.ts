import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { findDisplay } from '../displays/displays.ts'
import { buildView, reduceView } from '../displays/reduce-view.ts'
import { printLine } from '../render/print.ts'
import { emptyView, type RunView } from '../render/run-view.ts'
import { cut, oneLine, wrap } from '../render/text.ts'
import type { Terminal } from '../terminal.ts'
import { describeEvent, isLasting } from './describe-event.ts'
import { blockOn, type LiveBlock } from './live-block.ts'
import type { Picture } from './live-pictures.ts'
import { Waits } from './live-waits.ts'

/** Shows the progress of a run. */
export interface Progress {
  readonly view: RunView
  hear(event: LiveEvent): void
  /** Runs work that writes to the terminal itself; drawing pauses meanwhile. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Draws a last time. */
  end(): void
}

/** How to show progress: drawn on a terminal, as lines, as JSON lines on stdout, or not at all. */
export type ProgressForm = 'live' | 'lines' | 'stream' | 'none'

/** The form for an invocation. */
export function progressForm({ format, options, terminal }: Invocation): ProgressForm {
  if (format === 'stream-json') return 'stream'
  const hasLog = options.has('log-level') && !options.has('log-file')
  if (options.has('quiet') || hasLog) return 'none'
  const { CI, TERM } = terminal.host.env
  const isAutomatic = CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0'
  return terminal.stderr.isTerminal && !isAutomatic && TERM !== 'dumb' ? 'live' : 'lines'
}

/** The run whose progress is shown. */
export interface ShownRun {
  /** The log of a resumed run so far. */
  readonly history?: readonly RunEvent[]
  /** Default `ask`. */
  readonly workflow?: string
}

/**
 * Shows a run's progress for an invocation. An error in showing it never reaches the run: it is reported once, and the
 * run continues without progress.
 */
export function createProgress(
  invocation: Invocation,
  { history = [], workflow = 'ask' }: ShownRun = {},
): Progress {
  const shown = createShown(invocation, workflow, history)
  let view = buildView(history)
  let isBroken = false
  const guard = (show: () => void) => {
    if (isBroken) return
    try {
      show()
    } catch (error) {
      isBroken = true
      invocation.terminal.tell(
        `Progress can no longer be shown: ${error instanceof Error ? error.message : error}`,
      )
    }
  }
  return {
    get view() {
      return view
    },
    hear: (event) =>
      guard(() => {
        const isResumed = !('transient' in event) && event.type === 'run.resumed'
        view = isResumed ? buildView([...history, event]) : reduceView(view, event)
        shown.show(event, view)
      }),
    async during(work) {
      guard(() => shown.pause(true))
      return work().finally(() => guard(() => shown.pause(false)))
    },
    end: () => guard(() => shown.end(view)),
  }
}

interface Shown {
  show(event: LiveEvent, view: RunView): void
  pause(isPaused: boolean): void
  end(view: RunView): void
}

function createShown(
  invocation: Invocation,
  workflow: string,
  history: readonly RunEvent[],
): Shown {
  const { terminal } = invocation
  const form = progressForm(invocation)
  const display = findDisplay(workflow)
  switch (form === 'live' && display.picture === undefined ? 'lines' : form) {
    case 'live':
      return new Drawing(terminal, display.picture?.(history) as Picture)
    case 'lines':
      return new Lines(terminal)
    case 'stream':
      return {
        show: (event, view) => printLine(terminal, streamed(event, view)),
        pause: () => {},
        end: () => {},
      }
    case 'none':
      return { show: () => {}, pause: () => {}, end: () => {} }
  }
}

const mostColumnsOfLine = 500

const lookAtWaitsEveryMs = 250

/** Progress as lines. A repeated notice is counted, and the count printed at the end. */
class Lines implements Shown {
  private readonly terminal: Terminal
  private readonly waits = new Waits()
  private readonly notices = new Repeats()
  private readonly held: string[] = []
  private isPaused = false
  private timer: NodeJS.Timeout | undefined

  constructor(terminal: Terminal) {
    this.terminal = terminal
  }

  show(event: LiveEvent, view: RunView): void {
    const line = describeEvent(event, view)
    const isKnown = isLasting(event) && line !== undefined && this.notices.isRepeat(line)
    if (line !== undefined && !isKnown) this.tell(line)
    this.waits.hear(event, Date.now())
    this.timer ??= setInterval(() => this.tellWaits(), lookAtWaitsEveryMs).unref()
  }

  /** Lines printed now would appear in the line in which somebody types. */
  pause(isPaused: boolean): void {
    this.isPaused = isPaused
    if (!isPaused) for (const line of this.held.splice(0)) this.tell(line)
  }

  end(): void {
    clearInterval(this.timer)
    this.pause(false)
    for (const line of this.notices.summary()) this.tell(line)
  }

  private tellWaits(): void {
    for (const line of this.waits.due(Date.now())) this.tell(line)
  }

  private tell(line: string): void {
    if (this.isPaused) this.held.push(line)
    else this.terminal.tell(this.terminal.asTyped(cut(oneLine(line), mostColumnsOfLine)))
  }
}

/** Counts repeated lines. */
class Repeats {
  private readonly times = new Map<string, number>()

  isRepeat(line: string): boolean {
    const times = (this.times.get(line) ?? 0) + 1
    this.times.set(line, times)
    return times > 1
  }

  summary(): readonly string[] {
    return [...this.times].flatMap(([line, times]) =>
      times > 1 ? [`${times} times: ${line}`] : [],
    )
  }
}

/**
 * An event as a line of a stream, with the run's id; a large output stays in the log and is referred to by its hash.
 */
function streamed(event: LiveEvent, view: RunView): object {
  if ('transient' in event) return { runId: view.runId, ...event }
  const { runId, type, output, blob, ...others } = event
  const large = blob === undefined ? { output } : { blob }
  return { runId, type, ...others, ...(output === undefined ? {} : large) }
}

const redrawEveryMs = 100

/** The drawing on a terminal, redrawn by a timer so that many events cost one draw. */
class Drawing implements Shown {
  private readonly terminal: Terminal
  private readonly block: LiveBlock
  private startedAt = Date.now()
  private pausedAt = 0
  private readonly waits = new Waits()
  private readonly notices = new Repeats()
  private timer: NodeJS.Timeout | undefined
  private view = emptyView
  private isPaused = false
  private readonly picture: Picture

  constructor(terminal: Terminal, picture: Picture) {
    this.terminal = terminal
    this.picture = picture
    this.block = blockOn(terminal)
  }

  show(event: LiveEvent, view: RunView): void {
    this.view = view
    this.picture.hear(event)
    this.waits.hear(event, Date.now())
    const line = isLasting(event) ? describeEvent(event, view) : undefined
    if (line !== undefined && !this.notices.isRepeat(line)) this.insert(line)
    if (this.isPaused) return
    this.timer ??= setInterval(() => this.draw(false), redrawEveryMs).unref()
  }

  pause(isPaused: boolean): void {
    // A person's time to think does not count as the run's.
    if (isPaused) this.pausedAt = Date.now()
    else this.startedAt += Date.now() - this.pausedAt
    this.isPaused = isPaused
    if (!isPaused || this.timer === undefined) return
    clearInterval(this.timer)
    this.timer = undefined
    this.draw(false)
    this.block.release()
  }

  end(view: RunView): void {
    clearInterval(this.timer)
    if (this.timer === undefined) return
    this.view = view
    for (const line of this.notices.summary()) this.insert(line)
    this.draw(true)
    this.block.release()
    if (this.terminal.stdout.isTerminal) this.terminal.tell('')
  }

  private insert(line: string): void {
    const text = this.terminal.asTyped(oneLine(line))
    this.block.insert(wrap(text, this.block.columns, '  ').join('\n'))
  }

  private draw(isOver: boolean): void {
    const { columns, rows } = this.block
    const { paint } = this.terminal.stderr
    const now = Date.now()
    const elapsedMs = now - this.startedAt
    const waiting = isOver ? '' : this.waits.current(now)
    this.block.draw(
      this.picture.lines(this.view, { columns, rows, elapsedMs, isOver, waiting, paint }),
    )
  }
}
