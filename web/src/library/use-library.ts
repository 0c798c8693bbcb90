import { useCallback, useEffect, useRef, useState } from 'react'
import type { Source as FullSource } from '../../../src/citations/source.ts'
import { call, describeError } from '../api/client.ts'

/** A source as the server tells it: `path` is the name of its file only. */
export type Source = Pick<
  FullSource,
  'id' | 'kind' | 'title' | 'path' | 'url' | 'sizeBytes' | 'pageCount'
>

/** The sources that were read so far, by title. */
export interface KnownLibrary {
  readonly sources: readonly Source[]
  readonly isRead: boolean
  readonly isAll: boolean
  readonly problem: string
  readonly more: () => void
  /** Reads what is shown again. */
  readonly refresh: () => void
}

const pageSize = 100

/** Reads the library page by page. */
export function useLibrary(): KnownLibrary {
  const [state, setState] = useState<{ sources: readonly Source[]; next?: string }>()
  const [problem, setProblem] = useState('')
  const round = useRef(0)
  const read = useCallback(
    async (count: number, from?: { sources: readonly Source[]; next?: string }) => {
      const mine = ++round.current
      try {
        const sources: Source[] = [...(from?.sources ?? [])]
        let cursor = from?.next
        do {
          const query = { limit: pageSize, ...(cursor !== undefined && { cursor }) }
          const page = await call('GET /api/library', { query })
          sources.push(...(page.sources as unknown as readonly Source[]))
          cursor = page.next
        } while (cursor !== undefined && sources.length < count)
        if (mine !== round.current) return
        setState({ sources, ...(cursor !== undefined && { next: cursor }) })
        setProblem('')
      } catch (error) {
        if (mine === round.current) setProblem(describeError(error))
      }
    },
    [],
  )
  useEffect(() => void read(1), [read])
  const { sources = [], next } = state ?? {}
  const refresh = useCallback(() => void read(sources.length), [read, sources.length])
  const more = useCallback(() => {
    if (state?.next !== undefined) void read(state.sources.length + 1, state)
  }, [read, state])
  return { sources, isRead: state !== undefined, isAll: next === undefined, problem, more, refresh }
}
