import type { Screen } from '../progress/live-block.ts'
import { paintedColumns } from './paint-lines.ts'

/** The last lines of the terminal, with the cursor's position in them. */
export interface Region {
  readonly lines: readonly string[]
  readonly cursor: { readonly row: number; readonly column: number }
}

/** The lines above a region that is repainted, at the current width and as they were drawn. */
export interface Repainting {
  readonly above: readonly string[]
  readonly before: readonly string[]
  readonly isForeign: boolean
}

const begin = '\u001b[?2026h\u001b[?25l'
const end = '\u001b[?25h\u001b[?2026l'

/**
 * The end of a terminal, redrawn in place, with the cursor in it. Lines put above it stay and enter the terminal's
 * scrollback. Each draw is a single write.
 *
 * @see https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036 (synchronized output)
 */
export class ScreenRegion {
  private readonly screen: Screen
  private readonly reflows: boolean
  private drawn: Region = { lines: [], cursor: { row: 0, column: 0 } }
  private isOn = false

  constructor(screen: Screen, options: { readonly reflows: boolean }) {
    this.screen = screen
    this.reflows = options.reflows
  }

  /** Maximum width of lines: the last column stays free, since a terminal may wrap after it. */
  get columns(): number {
    return Math.max(10, this.screen.columns - 1)
  }

  /** Maximum number of lines. */
  get rows(): number {
    return Math.max(3, this.screen.rows - 1)
  }

  /** Replaces the region; `above` is printed before it and stays. */
  draw(region: Region, above: readonly string[] = []): void {
    if (above.length === 0 && this.isOn && isSame(region, this.drawn)) return
    this.screen.write(`${begin}${this.toTop()}${this.written(region, above)}${end}`)
    this.drawn = region
    this.isOn = true
  }

  /**
   * Also redraws what is visible above the region: after a resize, or when something else was written on the terminal
   * (`isForeign`).
   */
  repaint(region: Region, { above, before, isForeign }: Repainting): void {
    const { rows } = this.screen
    const last = above.slice(-Math.max(0, rows - region.lines.length))
    const { lines, cursor } = this.drawn
    const old = [...before, ...lines.slice(0, cursor.row)].map((line) => this.rowsOf(line))
    const up = old.reduce((sum, count) => sum + count, 0)
    const isWhole = isForeign || up >= rows - 1 || above.length >= rows - region.lines.length
    const from = isWhole ? '\u001b[H' : `${moved(up, 'A')}\r`
    this.screen.write(`${begin}${from}${this.written(region, last)}${end}`)
    this.drawn = region
    this.isOn = true
  }

  /** Removes the region; the cursor is then at its start. */
  clear(): void {
    if (!this.isOn) return
    this.screen.write(`${this.toTop()}\u001b[J`)
    this.drawn = { lines: [], cursor: { row: 0, column: 0 } }
    this.isOn = false
  }

  private written({ lines, cursor }: Region, above: readonly string[]): string {
    const shown = lines.length === 0 ? [''] : lines
    // To a terminal that rewraps, a row whose rest is cleared is still as long as it was.
    const text = [...above, ...shown].map((line) => `\u001b[2K${line}`).join('\r\n')
    const up = shown.length - 1 - cursor.row
    const right = Math.min(cursor.column, this.screen.columns - 1)
    return `${text}\u001b[J${moved(up, 'A')}\r${moved(right, 'C')}`
  }

  /** Moves from the cursor's last position to the first row of the region. */
  private toTop(): string {
    return `${moved(this.drawn.cursor.row, 'A')}\r`
  }

  private rowsOf(line: string): number {
    if (!this.reflows) return 1
    return Math.max(1, Math.ceil(paintedColumns(line) / this.screen.columns))
  }
}

function isSame(one: Region, other: Region): boolean {
  const { cursor, lines } = one
  if (cursor.row !== other.cursor.row || cursor.column !== other.cursor.column) return false
  return (
    lines.length === other.lines.length && lines.every((line, index) => line === other.lines[index])
  )
}

function moved(count: number, direction: 'A' | 'C'): string {
  return count <= 0 ? '' : `\u001b[${count}${direction}`
}
