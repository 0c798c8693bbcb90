import { useCallback, useEffect, useState } from 'react'
import { call } from '../api/client.ts'

/** In UTF-16 code units: most documents come whole. */
const windowChars = 100_000

/** Part of a source's text as it was read. */
export interface ReadText {
  readonly text: string
  readonly start: number
  readonly totalChars: number
  readonly kind: string
}

/** The text of a source around a place, with more on demand; `null` if it can no longer be read. */
export function useText(
  runId: string,
  n: number,
  around: number,
): {
  readonly read: ReadText | undefined | null
  readonly more: (side: 'before' | 'after') => void
} {
  const [read, setRead] = useState<ReadText | null>()
  const path = { id: runId, n }
  const isThere = read != null && read.start <= around && around <= read.start + read.text.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: a place that is shown already needs nothing
  useEffect(() => {
    if (isThere) return
    const control = new AbortController()
    const start = Math.max(0, around - windowChars / 2)
    call('GET /api/runs/{id}/sources/{n}', {
      path,
      query: { start, chars: windowChars },
      signal: control.signal,
    }).then(
      (part) => setRead(atLineStart(part)),
      () => control.signal.aborted || setRead(null),
    )
    return () => control.abort()
  }, [runId, n, around])
  const more = useCallback(
    async (side: 'before' | 'after') => {
      if (read == null) return
      const end = read.start + read.text.length
      const start = side === 'before' ? Math.max(0, read.start - windowChars) : end
      const chars = side === 'before' ? read.start - start : windowChars
      const query = { start, chars }
      const part = await call('GET /api/runs/{id}/sources/{n}', { path: { id: runId, n }, query })
      setRead(
        side === 'before'
          ? atLineStart({ ...read, start, text: part.text + read.text })
          : { ...read, text: read.text + part.text },
      )
    },
    [runId, n, read],
  )
  return { read, more }
}

/** The part without the end of a line that begins before it. */
function atLineStart(part: ReadText): ReadText {
  const cut = part.start === 0 ? 0 : part.text.indexOf('\n') + 1
  return { ...part, text: part.text.slice(cut), start: part.start + cut }
}
