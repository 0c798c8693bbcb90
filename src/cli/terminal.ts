import { dirname, relative } from 'node:path'
import { wordToPaste } from '../kernel/text/shell-word.ts'
import { createPaint, type Paint } from './render/paint.ts'

/** The parts of the process that the command line uses. */
export interface Host {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
}

/** An output stream of the command line. */
export interface Output {
  readonly isTerminal: boolean
  readonly paint: Paint
  /** The width of the terminal; without one, nothing is cut or wrapped. */
  readonly columns: number | undefined
  write(text: string): void
}

/** The assumed width of terminals that report 0, such as those of containers and serial lines. */
export const unknownColumns = 80

/** Reads and writes for the command line. A closed reader is no error: further output is dropped. */
export class Terminal {
  readonly host: Host
  readonly stdout: Output
  readonly stderr: Output
  /** The home that this command line names, if any; suggested commands name it too. */
  home: string | undefined
  private readonly closed = new Set<NodeJS.WriteStream>()
  private onStdoutClosed: () => void = () => {}
  private failure: Error | undefined

  constructor(host: Host, options: { readonly hasColor: boolean }) {
    this.host = host
    this.stdout = this.output(host.stdout, options.hasColor)
    this.stderr = this.output(host.stderr, options.hasColor)
  }

  /** Why output to stdout was lost, such as a full disk. */
  get writeFailure(): Error | undefined {
    return this.failure
  }

  /** Calls `listener` when stdout has lost its reader. */
  whenStdoutCloses(listener: () => void): void {
    this.onStdoutClosed = listener
    if (this.closed.has(this.host.stdout)) listener()
  }

  /** Writes a line for people. */
  tell(text: string): void {
    this.stderr.write(`${text}\n`)
  }

  /** Rewrites commands in a text so that this person can type them: a fresh clone has no `scholium` on its PATH. */
  asTyped(text: string): string {
    const start = npmStart(this.host)
    const homed = withHome(text, this.home)
    if (start === undefined) return homed
    return homed.replaceAll(
      /\bscholium (?=(?:ask|papers|references|code|acp|mcp|serve|tokens|start|eval|run|validate|inspect|actions|library|runs|resume|replay|fork|diff|export|verify|trace|config|models|doctor|home|trust|graph|COMMAND)\b|--help)/g,
      start,
    )
  }

  private output(stream: NodeJS.WriteStream, hasColor: boolean): Output {
    stream.on('error', (error: NodeJS.ErrnoException) => this.close(stream, error))
    const isTerminal = stream.isTTY === true
    return {
      isTerminal,
      paint: createPaint(hasColor && isTerminal && stream.hasColors()),
      get columns() {
        if (!isTerminal) return undefined
        return stream.columns > 0 ? stream.columns : unknownColumns
      },
      write: (text) => {
        if (!this.closed.has(stream)) stream.write(text)
      },
    }
  }

  private close(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
    this.closed.add(stream)
    if (stream !== this.host.stdout) return
    if (error.code !== 'EPIPE') this.failure = error
    this.onStdoutClosed()
  }
}

/** Adds the home, if the command line named one, to the commands about a run in a text. */
export function withHome(text: string, home: string | undefined): string {
  if (home === undefined) return text
  const option = ` --home ${wordToPaste(home, process.platform) ?? 'DIR'}`
  return text.replaceAll(
    /\bscholium (?:code --resume|resume|fork|replay|export|runs show|trace show) [\w-]+(?![\w-]| --home )/g,
    (command) => `${command}${option}`,
  )
}

/** What to type for `scholium ` if npm started this; outside its folder, npm needs the path. */
function npmStart({ env, cwd }: Host): string | undefined {
  const { npm_lifecycle_event: script, npm_package_name: name, npm_package_json: file } = env
  if (script !== 'start' || name !== 'scholium') return undefined
  const folder = file === undefined || file === '' ? '' : dirname(file)
  const isInside = folder === '' || !relative(folder, cwd()).startsWith('..')
  return isInside ? 'npm start -- ' : `npm --prefix ${quoted(folder)} start -- `
}

function quoted(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`
}
