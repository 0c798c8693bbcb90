import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import {
  type CheckedReport,
  checkReport,
  type ReportSource,
} from '../citations/report/check-report.ts'
import { locate } from '../citations/report/locate.ts'
import { type Report, readReport } from '../citations/report/read-report.ts'
import type { Source } from '../citations/source.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { splitPassages } from '../retrieval/chunk.ts'
import { createLibrary } from '../retrieval/create-library.ts'
import { decodeText } from '../sources/decode-text.ts'
import type { Document } from '../sources/document.ts'
import { listFiles } from '../sources/list-files.ts'
import { readPaths } from '../sources/read-files.ts'
import { openLibraryStore } from '../stores/sqlite/library.ts'
import { type Environment, findHome } from './home.ts'

export type { CheckedReport }

/** What a report is checked against. */
export interface VerifyReportOptions {
  /**
   * Files and folders in which the cited places are looked for. Default: the files that the report names in its own folder or
   * in the working folder, and the library.
   */
  readonly sources?: readonly string[]
  /** Folder from which relative paths count. Default: the process's. */
  readonly folder?: string
  readonly home?: string
  /** Default: the process's. */
  readonly environment?: Environment
  readonly signal?: AbortSignal
  /** Hears of each file that is read. */
  readonly onRead?: (path: string) => void
}

/** The check of a report, with the files that could not be read for it. */
export type ReportCheck = CheckedReport & {
  readonly unread: readonly { readonly path: string; readonly reason: string }[]
}

/** In bytes. */
const largestReport = 16_000_000

/**
 * Checks any Markdown with citations, by code: each place that it cites is there or not, and says what the sentence says or not.
 * @throws `invalid_input` for a file that cannot be read or is no text, and for a source that is not there
 */
export async function verifyReport(
  file: string,
  options: VerifyReportOptions = {},
): Promise<ReportCheck> {
  const folder = options.folder ?? process.cwd()
  const path = resolve(folder, file)
  const report = readReport(reportText(path))
  const given = options.sources?.map((source) => resolve(folder, source))
  for (const source of given ?? []) requireSource(source)
  const found = await readSources(report, given ?? namedFiles(report, path, folder), options)
  const kept = given === undefined ? await inLibrary(report, found.sources, options) : []
  return { ...checkReport(report, [...found.sources, ...kept]), unread: found.unread }
}

/** @throws `invalid_input` for what is no text */
function reportText(path: string): string {
  if (!existsSync(path) || !statSync(path).isFile()) {
    throw new ScholiumError('invalid_input', `There is no file ${path}.`, {
      hint: 'Check the spelling of the path.',
    })
  }
  const { size } = statSync(path)
  if (size > largestReport) {
    throw new ScholiumError(
      'invalid_input',
      `${path} has ${size} bytes; at most ${largestReport} are checked.`,
      {
        hint: 'Check it in parts.',
      },
    )
  }
  const decoded = decodeText(readFileSync(path))
  if (decoded === undefined || decoded.text.trim() === '') {
    throw new ScholiumError('invalid_input', `${path} holds no text.`, {
      hint: 'Name a Markdown file with citations, or a bundle that scholium export wrote.',
    })
  }
  return decoded.text
}

function requireSource(path: string): void {
  if (existsSync(path)) return
  throw new ScholiumError('invalid_input', `There is nothing at ${path}.`, {
    hint: 'Give --source a file or a folder.',
  })
}

/** The files that a report names: only in its own folder and in the working folder, since the report may be anybody's. */
function namedFiles(report: Report, path: string, folder: string): readonly string[] {
  const roots = [...new Set([dirname(path), folder])].map((root) => realpathSync(root))
  const named = report.references.flatMap(({ paths }) =>
    paths.flatMap((name) => roots.map((root) => resolve(root, name))),
  )
  return [...new Set(named)].filter((candidate) => {
    if (!existsSync(candidate) || !statSync(candidate).isFile()) return false
    const real = realpathSync(candidate)
    return real !== realpathSync(path) && roots.some((root) => real.startsWith(root + sep))
  })
}

async function readSources(
  report: Report,
  paths: readonly string[],
  { signal, onRead = () => {} }: VerifyReportOptions,
): Promise<{ sources: readonly ReportSource[]; unread: ReportCheck['unread'] }> {
  const reading = signal === undefined ? {} : { signal }
  const { files, passedOver } = await listFiles(paths, reading)
  const sources = new Map<string, ReportSource>()
  const unread = passedOver
    .filter(({ isLoss }) => isLoss)
    .map(({ path, why }) => ({ path, reason: why }))
  for await (const read of readPaths(files, reading)) {
    onRead(read.path)
    if (read.ok === false) unread.push({ path: read.path, reason: read.unreadable.detail })
    if (read.ok !== true) continue
    const source = sourceOf(read.document, read.path)
    // What is not cited is not kept: a folder may hold more than fits into memory.
    const isCited = report.references.some((reference) => locate(reference, [source]) !== undefined)
    if (isCited && !sources.has(source.id))
      sources.set(source.id, { ...source, passages: splitPassages(read.document, source.id) })
  }
  return { sources: [...sources.values()], unread }
}

function sourceOf(document: Document, path: string): ReportSource {
  const { contentHash: id, title, csl } = document
  return { id, title, path, csl, passages: [] }
}

/** What the library has of that which was not found among the files. */
async function inLibrary(
  report: Report,
  found: readonly ReportSource[],
  options: VerifyReportOptions,
): Promise<readonly ReportSource[]> {
  const file = libraryFile(options)
  const missing = report.references.filter(
    (reference) => reference.isCited && locate(reference, found) === undefined,
  )
  if (file === undefined || missing.length === 0) return []
  const library = createLibrary(openLibraryStore(file))
  try {
    const listed = await library.list()
    const cited = missing.flatMap((reference) => locate(reference, listed)?.sources ?? [])
    const sources = [...new Map(cited.map((source) => [source.id, source])).values()]
    return await Promise.all(
      sources.map(async (source: Source) => ({
        ...source,
        passages: await library.passages(source.id),
      })),
    )
  } finally {
    await library.close()
  }
}

/** The library of the home, if there is one: none is made for a check. */
function libraryFile({
  home,
  environment = process.env,
  folder = process.cwd(),
}: VerifyReportOptions): string | undefined {
  try {
    const path = join(findHome(home, environment, folder).path, 'library.db')
    return existsSync(path) ? path : undefined
  } catch (error) {
    // Where no home can be found, there is no library in one; a home that was named and is none is a mistake.
    if (home !== undefined) throw error
    return undefined
  }
}
