import { mergePapers } from './merge-papers.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome, SearchedPlace } from './paper.ts'

/** Places that are asked together; the next tier is asked only where none of them gave a paper. */
export type PaperTier = readonly PaperPlace[]

/** Searches one place: in a run, as a step of its own. */
export type SearchPlace = (place: PaperPlace, query: PaperQuery) => Promise<PlaceOutcome>

/** What a search over tiers gave. */
export type FoundPapers = {
  /** Each work once, the best first, as many as were asked for at most. */
  readonly papers: readonly Paper[]
  /** Every place of every tier, in order. */
  readonly searched: readonly SearchedPlace[]
}

/**
 * Searches tier by tier until one gives papers. What several places of a tier know is one paper. It does nothing by itself:
 * `search` asks the places, and what it throws is thrown on.
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
      searched.push(...tier.map(notAsked))
      continue
    }
    const outcomes = await Promise.all(tier.map((place) => search(place, query)))
    searched.push(...outcomes.map((outcome, at) => report(tier[at]?.name ?? '', outcome)))
    papers = mergePapers(outcomes.map((outcome) => (outcome.ok ? outcome.papers : [])))
  }
  return { papers: papers.slice(0, query.limit), searched }
}

function notAsked({ name }: PaperPlace): SearchedPlace {
  const detail = 'Not asked, since an earlier place gave papers.'
  return { place: name, outcome: 'not asked', found: 0, detail }
}

function report(place: string, outcome: PlaceOutcome): SearchedPlace {
  if (!outcome.ok) {
    const { detail, hint } = outcome
    const told = hint === undefined ? detail : `${detail} ${hint}`
    return { place, outcome: 'failed', found: 0, detail: told }
  }
  const { papers, notes = [] } = outcome
  const found = papers.length
  return { place, outcome: found === 0 ? 'empty' : 'used', found, detail: notes.join(' ') }
}
