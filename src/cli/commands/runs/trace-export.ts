import { once } from 'node:events'
import { extname } from 'node:path'
import { ScholiumError } from '../../../kernel/errors.ts'
import { type ExportFormat, exportTraces } from '../../../observe/export-traces.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { oneLine } from '../../render/text.ts'
import { writeNewFile } from '../../render/write-new-file.ts'
import { readFilter } from './trace-filter.ts'

/** `scholium trace export`. */
export const runTraceExport: RunCommand = (invocation) =>
  withApp(invocation, (app) =>
    invocation.options.has('otlp') ? send(invocation, app) : write(invocation, app),
  )

async function send(invocation: Invocation, app: OpenApp): Promise<number> {
  const [run] = invocation.words
  if (run === undefined) {
    throw new ScholiumError('invalid_input', '--otlp needs a run to send.', {
      hint: 'For the newest: scholium trace export last --otlp',
    })
  }
  const sent = await app.sendTrace(run)
  printResult(invocation, sent, () =>
    sent.lost === 0
      ? `${count(sent.sent, 'span')} sent.`
      : `${count(sent.sent, 'span')} sent, ${sent.lost} not.`,
  )
  return sent.lost === 0 ? 0 : 1
}

async function write({ words, options, terminal }: Invocation, app: OpenApp): Promise<number> {
  const target = chooseTarget(words, options.filled('output'))
  const { run } = target
  const path = target.path === '-' ? undefined : target.path
  const format = chooseFormat(options.text('format'), path)
  const filter = readFilter(options, Date.now())
  if (run !== undefined && Object.keys(filter).length > 0) {
    throw new ScholiumError(
      'invalid_input',
      'RUN cannot be combined with options that select runs.',
      {
        hint: 'Give either RUN, or any of --session, --user, --agent, --since, --until, --limit.',
      },
    )
  }
  const one = run === undefined ? {} : { runId: (await readRun(app, run)).runId }
  const pieces = exportTraces(app.traces, { ...filter, ...one }, format)
  if (path === undefined) {
    await writeOut(terminal, pieces)
    return 0
  }
  await writeNewFile(path, pieces)
  terminal.tell(`Written: ${oneLine(path)}`)
  return 0
}

/** A single word is a file if it has an extension or a folder; otherwise it is a run. */
function chooseTarget(
  [first, second]: readonly string[],
  output: string | undefined,
): { readonly run?: string | undefined; readonly path?: string | undefined } {
  if (second !== undefined && output !== undefined) {
    throw new ScholiumError('invalid_input', 'Two output files were given.', {
      hint: `Give FILE or --output ${output}, not both.`,
    })
  }
  if (second !== undefined) return { run: first, path: second }
  const isFile = first !== undefined && /^-$|\.(?:json|csv)$|[/\\]/i.test(first)
  if (!isFile) return { run: first, path: output }
  if (output === undefined) return { path: first }
  return { run: first, path: output }
}

/** @throws `run_not_found` with a hint on how to name a file */
async function readRun(app: OpenApp, run: string) {
  try {
    return await app.showRun(run)
  } catch (error) {
    if (!(error instanceof ScholiumError) || error.code !== 'run_not_found') throw error
    throw new ScholiumError(error.code, error.message, {
      hint: `List them with: scholium runs list. To write all runs into a file: scholium trace export --output ${run}`,
      cause: error,
    })
  }
}

/** @throws `invalid_input` for an unknown format, or if neither an option nor the file's extension gives it */
function chooseFormat(given: string | undefined, path: string | undefined): ExportFormat {
  const ending = extname(path ?? '').slice(1)
  const format = given ?? (ending === '' ? 'json' : ending).toLowerCase()
  if (format === 'json' || format === 'csv') return format
  const message =
    given === undefined
      ? `The format for ${path} cannot be told from its ending.`
      : `Invalid value for --format: "${format}".`
  throw new ScholiumError('invalid_input', message, {
    hint: given === undefined ? 'Add --format json or --format csv.' : 'Give json or csv.',
  })
}

/** Streams, no faster than the reader takes it. */
async function writeOut(
  terminal: Invocation['terminal'],
  pieces: AsyncIterable<string>,
): Promise<void> {
  const { stdout } = terminal.host
  let isClosed = false
  terminal.whenStdoutCloses(() => {
    isClosed = true
    stdout.emit('drain')
  })
  for await (const piece of pieces) {
    terminal.stdout.write(piece)
    if (stdout.writableNeedDrain) await once(stdout, 'drain')
    if (isClosed) return
  }
}
