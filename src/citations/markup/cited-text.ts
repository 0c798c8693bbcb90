/**
 * The most frequent form of a text's citations: Markdown (`[1]`, links), `[!CITE_1!]`, `idx="1"` or `url="…"`; `plain` if
 * it has none.
 */
export type CitationFormat = 'markdown' | 'llm' | 'xml-idx' | 'xml-url' | 'plain'

/** What a local number stands for: an address, or a number that the text uses without defining it. */
export interface CitedEntry {
  readonly url?: string
  /** A number of the conversation's index. */
  readonly n?: number
  /** The title given in the text. */
  readonly label?: string
  /** The note after the address in the text's definition. */
  readonly note?: string
}

/** A text as messages store it, with what it cites. */
export interface CitedText {
  /**
   * The text with each citation as a mark with a local number: `[!CITE_1!]`, in a tag `idx="1"`; a link
   * `[words](https://…)` becomes `[words][!CITE_1!]`. Definitions are removed.
   */
  readonly text: string
  /**
   * `entries[n - 1]` is what local number n stands for: first what the text mentions, in order, then what it only defines.
   * One entry for each {@link canonicalUrl}.
   */
  readonly entries: readonly CitedEntry[]
  readonly format: CitationFormat
}
