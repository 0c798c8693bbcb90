import type { PassageReference } from '../../citations/claim.ts'
import { mapShownTexts, shownText } from '../../citations/format-passages.ts'
import type { Source } from '../../citations/source.ts'
import { type Json, sha256 } from '../../kernel/json.ts'
import type { SourceSnapshot } from './form.ts'

/** A source from the library. */
export interface StoredSource {
  readonly source: Source
  readonly text: string
  readonly passages: readonly {
    readonly start: number
    readonly end: number
    readonly page?: number
  }[]
}

/** Placeholder for the text of a passage that is not exported. */
export const notShared = '[text not shared]'

/** What a bundle stores of a source: its text, or only the requested spans. */
export function toSnapshot(
  { source, text, passages }: StoredSource,
  spans: readonly PassageReference[] | undefined,
): SourceSnapshot {
  const kept = spans
    ?.map(({ start, end }) => ({ start, end, text: text.slice(start, end) }))
    .sort((one, other) => one.start - other.start || one.end - other.end)
  return {
    source: source as unknown as SourceSnapshot['source'],
    length: text.length,
    textHash: sha256(text),
    pages: collectPages(passages),
    ...(kept === undefined ? { text } : { spans: kept }),
  }
}

/** The texts of passages of a source. */
export function passageTexts(
  { text }: StoredSource,
  passages: readonly Pick<PassageReference, 'start' | 'end'>[],
): readonly string[] {
  return passages.map(({ start, end }) => text.slice(start, end))
}

/**
 * Replaces texts that must not be exported: these passages, and in what models were shown every passage but the shared ones. Other
 * texts are unchanged.
 */
export function cutTexts(
  unshared: ReadonlySet<string>,
  shared: ReadonlySet<string>,
): (text: string) => string {
  const shown = new Set([...shared].map(shownText))
  return (text) =>
    unshared.has(text)
      ? notShared
      : mapShownTexts(text, (passage) => (shown.has(passage) ? passage : notShared))
}

/** A snapshot's text from `start` to `end`, as far as it is included. */
export function textAt(
  { text, spans = [] }: SourceSnapshot,
  start: number,
  end: number,
): string | undefined {
  if (text !== undefined) return end <= text.length ? text.slice(start, end) : undefined
  const span = spans.find((one) => one.start <= start && end <= one.end)
  return span?.text.slice(start - span.start, end - span.start)
}

function collectPages(passages: StoredSource['passages']): SourceSnapshot['pages'] {
  const pages = new Map<number, { page: number; start: number; end: number }>()
  for (const { start, end, page } of passages) {
    if (page === undefined) continue
    const known = pages.get(page) ?? { page, start, end }
    pages.set(page, { page, start: Math.min(known.start, start), end: Math.max(known.end, end) })
  }
  return [...pages.values()].sort((one, other) => one.page - other.page)
}

/** Every string in a value that has the form of a SHA-256 hash and may be a message's. */
export function* hashesIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') {
    if (value.length === 64 && /^[0-9a-f]{64}$/.test(value)) yield value
  } else if (value !== null && typeof value === 'object') {
    for (const member of Object.values(value)) yield* hashesIn(member)
  }
}
