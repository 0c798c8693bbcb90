import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Source } from '../../citations/source.ts'
import {
  type CheckedReport,
  checkReport,
  type ReportSource,
} from '../../claims/report/check-report.ts'
import {
  findNearest,
  locateSource,
  toWantedSource,
  type WantedSource,
} from '../../claims/report/locate-source.ts'
import { type Report, readReport } from '../../claims/report/read-report.ts'
import { FileRefused, readWhole, visibleIn } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { splitPassages } from '../../retrieval/chunk.ts'
import { createLibrary } from '../../retrieval/create-library.ts'
import type { Document } from '../../sources/document.ts'
import { decodeText } from '../../sources/files/text/decode-text.ts'
import { type FileList, type ListedFile, listFiles } from '../../sources/list-files.ts'
import { readPaths } from '../../sources/read-files.ts'
import { openLibraryStore } from '../../stores/sqlite/library.ts'
import { findHome } from '../home.ts'
import { sampleFolder } from '../library/read-sources.ts'
import type { Environment } from '../trust/user-folders.ts'

export type { CheckedReport }

/** What a report is checked against. */
export interface VerifyReportOptions {
  /**
   * Files and folders in which the cited places are looked for. Default: the files that the report names in its own folder or
   * in the working folder, and the library.
   */
  readonly sources?: readonly string[]
  /** Whether links and bare addresses cite, not only numbers, names and footnotes. Default `true`. */
  readonly areLinksRead?: boolean
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
 * Checks any Markdown document with citations by code: whether each cited place exists and supports its sentence.
 * @throws `invalid_input` for a file that cannot be read or is not text, and for a missing source
 */
export async function verifyReport(
  file: string,
  options: VerifyReportOptions = {},
): Promise<ReportCheck> {
  const folder = options.folder ?? process.cwd()
  const path = resolve(folder, file)
  const { areLinksRead = true } = options
  const report = readReport(await reportText(path), { areLinksRead })
  const given = options.sources?.map((source) => resolve(folder, source))
  for (const source of given ?? []) requireSource(source)
  const absolute = (name: string) => [resolve(dirname(path), name), resolve(folder, name)]
  const reading: Reading = {
    report,
    wanted: report.references
      .filter(({ isCited }) => isCited)
      .map((reference) => toWantedSource(reference, absolute)),
    // A report that is among the files must not bear itself out.
    isReport: (name) => realpathSync(name) === realpathSync(path),
    options,
  }
  const { signal } = options
  const listed =
    given === undefined
      ? { files: namedFiles(reading, path, folder), passedOver: [] }
      : await listFiles(given, signal === undefined ? {} : { signal })
  const found = await readSources(reading, listed)
  const kept = given === undefined ? await inLibrary(reading, found.sources) : []
  const sources = [...found.sources, ...kept]
  return { ...checkReport(report, sources, absolute), unread: found.unread }
}

/** What is read for a report, and what it is looked for. */
interface Reading {
  readonly report: Report
  /** What finds each source that it cites. */
  readonly wanted: readonly WantedSource[]
  isReport(path: string): boolean
  readonly options: VerifyReportOptions
}

/** @throws `invalid_input` for a file that is not text */
async function reportText(path: string): Promise<string> {
  const bytes = await readWhole(path, largestReport).catch((cause) => {
    if (!(cause instanceof FileRefused)) {
      throw new ScholiumError('invalid_input', `There is no readable file ${path}.`, {
        hint: 'Check the spelling of the path.',
        cause,
      })
    }
    const hint = cause.kind === 'too_large' ? 'Check it in parts.' : 'Give a Markdown file.'
    throw new ScholiumError('invalid_input', `${path} ${cause.says}.`, { hint, cause })
  })
  const decoded = decodeText(bytes)
  if (decoded === undefined || decoded.text.trim() === '') {
    throw new ScholiumError('invalid_input', `${path} contains no text.`, {
      hint: 'Give a Markdown file with citations, or a bundle written by scholium export.',
    })
  }
  return decoded.text
}

function requireSource(path: string): void {
  if (existsSync(path)) return
  throw new ScholiumError('invalid_input', `${path} does not exist.`, {
    hint: 'Give --source a file or a folder.',
  })
}

/**
 * The files that a report names: only in its own folder, in the working folder and among the samples that come with the package, and
 * nothing hidden there, since the report may be anybody's.
 */
function namedFiles({ report }: Reading, path: string, folder: string): readonly ListedFile[] {
  const roots = [dirname(path), folder, sampleFolder].map((root) => realpathSync(root))
  const named = report.references.flatMap(({ paths }) =>
    paths.flatMap((name) => [dirname(path), folder].map((root) => resolve(root, name))),
  )
  return [...new Set(named)].flatMap((candidate) => {
    if (!existsSync(candidate) || !statSync(candidate).isFile()) return []
    const real = realpathSync(candidate)
    const within = roots.find((root) => visibleIn(root)(real) === undefined)
    return within === undefined ? [] : [{ path: candidate, within }]
  })
}

async function readSources(
  { wanted, isReport, options }: Reading,
  { files, passedOver }: FileList,
): Promise<{ sources: readonly ReportSource[]; unread: ReportCheck['unread'] }> {
  const { signal, onRead = () => {} } = options
  const reading = signal === undefined ? {} : { signal }
  const sources: ReportSource[] = []
  const unread = passedOver
    .filter(({ isLoss }) => isLoss)
    .map(({ path, why }) => ({ path, reason: why }))
  const others = files.filter(({ path }) => !existsSync(path) || !isReport(path))
  for await (const read of readPaths(others, reading)) {
    onRead(read.path)
    if (read.ok === false) unread.push({ path: read.path, reason: read.unreadable.detail })
    if (read.ok !== true) continue
    const source = toSource(read.document, read.path)
    // The text of what is not cited is not kept: a folder may hold more than fits into memory.
    if (wanted.some((one) => locateSource(one, [source]) !== undefined))
      sources.push({ ...source, passages: splitPassages(read.document, source.id) })
    else if (wanted.some((one) => findNearest(one, [source]) !== undefined)) sources.push(source)
  }
  return { sources, unread }
}

function toSource(document: Document, path: string): ReportSource {
  const { contentHash: id, title, csl } = document
  return { id, title, path, csl, passages: [] }
}

/** What the library has of that which was not found among the files. */
async function inLibrary(
  { wanted, options }: Reading,
  found: readonly ReportSource[],
): Promise<readonly ReportSource[]> {
  const file = libraryFile(options)
  const missing = wanted.filter((one) => locateSource(one, found) === undefined)
  if (file === undefined || missing.length === 0) return []
  const library = createLibrary(openLibraryStore(file))
  try {
    const listed = await library.list()
    const cited = missing.flatMap((one) => locateSource(one, listed)?.sources ?? [])
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
