import { resolve } from 'node:path'
import type { ReadSources } from '../../ask/team.ts'
import type { CitedSource } from '../../citations/claim.ts'
import type { Passage, Source, SourceId } from '../../citations/source.ts'
import {
  type CheckedReport,
  checkReport,
  type ReportSource,
} from '../../claims/report/check-report.ts'
import { locateSource, toWantedSource } from '../../claims/report/locate-source.ts'
import { type Reference, readReport } from '../../claims/report/read-report.ts'
import { citedSource, RunFacts } from '../../observe/bundle/run-facts.ts'
import type { Hit, SearchRequest } from '../../retrieval/library.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from '../runs/run-id.ts'
import { recordedResult } from '../runs/run-result.ts'

/** Files and folders that are searched in addition to the library. */
export interface ReadPlaces {
  /** Default: none. */
  readonly sources?: readonly string[]
  /** The only folder in which they are read. Default: links are followed anywhere. */
  readonly sourcesRoot?: string
}

/** What a text is checked against, in addition to the library and the places that are read. */
export interface CheckOptions {
  /** A run whose sources `[1]`, `[2]` … mean where the text itself does not list them. */
  readonly run?: string
  readonly signal?: AbortSignal
}

/**
 * Searches, reads and checks against what questions are answered from: the library and the given files or, if there is nothing in
 * either, the sample library.
 */
export class SourceReader {
  private readonly parts: AppParts
  private readonly places: ReadPlaces

  constructor(parts: AppParts, places: ReadPlaces) {
    this.parts = parts
    this.places = places
  }

  /** The best passages for a query. @throws `invalid_input` for a file that does not exist */
  async search(
    request: Omit<SearchRequest, 'sourceIds' | 'alsoSourceIds'>,
    signal?: AbortSignal,
  ): Promise<readonly Hit[]> {
    const { sourceIds: alsoSourceIds } = await this.readPlaces(signal)
    return this.parts.library.search({ ...request, alsoSourceIds })
  }

  /** Whether searches here find a source, so that whoever may search may read it. */
  async isSearched(id: string): Promise<boolean> {
    const [listed] = await this.parts.library.list({ id: id as SourceId })
    if (listed !== undefined) return true
    return (await this.readPlaces()).sourceIds.some((one) => one === id)
  }

  /** A source that was read for the library or a run, with its whole text; `undefined` if there is none with this id. */
  async read(id: string): Promise<{ readonly source: Source; readonly text: string } | undefined> {
    const { library } = this.parts
    const source = await library.source(id as SourceId)
    const text = source && (await library.text(source.id))
    return source === undefined || text === undefined ? undefined : { source, text }
  }

  /**
   * A source as a run cites it; `undefined` if neither its result nor its numbered citations name it, or the run is of a workflow
   * whose citations are not assigned by code.
   * @throws `run_not_found`
   */
  async findCited(run: string, id: string): Promise<Source | undefined> {
    const facts = await this.readFacts(run)
    const cited = citedSource(facts?.result, id) as CitedSource | undefined
    if (cited === undefined && !facts?.citations.some(({ sourceId }) => sourceId === id))
      return undefined
    const source = await this.parts.library.source(id as SourceId)
    if (source === undefined || cited === undefined) return source
    const { path: _path, url: _url, ...others } = source
    const { n: _n, sourceId: _id, ...described } = cited
    return { ...others, ...described }
  }

  /** The ids of the sources that {@link findCited} finds for a run. @throws `run_not_found` */
  async citedIds(run: string): Promise<ReadonlySet<string>> {
    const { result, citations = [] } = (await this.readFacts(run)) ?? {}
    const said = Array.isArray(result?.citations) ? result.citations : []
    return new Set(
      [...(said as unknown as readonly CitedSource[]), ...citations].map(
        ({ sourceId }) => sourceId,
      ),
    )
  }

