import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Gap } from '../team/gap.ts'
import { attempt, isRunLimit } from './attempt.ts'
import { placeNames } from './input.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome, SearchedPlace } from './paper.ts'
import type { GivenFiles, PapersParts } from './parts.ts'
import { mergePapers } from './places/merge-papers.ts'
import { emitPaperProgress, emitSearchProgress } from './progress.ts'
import type { PapersState } from './state.ts'

/**
 * The retriever: searches the places of the first tier together, and the next tier only if no paper was found. Each
 * search is a step; a failure is a gap, and the result lists which places answered.
 */
export function retrieveNode(parts: PapersParts) {
  return async (state: PapersState, context: RunContext): Promise<Patch<PapersState>> => {
    if (state.searchFor === '') return {}
    const { searchFor, category, count, papers: known } = state
    const query = { query: searchFor, limit: count, ...(category === '' ? {} : { category }) }
    const given = toGivenFiles(state)
    const tiers = state.tiers.map((names) => names.map((name) => lazyPlace(parts, name, given)))
    const limits: Failure[] = []
    const unanswered: Gap[] = []
    const found = await findPapers(tiers, query, async (place, asked) => {
      const timeoutMs = parts.searchTimeoutMs?.(place.name)
      const step = { given, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
      const { outcome, limit } = await askPlace(context, place, asked, step)
      if (limit !== undefined) limits.push(limit)
      unanswered.push(...listUnanswered(place.name, outcome))
      return outcome
    })
    await noticeFallback(context, found.searched, state.tiers)
    const fresh = found.papers.filter((paper) => !known.some((one) => isSamePaper(one, paper)))
    for (const paper of fresh) emitPaperProgress(context, paper, 'found')
    return {
      ...failurePatch(found.searched, limits[0], unanswered),
      search: found.searched,
      papers: [...known, ...fresh],
    }
  }
}

function toGivenFiles({ files, filesWithin }: PapersState): GivenFiles {
  return { paths: files, ...(filesWithin === '' ? {} : { within: filesWithin }) }
}

/** A place that is opened on its first search. */
function lazyPlace(parts: PapersParts, name: string, given: GivenFiles): PaperPlace {
  const search = async (query: PaperQuery, signal: AbortSignal) =>
    (await parts.place(name, given)).search(query, signal)
  return { name, search }
}

function isSamePaper(one: Paper, other: Paper): boolean {
  return mergePapers([[one], [other]]).length === 1
}

/** Searches one place, as a step named after it. A failure is a value. */
async function askPlace(
  context: RunContext,
  place: PaperPlace,
  query: PaperQuery,
  { given, ...options }: { readonly given: GivenFiles; readonly timeoutMs?: number },
): Promise<{ readonly outcome: PlaceOutcome; readonly limit?: Failure }> {
  const { name } = place
  emitSearchProgress(context, { place: name, status: 'searching' })
  const input = { place: name, ...query, ...(name === placeNames.files ? given : {}) }
  const asked = await attempt(() =>
    context.step(
      `search/${name}`,
      'read',
      input as Json,
      async ({ signal }) => (await place.search(query, signal)) as Json,
      options,
    ),
  )
  if (asked.ok) {
    const outcome = asked.value as PlaceOutcome
    emitOutcome(context, name, outcome)
    return { outcome }
  }
  const { failure } = asked
  const { code: reason, message: detail, hint } = failure
  const outcome = { ok: false, reason, detail, ...(hint === undefined ? {} : { hint }) } as const
  emitOutcome(context, name, outcome)
  return { outcome, ...(isRunLimit(failure, context) ? { limit: failure } : {}) }
}

/** Gaps for services of a place that did not answer: a later search may find more. */
function listUnanswered(source: string, outcome: PlaceOutcome): readonly Gap[] {
  const { unanswered = [] } = outcome.ok ? outcome : {}
  return unanswered.map((detail) => ({ kind: 'source_unavailable', detail, source }))
}

function emitOutcome(context: RunContext, place: string, outcome: PlaceOutcome): void {
  if (!outcome.ok) {
    emitSearchProgress(context, { place, status: 'failed', detail: outcome.detail })
    return
  }
  const found = outcome.papers.length
  emitSearchProgress(context, { place, status: found === 0 ? 'empty' : 'used', found })
}

/** Reports that a later tier was searched in place of an earlier one. */
async function noticeFallback(
  context: RunContext,
  searched: readonly SearchedPlace[],
  [first = [], ...others]: PapersState['tiers'],
): Promise<void> {
  const before = searched.slice(0, first.length)
  const after = searched.slice(first.length).filter(({ outcome }) => outcome !== 'not asked')
  if (others.length === 0 || after.length === 0) return
  const why = before.map(({ place, outcome, detail }) =>
    outcome === 'failed' ? `${place} failed: ${detail}` : `${place} found no papers.`,
  )
  const instead = after.map(({ place }) => place).join(', ')
  await context.notice('fallback', 'warning', `${why.join(' ')} Asked instead: ${instead}.`)
}

function failurePatch(
  searched: readonly SearchedPlace[],
  limit: Failure | undefined,
  unanswered: readonly Gap[],
): Patch<PapersState> {
  const failed = searched.filter(({ outcome }) => outcome === 'failed')
  return {
    ...(limit === undefined ? {} : { limit }),
    errors: failed.map(({ place, detail }) => `${place}: ${detail}`),
    gaps: [
      ...(limit === undefined ? [] : [{ kind: 'limit' as const, detail: limit.message }]),
      ...failed.map(({ place, detail }) => ({
        kind: 'source_unavailable' as const,
        detail,
        source: place,
      })),
      ...unanswered,
    ],
  }
}

/** Places searched together; the next tier is searched only if none of them found a paper. */
type PaperTier = readonly PaperPlace[]

/** Searches one place; in a run, as a step. */
type SearchPlace = (place: PaperPlace, query: PaperQuery) => Promise<PlaceOutcome>

/** The outcome of a search over all tiers. */
type FoundPapers = {
  /** Each work once, best first, at most as many as requested. */
  readonly papers: readonly Paper[]
  /** Every place of every tier, in order. */
  readonly searched: readonly SearchedPlace[]
}

/**
 * Searches tier by tier until one finds papers, and merges duplicates between places. It has no effects of its own:
 * `search` searches the places, and its errors are passed on.
 */
export async function findPapers(
  tiers: readonly PaperTier[],
  query: PaperQuery,
  search: SearchPlace,
): Promise<FoundPapers> {
  const searched: SearchedPlace[] = []
  let papers: readonly Paper[] = []
  for (const tier of tiers) {
    if (papers.length > 0) {
      searched.push(...tier.map(toNotAsked))
      continue
    }
    const outcomes = await Promise.all(tier.map((place) => search(place, query)))
    searched.push(...outcomes.map((outcome, at) => toSearchedPlace(tier[at]?.name ?? '', outcome)))
    papers = mergePapers(outcomes.map((outcome) => (outcome.ok ? outcome.papers : [])))
  }
  return { papers: papers.slice(0, query.limit), searched }
}

function toNotAsked({ name }: PaperPlace): SearchedPlace {
  const detail = 'Not used, because an earlier service found papers.'
  return { place: name, outcome: 'not asked', found: 0, detail }
}

function toSearchedPlace(place: string, outcome: PlaceOutcome): SearchedPlace {
  if (!outcome.ok) {
    const { detail, hint } = outcome
    const told = hint === undefined ? detail : `${detail} ${hint}`
    return { place, outcome: 'failed', found: 0, detail: told }
  }
  const { papers, notes = [] } = outcome
  const found = papers.length
  return { place, outcome: found === 0 ? 'empty' : 'used', found, detail: notes.join(' ') }
}
