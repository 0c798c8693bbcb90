import { toFailure } from '../../../kernel/errors.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { exitCodes } from '../../exit-codes.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { blockOn } from '../../progress/live-block.ts'
import { count, seconds } from '../../progress/live-lines.ts'
import { progressForm } from '../../progress/progress.ts'
import { printLine, printResult } from '../../render/print.ts'
import { cut, oneLine, shortPath, wrap } from '../../render/text.ts'
import type { Terminal } from '../../terminal.ts'

type Added = OpenApp extends { addToLibrary(...given: never[]): AsyncGenerator<infer T> }
  ? T
  : never
type Outcome = Added['outcome']

/**
 * The outcome of all files; `passedOver` counts entries of folders that are not files to read, such as dangling links.
 */
interface Report {
  readonly added: number
  readonly updated: number
  readonly unchanged: number
  readonly refused: number
  readonly passedOver: number
  readonly files: readonly Added[]
}

/** `scholium library add`. */
export const runLibraryAdd: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const controller = new AbortController()
    const stopListening = listenForInterrupts(() => controller.abort())
    const { terminal } = invocation
    terminal.whenStdoutCloses(() => controller.abort())
    const files: Added[] = []
    const show = createAddProgress(invocation)
    try {
      for await (const file of app.addToLibrary(invocation.words, {
        signal: controller.signal,
      })) {
        files.push(file)
        show.file(file)
      }
    } catch (error) {
      if (!controller.signal.aborted || toFailure(error).code !== 'cancelled') throw error
    } finally {
      show.end()
      stopListening()
    }
    const report = toReport(files)
    printResult(invocation, report, () => renderReport(report, terminal))
    if (!controller.signal.aborted) return chooseExitCode(report)
    terminal.tell(
      'Interrupted. Files added so far are kept; add the same paths again for the rest.',
    )
    return exitCodes.cancelled
  })

function toReport(files: readonly Added[]): Report {
  const number = (outcome: Outcome) => files.filter((file) => file.outcome === outcome).length
  return {
    added: number('added'),
    updated: number('updated'),
    unchanged: number('unchanged'),
    refused: number('refused'),
    passedOver: number('passed_over'),
    files,
  }
}

/** 0: all files are in the library; 3: some were refused; 1: none is. */
function chooseExitCode({ added, updated, unchanged, refused }: Report): number {
  if (added + updated + unchanged === 0) return 1
  return refused === 0 ? 0 : 3
}

function renderReport(report: Report, { host, stdout }: Terminal): string {
  const said = report.files.flatMap((file) => formatLines(file, host.cwd()))
  const { columns } = stdout
  const lines =
    columns === undefined ? said : said.flatMap((line) => wrap(line, Math.max(20, columns), '  '))
  const hasNone = report.files.length === report.passedOver
  const summary = hasNone
    ? 'No supported files found. Supported: PDF, Word, Excel, PowerPoint, EPUB, HTML, CSV, Markdown, text, images, .zip.'
    : formatSummary(report)
  return [...lines, summary].join('\n')
}

/** What to report on a file: why it was refused or skipped, and what could not be read from it. */
function formatLines(file: Added, folder: string): readonly string[] {
  const path = shortPath(file.path, folder)
  if (file.outcome === 'refused')
    return [`refused ${path}: ${oneLine(`${file.detail} ${file.hint}`)}`]
  if (file.outcome === 'passed_over') return [`skipped ${path}: ${oneLine(file.why)}`]
  const notes = file.notes.map((note) => `note on ${path}: ${oneLine(note)}`)
  if (file.sameAs === undefined) return notes
  return [`${file.outcome} ${path}: the same as ${shortPath(file.sameAs, folder)}`, ...notes]
}

const outcomes = ['added', 'updated', 'unchanged', 'refused'] as const satisfies readonly Outcome[]

function formatSummary(report: Report): string {
  const parts = outcomes
    .filter((outcome) => report[outcome] > 0)
    .map((outcome) => `${report[outcome]} ${outcome}`)
  return parts.length === 0 ? 'nothing yet' : parts.join(', ')
}

interface AddProgress {
  file(file: Added): void
  end(): void
}

/** One line redrawn on a terminal, one line per file elsewhere, or JSON lines. */
function createAddProgress(invocation: Invocation): AddProgress {
  const { terminal } = invocation
  const folder = terminal.host.cwd()
  const startedAt = Date.now()
  switch (progressForm(invocation)) {
    case 'live':
      return createAddLine(invocation, startedAt)
    case 'lines': {
      const files: Added[] = []
      const file = (added: Added) => {
        const number = files.push(added)
        const at = seconds(Date.now() - startedAt)
        if (number <= mostFileLines)
          terminal.tell(`${number} ${added.outcome} ${shortPath(added.path, folder)} · ${at}`)
        else if (number % filesPerLine === 0)
          terminal.tell(`${number} files · ${formatSummary(toReport(files))} · ${at}`)
      }
      return { file, end: () => {} }
    }
    case 'stream':
      return { file: (file) => printLine(terminal, { type: 'file', ...file }), end: () => {} }
    case 'none':
      return { file: () => {}, end: () => {} }
  }
}

/** Maximum number of files with a line each when not on a terminal; the rest are summarized. */
const mostFileLines = 50
const filesPerLine = 100

function createAddLine({ terminal }: Invocation, startedAt: number): AddProgress {
  const block = blockOn(terminal)
  const files: Added[] = []
  const draw = () => {
    const last = files.at(-1)
    const parts = [
      count(files.length, 'file'),
      formatSummary(toReport(files)),
      seconds(Date.now() - startedAt),
    ]
    const place = last === undefined ? [] : [shortPath(last.path, terminal.host.cwd())]
    block.draw([cut([...parts, ...place].join(' · '), block.columns)])
  }
  const timer = setInterval(draw, 200).unref()
  return {
    file: (file) => files.push(file),
    end: () => {
      clearInterval(timer)
      block.draw([])
    },
  }
}
