import { stripVTControlCharacters } from 'node:util'
import { countColumns } from '../render/text.ts'
import { type Terminal, unknownColumns } from '../terminal.ts'

/** How high a terminal is taken for that does not know it. */
const unknownRows = 24

/** A terminal's stream as the block uses it. */
export interface Screen {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

/** The widest that lines are drawn: more is hard to read, and a window made a little narrower leaves them whole. */
const mostColumns = 110

/**
 * Lines at the end of a terminal that are drawn anew in place. What stands above them is never touched.
 *
 * A terminal that is made narrower either breaks the old lines anew (`reflows`), so that they take more rows, or cuts them.
 * Where that is not known the block takes the smaller number: an old line may then stay visible, and nothing else is lost.
 */
export class LiveBlock {
  private readonly screen: Screen
  private readonly reflows: boolean
  private lines: readonly string[] = []

  constructor(screen: Screen, options: { readonly reflows: boolean }) {
    this.screen = screen
    this.reflows = options.reflows
  }

  /** How wide the lines may be: the last column stays free, since a terminal may begin a new line after it. */
  get columns(): number {
    return Math.max(1, Math.min(this.screen.columns - 1, mostColumns))
  }

  /** How many lines there is room for. */
  get rows(): number {
    return Math.max(1, this.screen.rows - 1)
  }

  /** Draws the lines in place of the earlier ones. */
  draw(lines: readonly string[]): void {
    this.replace(lines)
    this.lines = lines
  }

  /** Puts text above the block, where it stays. */
  insert(text: string): void {
    this.replace([...text.split('\n'), ...this.lines])
  }

  /** Leaves the block as it stands; the next draw begins below it. */
  release(): void {
    this.lines = []
  }

  /**
   * Writes over the rows of the block line by line: clearing them at once would flicker, and a terminal that is cleared from
   * its first row on may move what stood there into its history, once for every drawing.
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

/** Whether a terminal is known to break long lines anew when its width changes. */
export function isReflowing(environment: Readonly<Record<string, string | undefined>>): boolean {
  const { VTE_VERSION, TERM_PROGRAM, WT_SESSION, KITTY_WINDOW_ID } = environment
  return [VTE_VERSION, TERM_PROGRAM, WT_SESSION, KITTY_WINDOW_ID].some(
    (value) => value !== undefined && value !== '',
  )
}

/** A block at the end of the terminal to which stderr leads. */
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
