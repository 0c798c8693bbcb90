import type { PapersInput } from '../../papers/input.ts'

/** What papers are looked for, where, and what is done with them. */
export interface PapersRequest {
  /** The topic. Default, where another run is gone on from: that of its papers. */
  readonly query?: string
  /** A category of arXiv, such as `cs.CL`. What has none counts as well. Default: any. */
  readonly category?: string
  /** How many papers at most, 1 to 20. Default 5. */
  readonly count?: number
  /** Files and folders of papers, and `library` for the library. Default: the library, or with the web that alone. */
  readonly sources?: readonly string[]
  /** A folder out of which no source is read: files that lead elsewhere by a link are passed over. Default: links are followed anywhere. */
  readonly sourcesRoot?: string
  /** Whether arXiv, Semantic Scholar and OpenAlex may be asked, and papers downloaded. Default false. */
  readonly web?: boolean
  /** The MCP server that is asked for papers of arXiv before arXiv itself, of those that the operator has set up. */
  readonly mcpArxiv?: string
  /** The least confidence of an analysis with which its paper counts, 0 to 1. Default 0.7. */
  readonly threshold?: number
  /** How many papers are worked on at once, 1 to 16. Default 4. */
  readonly concurrency?: number
  /** What becomes of sentences that their pages do not bear out. Default `mark`. */
  readonly claims?: NonNullable<PapersInput['claims']>
  /**
   * The run of papers from which this one goes on: its id, a part of it, or `last`. Its papers, readings, analyses, numbers and
   * settings are kept, and the synthesis is made anew.
   */
  readonly continue?: string
  /** What a run that goes on takes in beside: files, folders, or words to search for. */
  readonly add?: readonly string[]
  /** Whether the work is done although the same was asked before. Default false: an earlier result is given again. */
  readonly fresh?: boolean
}
