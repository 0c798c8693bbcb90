import type { Patch } from '../graph/graph.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Usage } from '../kernel/run/event.ts'
import type { PapersClaimPolicy, PapersState } from './state.ts'

/** What is looked for, where, and how it is worked on. */
export type PapersInput = {
  readonly query: string
  /** A category of arXiv, such as `cs.CL`. Default: any. */
  readonly category?: string
  /** How many papers at most, 1 to 20; of a run that goes on from another, how many more. Default 5. */
  readonly count?: number
  /** Files and folders of papers, absolute. */
  readonly files?: readonly string[]
  /** The folder out of which no file is read, whatever links say. Default: links are followed anywhere. */
  readonly filesWithin?: string
  /** Whether the library is searched. Default: only where there are neither files nor the web. */
  readonly library?: boolean
  /** Whether the web may be asked. Default false. */
  readonly web?: boolean
  /**
   * The names of places: those of a tier are asked together, the next tier only where one found nothing. Default: files and
   * library as they are given, with the web together with arXiv, then Semantic Scholar and OpenAlex.
   */
  readonly tiers?: readonly (readonly string[])[]
  /** The least confidence with which a paper is kept, 0 to 1. Default 0.7. */
  readonly threshold?: number
  /** How many stretches of a paper are analysed at most, 1 to 40. Default 10. */
  readonly topK?: number
  /** How many papers are analysed at once, 1 to 16. Default 4. */
  readonly concurrency?: number
  /** Default `mark`. */
  readonly claims?: PapersClaimPolicy
  /** What the run from which this one goes on leaves to it: none of it is done again, and its numbers stay. */
  readonly earlier?: EarlierPapers
  /** What is searched for. Default: the query; for a run that goes on from another nothing, unless files are given. */
  readonly searchFor?: string
  /** What finding out whether the same was asked before has used, which counts as the run's own. */
  readonly lookup?: { readonly model: string; readonly usage: Usage }
}

/** A query's length at most, in UTF-16 code units. */
const maxQueryLength = 10_000

/**
 * A query as it is worked on: line ends unified, control characters out, trimmed.
 * @throws `invalid_input` when nothing is left or it is too long
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
      `The query has ${cleaned.length} characters; at most ${maxQueryLength} are taken.`,
      'Ask one question in a few sentences.',
    )
  return cleaned
}

/** The names of the places that the pipeline knows by itself; a run may name others in its tiers. */
export const placeNames = {
  files: 'files',
  library: 'library',
  arxiv: 'arXiv',
  indexes: 'Semantic Scholar and OpenAlex',
} as const

/** What the input gives to the state. @throws `invalid_input` for a value out of its range */
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

/** No place is asked twice in a run. */
function dropRepeatedPlaces(tiers: PapersState['tiers']): PapersState['tiers'] {
  const known = new Set<string>()
  const once = tiers.map((names) =>
    names.filter((name) => !known.has(name) && known.add(name) !== undefined),
  )
  return once.filter((names) => names.length > 0)
}

/** The numbers of an input, each with its range. */
const ranges = {
  count: { least: 1, most: 20, isWhole: true },
  threshold: { least: 0, most: 1, isWhole: false },
  topK: { least: 1, most: 40, isWhole: true },
  concurrency: { least: 1, most: 16, isWhole: true },
}

/** Of the fields of an input or a state one that is out of its range, with that range in words: `a whole number from 1 to 20`. */
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
  throw invalid(`${name} has to be ${wanted}, not ${input[name as keyof PapersInput]}.`)
}

function invalid(message: string, hint?: string): ScholiumError {
  return new ScholiumError('invalid_input', message, hint === undefined ? {} : { hint })
}

/** What a run leaves to one that goes on from it. */
type EarlierPapers = { readonly runId: string } & Pick<
  PapersState,
  'query' | 'papers' | 'readings' | 'citations' | 'analyses' | 'passages'
>

/**
 * What a run in this state leaves to one that goes on from it: papers with their readings, numbers and analyses. What failed is
 * left out, so that it is tried again.
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

/** What goes into the state of a run that goes on from another, with another query where that is one. */
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
