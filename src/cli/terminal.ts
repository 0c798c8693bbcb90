import { dirname, relative } from 'node:path'
import { wordToPaste } from '../kernel/text/shell-word.ts'
import { createPaint, type Paint } from './render/paint.ts'

/** What the command line needs of its process. */
export interface Host {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
}

/** One of the two streams that the command line writes to. */
export interface Output {
  readonly isTerminal: boolean
  readonly paint: Paint
  /** The width of the terminal; where there is none, nothing has to be cut or wrapped. */
  readonly columns: number | undefined
  write(text: string): void
}

/** Some terminals, as of containers and serial lines, say that they are 0 wide: they do not know. */
export const unknownColumns = 80

/** Where the command line reads and writes. A reader that went away is no error: what is written then is dropped. */
export class Terminal {
  readonly host: Host
  readonly stdout: Output
  readonly stderr: Output
  /** The home that this command line names, if it names one: commands that are told name it too. */
  home: string | undefined
  private readonly closed = new Set<NodeJS.WriteStream>()
  private onStdoutClosed: () => void = () => {}
  private failure: Error | undefined

  constructor(host: Host, options: { readonly hasColor: boolean }) {
    this.host = host
    this.stdout = this.output(host.stdout, options.hasColor)
    this.stderr = this.output(host.stderr, options.hasColor)
  }

  /** What the reader of stdout did not get, because the disk is full for example. */
  get writeFailure(): Error | undefined {
    return this.failure
  }

  /** Has `listener` told when nobody reads stdout any more. */
  whenStdoutCloses(listener: () => void): void {
    this.onStdoutClosed = listener
    if (this.closed.has(this.host.stdout)) listener()
  }

  /** Writes a line for people. */
  tell(text: string): void {
    this.stderr.write(`${text}\n`)
  }

  /** Text in which commands stand as this person can type them: a fresh clone has no `scholium` in its PATH. */
  asTyped(text: string): string {
    const start = npmStart(this.host)
    const homed = withHome(text, this.home)
    if (start === undefined) return homed
    return homed.replaceAll(
      /\bscholium (?=(?:ask|papers|references|code|acp|start|eval|run|validate|inspect|actions|library|runs|resume|replay|fork|export|verify|trace|config|models|doctor|home|trust|graph|COMMAND)\b|--help)/g,
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

/** A text in which commands about a run name the home that it is in, where a command line named it. */
export function withHome(text: string, home: string | undefined): string {
  if (home === undefined) return text
  const option = ` --home ${wordToPaste(home, process.platform) ?? 'DIR'}`
  return text.replaceAll(
    /\bscholium (?:code --resume|resume|fork|replay|export|runs show|trace show) [\w-]+(?![\w-]| --home )/g,
    (command) => `${command}${option}`,
  )
}

/** What stands for `scholium ` where npm started this; from outside its folder npm has to be told where it is. */
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
