/**
 * How most citations of a text are written: Markdown (`[1]`, links), `[!CITE_1!]`, `idx="1"` or `url="…"`; `plain` where it
 * has none of these.
 */
export type CitationFormat = 'markdown' | 'llm' | 'xml-idx' | 'xml-url' | 'plain'

/** What a local number stands for: an address, or a number that the text used without defining it. */
export interface CitedEntry {
  readonly url?: string
  /** A number of the conversation's index. */
  readonly n?: number
  /** The title that the text gave it. */
  readonly label?: string
  /** What the text's definition said behind the address. */
  readonly note?: string
}

/** A text as a message keeps it, with what it cites. */
export interface CitedText {
  /**
   * The text with each citation as a mark with its local number: `[!CITE_1!]`, in a tag `idx="1"`; a link
   * `[words](https://…)` is `[words][!CITE_1!]`. Definitions are taken out.
   */
  readonly text: string
  /**
   * `entries[n - 1]` is what local number n stands for. First those that the text mentions, in the order of the first
   * mention, then those that it only defines. One entry for each {@link canonicalUrl}.
   */
  readonly entries: readonly CitedEntry[]
  readonly format: CitationFormat
}
