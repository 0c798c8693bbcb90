import type { JsonObject } from '../../kernel/json.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import { asObject } from './as-object.ts'
import { topNode } from './run-view.ts'

/** A paper in progress. */
export interface ShownPaper {
  readonly id: string
  readonly title: string
  /** `found`, `downloading`, `reading`, `read`, `analysing`, `analysed`, `kept`, `dropped`, `unreadable`, `failed`. */
  readonly status: string
  /** Of a download, 0 to 1. */
  readonly share?: number
  readonly confidence?: number
  readonly reason?: string
}

/** A place that was searched. */
export interface ShownSearch {
  readonly place: string
  /** `searching`, `used`, `empty`, `failed`. */
  readonly status: string
  readonly found: number
  readonly detail: string
}

/** The state of a run of papers in progress, projected from its events. */
export interface PapersView {
  readonly search: readonly ShownSearch[]
  readonly papers: readonly ShownPaper[]
  /** The active node of the graph. */
  readonly node: string
  readonly isSynthesised: boolean
}

/** The view before anything has happened. */
export const emptyPapersView: PapersView = {
  search: [],
  papers: [],
  node: '',
  isSynthesised: false,
}

/** The view after one more event. */
export function reducePapers(view: PapersView, event: LiveEvent): PapersView {
  if (event.type === 'progress') {
    const { paper, search, state } = event.data
    if (paper !== undefined) return withPaper(view, paperIn(asObject(paper)))
    if (search !== undefined) return withSearch(view, searchIn(asObject(search)))
    const node = state === 'started' ? topNode(event.key) : ''
    return node === '' ? view : { ...view, node }
  }
  if (event.type !== 'node.done' || topNode(event.key) === '') return view
  return afterNode(view, asObject(event.output))
}

function paperIn(data: JsonObject): ShownPaper {
  const { paperId, title, status, share, confidence, reason } = data
  return {
    id: String(paperId),
    title: String(title),
    status: String(status),
    ...(typeof share === 'number' ? { share } : {}),
    ...(typeof confidence === 'number' ? { confidence } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  }
}

function searchIn({ place, status, found, detail }: JsonObject): ShownSearch {
  return {
    place: String(place),
    status: String(status),
    found: typeof found === 'number' ? found : 0,
    detail: typeof detail === 'string' ? detail : '',
  }
}

function withPaper(view: PapersView, paper: ShownPaper): PapersView {
  const at = view.papers.findIndex(({ id }) => id === paper.id)
  if (at < 0) return { ...view, papers: [...view.papers, paper] }
  const { confidence } = view.papers[at] ?? {}
  const known = confidence === undefined ? {} : { confidence }
  return { ...view, papers: view.papers.with(at, { ...known, ...paper }) }
}

function withSearch(view: PapersView, search: ShownSearch): PapersView {
  const at = view.search.findIndex(({ place }) => place === search.place)
  return {
    ...view,
    search: at < 0 ? [...view.search, search] : view.search.with(at, search),
  }
}

/** Applies a node's output when a run is resumed: its progress events were not seen. */
function afterNode(view: PapersView, patch: JsonObject): PapersView {
  const papers = objectsIn(patch.papers).map((paper): ShownPaper => {
    const id = String(paper.id)
    return {
      id,
      title: String(paper.title),
      status: 'found',
      ...view.papers.find((one) => one.id === id),
    }
  })
  const listed = papers.length === 0 ? view : { ...view, papers }
  const analysed = objectsIn(patch.analyses).reduce(
    (seen, { paperId, confidence }) =>
      changed(seen, String(paperId), { status: 'analysed', confidence: Number(confidence) }),
    listed,
  )
  const unread = objectsIn(patch.unread).reduce(
    (seen, { paperId, status, reason }) =>
      changed(seen, String(paperId), { status: String(status), reason: String(reason) }),
    analysed,
  )
  const kept = (Array.isArray(patch.kept) ? patch.kept : []).reduce<PapersView>(
    (seen, id) => changed(seen, String(id), { status: 'kept' }),
    unread,
  )
  const dropped = objectsIn(patch.dropped).reduce(
    (seen, { paperId, reason }) =>
      changed(seen, String(paperId), { status: 'dropped', reason: String(reason) }),
    kept,
  )
  return patch.synthesis === undefined ? dropped : { ...dropped, isSynthesised: true }
}

function changed(view: PapersView, id: string, change: Partial<ShownPaper>): PapersView {
  const at = view.papers.findIndex((paper) => paper.id === id)
  const paper = view.papers[at]
  return paper === undefined
    ? view
    : { ...view, papers: view.papers.with(at, { ...paper, ...change }) }
}

function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(asObject) : []
}
