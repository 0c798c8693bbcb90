import { stripVTControlCharacters } from 'node:util'
import { countColumns } from '../render/text.ts'
import { type Terminal, unknownColumns } from '../terminal.ts'

/** The assumed height of a terminal that does not report it. */
const unknownRows = 24

/** A terminal's stream as the block uses it. */
export interface Screen {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

/** Maximum width of lines: longer ones are hard to read, and these stay whole in a slightly narrower window. */
const mostColumns = 110

/**
 * Lines at the end of a terminal that are redrawn in place. What is above is never touched.
 *
 * When a terminal becomes narrower, it either rewraps the old lines (`reflows`), so that they take more rows, or cuts
 * them. If that is unknown, the block assumes the smaller number: an old line may then stay visible, but nothing is
 * lost.
 */
export class LiveBlock {
  private readonly screen: Screen
  private readonly reflows: boolean
  private lines: readonly string[] = []

  constructor(screen: Screen, options: { readonly reflows: boolean }) {
    this.screen = screen
    this.reflows = options.reflows
  }

  /** Maximum width of lines: the last column stays free, since a terminal may wrap after it. */
  get columns(): number {
    return Math.max(1, Math.min(this.screen.columns - 1, mostColumns))
  }

  /** Maximum number of lines. */
  get rows(): number {
    return Math.max(1, this.screen.rows - 1)
  }

  /** Replaces the block's lines. */
  draw(lines: readonly string[]): void {
    this.replace(lines)
    this.lines = lines
  }

  /** Puts permanent text above the block. */
  insert(text: string): void {
    this.replace([...text.split('\n'), ...this.lines])
  }

  /** Leaves the block on the screen; the next draw starts below it. */
  release(): void {
    this.lines = []
  }

  /**
   * Overwrites the block line by line: clearing everything first would flicker, and some terminals that are cleared
   * from the first row on push what was there into the scrollback on every draw.
   */
  private replace(lines: readonly string[]): void {
    const rows = Math.min(
      this.lines.reduce((sum, line) => sum + this.rowsOf(line), 0),
      this.rows,
    )
    const left = Math.max(0, rows - lines.length)
    const written = [...lines, ...Array<string>(left).fill('')].map((line) => `${line}\u001b[K\n`)
    this.screen.write(`${up(rows)}${written.join('')}${up(left)}`)
  }

  private rowsOf(line: string): number {
    if (!this.reflows) return 1
    return Math.max(
      1,
      Math.ceil(countColumns(stripVTControlCharacters(line)) / this.screen.columns),
    )
  }
}

function up(rows: number): string {
  return rows === 0 ? '' : `\u001b[${rows}A\r`
}

/** Whether a terminal is known to rewrap long lines when its width changes. */
export function isReflowing(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { VTE_VERSION, TERM_PROGRAM, WT_SESSION, KITTY_WINDOW_ID } = environment
  return [VTE_VERSION, TERM_PROGRAM, WT_SESSION, KITTY_WINDOW_ID].some(
    (value) => value !== undefined && value !== '',
  )
}

/** A block at the end of the terminal that stderr writes to. */
export function blockOn(terminal: Terminal): LiveBlock {
  const { stderr, env } = terminal.host
  const screen = {
    get columns() {
      return terminal.stderr.columns ?? unknownColumns
    },
    get rows() {
      return stderr.rows > 0 ? stderr.rows : unknownRows
    },
    write: (text: string) => terminal.stderr.write(text),
  }
  return new LiveBlock(screen, { reflows: isReflowing(env) })
}
