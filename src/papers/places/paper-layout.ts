import type { Passage } from '../../citations/source.ts'
import type { Span } from '../../sources/document.ts'

/** A page's stretch of a source's text; all of the text where it has no pages. */
export interface PageSpan extends Span {
  /** 1-based; only where the source has pages. */
  readonly page?: number
}

/** A heading and where its section's text starts. */
export interface PaperSection {
  readonly title: string
  /** In UTF-16 code units of the source's text. */
  readonly start: number
  /** 1-based; only where the source has pages. */
  readonly page?: number
}

/** Where pages and sections lie in a source's text. Pages without text are left out. */
export interface PaperLayout {
  readonly pages: readonly PageSpan[]
  readonly sections: readonly PaperSection[]
}

/**
 * The layout of a source that is in the library, from its passages in reading order: they leave out white space only, and
 * none crosses a page or a heading. So a source that was read before gives the very same as one that was just read.
 */
export function layoutOf(passages: readonly Passage[]): PaperLayout {
  const pages: { -readonly [key in keyof PageSpan]: PageSpan[key] }[] = []
  const sections: PaperSection[] = []
  for (const { start, end, page, section } of passages) {
    const on = page === undefined ? {} : { page }
    const open = pages.at(-1)
    if (open !== undefined && open.page === page) open.end = end
    else pages.push({ start, end, ...on })
    if (section !== undefined && section !== sections.at(-1)?.title)
      sections.push({ title: section, start, ...on })
  }
  return { pages, sections }
}