  /** What the log says of a run whose citations are assigned by code; `undefined` for any other. */
  private async readFacts(run: string): Promise<RunFacts | undefined> {
    const { store, workflows } = this.parts
    const runId = await findRunId(store, run)
    const { workflow } = await store.get(runId)
    const bundled = workflows.find(workflow)?.bundled
    if (bundled === undefined || !numberedAnswers.has(bundled.answerSchema)) return undefined
    const facts = new RunFacts(new Map([[workflow, bundled]]))
    for await (const event of store.events(runId)) facts.record(event)
    return facts
  }

  /** The passages of a source in reading order; none if there is no source with this id. */
  passages(id: string): Promise<readonly Passage[]> {
    return this.parts.library.passages(id as SourceId)
  }

  /** Where the text of a page begins in a source; `undefined` if there is none. @param page from 1 */
  async findPage(id: string, page: number): Promise<number | undefined> {
    const passages = await this.passages(id)
    return passages.find((passage) => passage.page === page)?.start
  }

  /**
   * Checks a Markdown text with citations by code: whether its cited sources can be found and support its sentences. No file is
   * read because the text names it.
   * @throws `run_not_found`, `invalid_input` for a file that does not exist
   */
  async check(markdown: string, { run, signal }: CheckOptions = {}): Promise<CheckedReport> {
    const { library } = this.parts
    const cited = run === undefined ? new Map() : await this.citedBy(run)
    const read = readReport(markdown)
    const references = read.references.map((one) => ofRun(one, cited))
    const { sourceIds: ids, sourcePaths = {} } = await this.readPlaces(signal)
    const own = await Promise.all(ids.map(async (id) => library.source(id)))
    const candidates = [
      ...[...cited.values()],
      ...own.flatMap((source) => {
        const path = source && (sourcePaths[source.id] ?? source.path)
        return source === undefined ? [] : { ...source, ...(path === undefined ? {} : { path }) }
      }),
      ...(await library.list()),
    ]
    const found = references
      .filter(({ isCited }) => isCited)
      .flatMap((reference) => locateSource(toWantedSource(reference, asTheyAre), candidates) ?? [])
      .flatMap(({ sources }) => sources)
    const sources: ReportSource[] = []
    for (const source of new Set(found))
      sources.push({ ...source, passages: await library.passages(source.id) })
    return checkReport({ ...read, references }, sources, asTheyAre)
  }

  /** Reads the given files where they have changed. */
  private async readPlaces(signal = new AbortController().signal): Promise<ReadSources> {
    const { folder, reader } = this.parts
    const { sources = [], sourcesRoot } = this.places
    const paths = sources.map((path) => resolve(folder, path))
    for (const path of paths) this.parts.requirePath(path)
    reader.prepareFor(paths)
    const within = sourcesRoot === undefined ? undefined : resolve(folder, sourcesRoot)
    const team = await this.parts.team()
    return team.readSources(paths, signal, within)
  }

  /** The sources of a run by their numbers. */
  private async citedBy(run: string): Promise<ReadonlyMap<number, Source>> {
    const result = await recordedResult(this.parts, await findRunId(this.parts.store, run))
    const citations = result !== undefined && 'citations' in result ? result.citations : []
    const sources = new Map<number, Source>()
    for (const { n, sourceId } of citations) {
      const source = await this.parts.library.source(sourceId)
      if (source !== undefined) sources.set(n, { ...source, path: placeInRun(n) })
    }
    return sources
  }
}

/** Answers whose citations only name what the run has read: the state of an agent file is whatever its input says. */
const numberedAnswers: ReadonlySet<string> = new Set(['scholium.answer/1', 'scholium.papers/1'])

function asTheyAre(path: string): readonly string[] {
  return [path]
}

/** A place that no file has. */
function placeInRun(n: number): string {
  return `run:${n}`
}

/** A number that the text does not define means the run's source. */
function ofRun(reference: Reference, cited: ReadonlyMap<number, Source>): Reference {
  const { isListed, label } = reference
  if (isListed || !cited.has(Number(label))) return reference
  return { ...reference, isListed: true, paths: [placeInRun(Number(label))] }
}
