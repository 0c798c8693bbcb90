import { isReflowing, type Screen } from '../progress/live-block.ts'
import type { Paint } from '../render/paint.ts'
import type { Host } from '../terminal.ts'
import { type Block, type BlockFrame, blockRows, isFolded } from './blocks.ts'
import { type Region, ScreenRegion } from './screen-region.ts'

const mostBlocks = 2_000

/** What was printed for good, as far as it may have to be redrawn. */
class Transcript {
  private readonly blocks: Block[] = []

  add(blocks: readonly Block[]): void {
    this.blocks.push(...blocks)
    if (this.blocks.length > mostBlocks) this.blocks.splice(0, this.blocks.length - mostBlocks)
  }

  /** The last rows, at least `most` if there are enough. */
  rows(frame: BlockFrame, most: number): readonly string[] {
    const parts: (readonly string[])[] = []
    let count = 0
    for (let at = this.blocks.length - 1; at >= 0 && count < most; at--) {
      const rows = blockRows(this.blocks[at] as Block, frame)
      parts.unshift(rows)
      count += rows.length
    }
    return parts.flat()
  }

  /** The newest block that was cut. */
  lastFolded(frame: BlockFrame): Block | undefined {
    return this.blocks.findLast((block) => isFolded(block, frame))
  }
}

/** Several events share one draw. Milliseconds. */
const drawEveryMs = 30
/** A window has many sizes while it is resized. */
const settleMs = 80

/** The screen: the growing conversation, and the end that is redrawn. It schedules its own drawing. */
export class SessionScreen {
  private readonly screen: Screen
  private readonly region: ScreenRegion
  private readonly paint: Paint
  private readonly frameOf: (columns: number, rows: number) => Region
  private readonly transcript = new Transcript()
  private pending: Block[] = []
  private timer: NodeJS.Timeout | undefined
  private resizeTimer: NodeJS.Timeout | undefined
  private drawnColumns: number
  private isClosed = false

  /** @param frameOf the end of the screen, for a number of columns and a maximum number of rows */
  constructor(
    screen: Screen,
    env: Host['env'],
    paint: Paint,
    frameOf: (columns: number, rows: number) => Region,
  ) {
    this.screen = screen
    const isInTmux = env.TMUX !== undefined && env.TMUX !== ''
    this.region = new ScreenRegion(screen, { reflows: isInTmux || isReflowing(env) })
    this.paint = paint
    this.frameOf = frameOf
    this.drawnColumns = this.region.columns
  }

  /** Maximum width of a line, in columns. */
  get columns(): number {
    return this.region.columns
  }

  /** Prints blocks above the end for good. */
  add(blocks: readonly Block[]): void {
    this.pending.push(...blocks)
    this.change()
  }

  /** Schedules a redraw of the end. */
  change(): void {
    if (this.isClosed) return
    this.timer ??= setTimeout(() => this.draw(), drawEveryMs)
  }

  /** Draws now. */
  draw(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.isClosed || this.resizeTimer !== undefined) return
    const { columns, rows } = this.region
    const blocks = this.pending.splice(0)
    this.transcript.add(blocks)
    const above = blocks.flatMap((block) => blockRows(block, this.frame))
    this.region.draw(this.frameOf(columns, rows), above)
    this.drawnColumns = columns
  }

  /** Redraws after a resize. */
  resize(): void {
    clearTimeout(this.resizeTimer)
    this.resizeTimer = setTimeout(() => {
      this.resizeTimer = undefined
      this.repaint(false)
    }, settleMs)
  }

  /** Redraws everything visible. @param isForeign whether something else was written on the screen */
  repaint(isForeign: boolean): void {
    if (this.isClosed) return
    const most = this.screen.rows
    const before = this.transcript.rows({ paint: this.paint, columns: this.drawnColumns }, most)
    this.transcript.add(this.pending.splice(0))
    const above = this.transcript.rows(this.frame, most)
    const { columns, rows } = this.region
    this.region.repaint(this.frameOf(columns, rows), { above, before, isForeign })
    this.drawnColumns = columns
  }

  /** Removes the end while something else is written. */
  clear(): void {
    this.region.clear()
  }

  /** Prints the newest block that was cut, complete, above the end. */
  expand(): boolean {
    const folded = this.transcript.lastFolded(this.frame)
    if (folded === undefined) return false
    const rows = blockRows(folded, { ...this.frame, isWhole: true })
    const { columns } = this.region
    this.region.draw(this.frameOf(columns, this.region.rows), rows)
    return true
  }

  /** Removes the end, keeps what is above, and stops drawing. */
  close(): void {
    this.draw()
    this.isClosed = true
    clearTimeout(this.timer)
    clearTimeout(this.resizeTimer)
    this.region.clear()
  }

  private get frame(): BlockFrame {
    return { columns: this.region.columns, paint: this.paint }
  }
}
