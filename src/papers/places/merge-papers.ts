import { isSameWork } from '../../bibliography/same-work.ts'
import type { Paper } from '../paper.ts'

/**
 * Merges the papers of several places: records with the same id, or of the same work by {@link isSameWork}. Order: the
 * first of each place, then the second of each, so that every place's best come first.
 * @param lists one per place, best first
 */
export function mergePapers(lists: readonly (readonly Paper[])[]): readonly Paper[] {
  let merged: Paper[] = []
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const paper = list[rank]
      if (paper === undefined) continue
      const known = merged.findIndex((one) => isSame(one, paper))
      const one = merged[known]
      if (one === undefined) merged.push(paper)
      else merged[known] = mergeRecords(one, paper)
      merged = withoutDoubles(merged)
    }
  }
  return merged
}

function isSame(one: Paper, other: Paper): boolean {
  if (one.sourceId !== undefined && one.sourceId === other.sourceId) return true
  return isSameWork(one.csl, other.csl)
}

/** Ensures unique ids: records of one work may disagree in title, and merging may give a paper the id of another. */
function withoutDoubles(papers: Paper[]): Paper[] {
  const ids = new Set(papers.map(({ id }) => id))
  if (ids.size === papers.length) return papers
  return [...ids].map((id) => papers.filter((paper) => paper.id === id).reduce(mergeRecords))
}

/** Merges two records; where both have a value, the first wins. */
function mergeRecords(one: Paper, other: Paper): Paper {
  const counts = [one.citationCount, other.citationCount].filter((count) => count !== undefined)
  const arxivId = [one.arxivId, other.arxivId].find((id) => id !== undefined && /v\d+$/.test(id))
  return {
    ...other,
    ...one,
    id: [one, other].map(({ id }) => id).toSorted((a, b) => idRank(b) - idRank(a))[0] ?? one.id,
    authors: one.authors.length === 0 ? other.authors : one.authors,
    abstract: one.abstract === '' ? other.abstract : one.abstract,
    published: one.published === '' ? other.published : one.published,
    categories: [...new Set([...one.categories, ...other.categories])],
    foundBy: [...new Set([...one.foundBy, ...other.foundBy])],
    csl: { ...other.csl, ...one.csl },
    ...(arxivId === undefined ? {} : { arxivId }),
    ...(counts.length === 0 ? {} : { citationCount: Math.max(...counts) }),
  }
}

const idKinds = ['file', 'openalex', 's2', 'doi', 'arxiv']

/** Ranks ids by how widely they are known. */
function idRank(id: string): number {
  return idKinds.indexOf(id.slice(0, id.indexOf(':')))
}
