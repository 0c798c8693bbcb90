import type { Patch } from '../graph/graph.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Usage } from '../kernel/run/event.ts'
import type { PapersClaimPolicy, PapersState } from './state.ts'

/** What to look for, where, and how. */
export type PapersInput = {
  readonly query: string
  /** An arXiv category such as `cs.CL`. Default: any. */
  readonly category?: string
  /** Maximum number of papers, 1 to 20; in a continued run, of additional papers. Default 5. */
  readonly count?: number
  /** Absolute paths of files and folders with papers. */
  readonly files?: readonly string[]
  /** No file outside this folder is read, even through links. Default: links are followed anywhere. */
  readonly filesWithin?: string
  /** Whether to search the library. Default: only if neither files nor the web are used. */
  readonly library?: boolean
  /** Whether the web may be searched. Default false. */
  readonly web?: boolean
  /**
   * Names of places by tier: a tier's places are searched together, the next tier only if none of them found a paper.
   * Default: the files and library as given, together with arXiv if the web is allowed, then Semantic Scholar and
   * OpenAlex.
   */
  readonly tiers?: readonly (readonly string[])[]
  /** Minimum confidence for keeping a paper, 0 to 1. Default 0.7. */
  readonly threshold?: number
  /**
   * Maximum number of chunks analysed per paper, 1 to 40. Default: the whole paper if the analyzer's model has room for it, else
   * the best chunks, at least 10.
   */
  readonly topK?: number
  /** How many papers are analysed at once, 1 to 16. Default 4. */
  readonly concurrency?: number
  /** Default `mark`. */
  readonly claims?: PapersClaimPolicy
  /** Results of the run that this one continues: its work is not repeated and its numbers stay. */
  readonly earlier?: EarlierPapers
  /** Search terms. Default: the query; in a continued run none, unless files are given. */
  readonly searchFor?: string
  /** Usage of the check for an earlier run with the same query; counted as this run's own. */
  readonly lookup?: { readonly model: string; readonly usage: Usage }
}

/** Maximum length of a query in UTF-16 code units. */
const maxQueryLength = 10_000

/**
 * Normalises a query: unifies line ends, removes control characters, trims.
 * @throws `invalid_input` if nothing is left or it is too long
 */
export function cleanQuery(query: string): string {
  const cleaned = query
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim()
  if (cleaned === '')
    throw invalid('The query is empty.', 'Name a topic: scholium papers "sparse attention"')
  if (cleaned.length > maxQueryLength)
    throw invalid(
      `The query has ${cleaned.length} characters; the maximum is ${maxQueryLength}.`,
      'Ask one question in a few sentences.',
    )
  return cleaned
}

/** The names of the built-in places; a run may name others in its tiers. */
export const placeNames = {
  files: 'files',
  library: 'library',
  arxiv: 'arXiv',
  indexes: 'Semantic Scholar and OpenAlex',
} as const

/**
 * The initial state from an input.
 * @throws `invalid_input` for a value out of range
 */
export function initialPatch(input: PapersInput): Patch<PapersState> {
  const { earlier, tiers: _tiers, library: _library, web: _web, lookup: _lookup, ...others } = input
  checkRanges(input)
  const query = cleanQuery(input.query)
  const hasFiles = (input.files ?? []).length > 0
  const goesOn = earlier !== undefined
  const searchFor = input.searchFor ?? (goesOn && !hasFiles ? '' : query)
  const given = Object.entries(others).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(earlier === undefined ? {} : patchFromEarlier(earlier, query)),
    query,
    searchFor: searchFor.trim() === '' ? '' : cleanQuery(searchFor),
    tiers: planTiers(input),
  }
}

function planTiers({
  tiers,
  files = [],
  web = false,
  library = files.length === 0 && !web,
}: PapersInput): PapersState['tiers'] {
  if (tiers !== undefined) return dropRepeatedPlaces(tiers)
  const own = [
    ...(files.length > 0 ? [placeNames.files] : []),
    ...(library ? [placeNames.library] : []),
  ]
  return web ? [[...own, placeNames.arxiv], [placeNames.indexes]] : [own]
}

/** No place is searched twice in a run. */
function dropRepeatedPlaces(tiers: PapersState['tiers']): PapersState['tiers'] {
  const known = new Set<string>()
  const once = tiers.map((names) =>
    names.filter((name) => !known.has(name) && known.add(name) !== undefined),
  )
  return once.filter((names) => names.length > 0)
}

/** The numeric fields of an input with their ranges. */
const ranges = {
  count: { least: 1, most: 20, isWhole: true },
  threshold: { least: 0, most: 1, isWhole: false },
  topK: { least: 1, most: 40, isWhole: true },
  concurrency: { least: 1, most: 16, isWhole: true },
}

/** Finds a field that is out of range and describes the range: `a whole number from 1 to 20`. */
export function findOutOfRange(
  fields: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly wanted: string } | undefined {
  for (const [name, { least, most, isWhole }] of Object.entries(ranges)) {
    const value = fields[name]
    if (value === undefined) continue
    const isFit = typeof value === 'number' && value >= least && value <= most
    if (isFit && (!isWhole || Number.isInteger(value))) continue
    return { name, wanted: `a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}` }
  }
  return undefined
}

function checkRanges(input: PapersInput): void {
  const wrong = findOutOfRange(input)
  if (wrong === undefined) return
  const { name, wanted } = wrong
  throw invalid(`${name} must be ${wanted}, not ${input[name as keyof PapersInput]}.`)
}

function invalid(message: string, hint?: string): ScholiumError {
  return new ScholiumError('invalid_input', message, hint === undefined ? {} : { hint })
}

/** What a run passes on to the run that continues it. */
type EarlierPapers = { readonly runId: string } & Pick<
  PapersState,
  'query' | 'papers' | 'readings' | 'citations' | 'analyses' | 'passages'
>

/**
 * What a continued run takes over: papers with their readings, numbers and analyses. Failures are left out, so that they
 * are retried.
 */
export function toEarlierPapers(
  runId: string,
  { query, papers, readings, citations, analyses, passages }: PapersState,
): EarlierPapers {
  return {
    runId,
    query,
    papers,
    readings,
    citations,
    analyses: analyses.filter(({ error }) => error === undefined),
    passages,
  }
}

/** The state taken over from an earlier run, with a gap if the query differs. */
function patchFromEarlier(
  { runId, query: before, ...left }: EarlierPapers,
  query: string,
): Patch<PapersState> {
  const isOther = query !== before && left.analyses.length > 0
  const detail = `The papers of run ${runId} were found and analysed for another query: ${before}`
  return {
    earlierRun: runId,
    ...left,
    ...(isOther ? { gaps: [{ kind: 'forked_question', detail }] } : {}),
  }
}
