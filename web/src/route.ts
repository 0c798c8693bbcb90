import { useSyncExternalStore } from 'react'

const insideViews = ['time', 'events', 'graph'] as const

/** What is shown of the inside of a run. */
export type InsideView = (typeof insideViews)[number]

/** Where the page is. It is in the address after `#`, so that it works below any path and never reaches a log. */
export type Route =
  | { readonly place: 'compare'; readonly first: string; readonly second: string }
  | {
      readonly place: 'inside'
      readonly runId: string
      readonly view?: InsideView
      /** The number of the event that is shown. */
      readonly seq?: number
    }
  | { readonly place: 'ask' | 'papers' | 'runs' | 'library' | 'agents' | 'setUp' | 'verify' }
  | {
      readonly place: 'source'
      readonly sourceId: string
      /** The part of its text to show, in UTF-16 code units. */
      readonly span?: { readonly start: number; readonly end: number }
    }
  | { readonly place: 'agent'; readonly agent: string }
  | {
      readonly place: 'run'
      readonly runId: string
      /** From 1. */
      readonly sentence?: number
      /** The number of a source of this sentence. */
      readonly source?: number
      /** Whether the whole document of the source is shown. */
      readonly isOpen?: true
    }

/** The address of a place. */
export function addressOf(route: Route): string {
  if (route.place === 'ask') return '#/'
  if (route.place === 'compare') return `#/compare/${route.first}/${route.second}`
  if (route.place === 'inside') {
    const { runId, view = 'time', seq } = route
    return `#/runs/${[runId, 'inside', view, ...(seq === undefined ? [] : [seq])].join('/')}`
  }
  if (route.place === 'source') {
    const { sourceId, span } = route
    return `#/library/${sourceId}${span === undefined ? '' : `/${span.start}-${span.end}`}`
  }
  if (route.place === 'agent') return `#/agents/${encodeURIComponent(route.agent)}`
  if (route.place !== 'run') return `#/${route.place === 'setUp' ? 'set-up' : route.place}`
  const { runId, sentence, source, isOpen } = route
  const parts = [
    'runs',
    runId,
    ...(sentence === undefined ? [] : [sentence]),
    ...(sentence === undefined || source === undefined ? [] : [source]),
    ...(sentence === undefined || source === undefined || !isOpen ? [] : ['open']),
  ]
  return `#/${parts.join('/')}`
}

/** The place of an address; asking, for one that is unknown. */
export function readRoute(hash: string): Route {
  const [place = '', id = '', sentence = '', source = '', open = ''] = hash
    .replace(/^#\/?/, '')
    .split('/')
  if (place === 'compare' && id !== '' && sentence !== '')
    return { place, first: id, second: sentence }
  if (place === 'runs' && id !== '' && sentence === 'inside')
    return {
      place: 'inside',
      runId: id,
      view: insideViews.find((view) => view === source) ?? 'time',
      ...(/^\d+$/.test(open) && { seq: Number(open) }),
    }
  if (place === 'runs' && id !== '')
    return {
      place: 'run',
      runId: id,
      ...(/^\d+$/.test(sentence) && { sentence: Number(sentence) }),
      ...(/^\d+$/.test(source) && { source: Number(source) }),
      ...(open === 'open' && { isOpen: true }),
    }
  if (place === 'library' && id !== '') {
    const [, start, end] = /^(\d+)-(\d+)$/.exec(sentence) ?? []
    const span = end === undefined ? {} : { span: { start: Number(start), end: Number(end) } }
    return { place: 'source', sourceId: id, ...span }
  }
  if (place === 'agents' && id !== '') return { place: 'agent', agent: decodeName(id) }
  const known = ['runs', 'library', 'agents', 'papers', 'verify'] as const
  const named = known.find((one) => one === place)
  if (named !== undefined) return { place: named }
  return { place: place === 'set-up' ? 'setUp' : 'ask' }
}

function decodeName(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('hashchange', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('hashchange', listener)
  }
}

/** Goes to a place. @param isStep whether the way back skips it, as for the next sentence */
export function goTo(route: Route, isStep = false): void {
  if (!isStep) {
    location.hash = addressOf(route)
    return
  }
  history.replaceState(null, '', addressOf(route))
  for (const listener of listeners) listener()
}

/** The place of the page. */
export function useRoute(): Route {
  return readRoute(useSyncExternalStore(subscribe, () => location.hash))
}
