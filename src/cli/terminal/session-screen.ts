import { isReflowing, type Screen } from '../progress/live-block.ts'
import type { Paint } from '../render/paint.ts'
import type { Host } from '../terminal.ts'
import { type Block, type BlockFrame, blockRows, isFolded } from './blocks.ts'
import { type Region, ScreenRegion } from './screen-region.ts'

const mostBlocks = 2_000

/** What was put on the screen for good, as far as it may have to be drawn again. */
class Transcript {
  private readonly blocks: Block[] = []

  add(blocks: readonly Block[]): void {
    this.blocks.push(...blocks)
    if (this.blocks.length > mostBlocks) this.blocks.splice(0, this.blocks.length - mostBlocks)
  }

  /** The last rows, at least this number where there are enough. */
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

  /** The newest block of which something was left out. */
  lastFolded(frame: BlockFrame): Block | undefined {
    return this.blocks.findLast((block) => isFolded(block, frame))
  }
}

/** Many events cost one drawing. Milliseconds. */
const drawEveryMs = 30
/** A window that is drawn larger or smaller has many sizes on its way. */
const settleMs = 80

/** What the screen shows: the conversation as it grows, and the end that is drawn anew. Draws by itself when it is asked to. */
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

  /** @param frameOf what stands at the end of the screen, for so many columns and at most so many rows */
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

  /** Columns that a line may have. */
  get columns(): number {
    return this.region.columns
  }

  /** Puts blocks above the end, where they stay. */
  add(blocks: readonly Block[]): void {
    this.pending.push(...blocks)
    this.change()
  }

  /** Has the end drawn anew soon. */
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

  /** Draws anew for another size of the window. */
  resize(): void {
    clearTimeout(this.resizeTimer)
    this.resizeTimer = setTimeout(() => {
      this.resizeTimer = undefined
      this.repaint(false)
    }, settleMs)
  }

  /** Draws all that the screen shows anew. @param isForeign whether something else was written on it */
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

  /** Takes the end away, for as long as something else is written. */
  clear(): void {
    this.region.clear()
  }

  /** Puts the newest block that was cut above the end, whole. */
  expand(): boolean {
    const folded = this.transcript.lastFolded(this.frame)
    if (folded === undefined) return false
    const rows = blockRows(folded, { ...this.frame, isWhole: true })
    const { columns } = this.region
    this.region.draw(this.frameOf(columns, this.region.rows), rows)
    return true
  }

  /** Leaves what stands above, takes the end away and draws no more. */
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
