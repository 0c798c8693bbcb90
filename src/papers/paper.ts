import type { CslItem, PassageId, SourceId } from '../citations/source.ts'
import type { Hash } from '../kernel/json.ts'
import type { ListedFile } from '../sources/list-files.ts'

/** A paper found by a search or given as a file. It is JSON, so that it fits into a state. */
export type Paper = {
  /**
   * Identifies the work, unique in a run: `arxiv:2301.00001`, `doi:10.1/x`, `s2:…`, `openalex:W…`, or `file:` and 16
   * digits of the file's hash.
   */
  readonly id: string
  readonly title: string
  /** Display names, in order. */
  readonly authors: readonly string[]
  /** Empty if unknown. */
  readonly abstract: string
  /** ISO 8601 day, month or year; empty if unknown. */
  readonly published: string
  /** Such as `cs.CL`. */
  readonly categories: readonly string[]
  /** With its version if known: `2301.00001v2`. */
  readonly arxivId?: string
  readonly doi?: string
  /** Landing page; http or https only. */
  readonly url?: string
  /** Free full text; http or https only. */
  readonly pdfUrl?: string
  readonly citationCount?: number
  /** What a source says about a retraction. */
  readonly retraction?: string
  /** Of a file: its absolute path. */
  readonly path?: string
  /**
   * Of a file found in a folder: it is read only inside this folder.
   * @see ListedFile
   */
  readonly within?: string
  /** Of a source in the library: its id. */
  readonly sourceId?: SourceId
  /** The places that know it, in order. */
  readonly foundBy: readonly string[]
  readonly csl: CslItem
}

/** A search for papers. */
export type PaperQuery = {
  readonly query: string
  /** An arXiv category such as `cs.CL`. */
  readonly category?: string
  /** Maximum number of papers, 1 to 20. */
  readonly limit: number
}

/** What a search of one place returned. */
export type PlaceOutcome =
  | {
      readonly ok: true
      readonly papers: readonly Paper[]
      /** Sentences for the user: what was left out or could not be searched. */
      readonly notes?: readonly string[]
      /** One sentence for each service of the place that did not answer; the place may have more papers. */
      readonly unanswered?: readonly string[]
    }
  | {
      readonly ok: false
      readonly reason: string
      readonly detail: string
      /** What the user can do. */
      readonly hint?: string
    }

/** How the search of one place went. `not asked`: an earlier place found papers. */
export type SearchedPlace = {
  readonly place: string
  readonly outcome: 'used' | 'empty' | 'failed' | 'not asked'
  readonly found: number
  /** Sentences for the user; empty if there is nothing to say. */
  readonly detail: string
}

/** Where papers are searched: a service, a server, the library, a folder. */
export interface PaperPlace {
  /**
   * Shown to users and part of each step's key: `arXiv`, `arXiv over MCP`, `Semantic Scholar and OpenAlex`, `library`,
   * `files`.
   */
  readonly name: string
  search(query: PaperQuery, signal: AbortSignal): Promise<PlaceOutcome>
}

/** The outcome of downloading a paper's file. */
export type DownloadOutcome =
  | {
      readonly ok: true
      /** SHA-256 of the file, under which it is stored. */
      readonly contentHash: Hash
      readonly sizeBytes: number
      /** Whether the file was already stored. */
      readonly isCached: boolean
      /** Where it came from: an address, or the name of an MCP server. */
      readonly from: string
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** Options of a download. */
export interface DownloadOptions {
  readonly signal: AbortSignal
  /** Called with the fraction downloaded, 0 to 1, if the size is known. */
  onProgress(share: number): void
}

/** Downloaded files of papers, each stored once under the hash of its bytes. */
export interface PaperFiles {
  download(paper: Paper, run: DownloadOptions): Promise<DownloadOutcome>
  /** The path of a downloaded file. */
  pathOf(contentHash: Hash): string
}

/** The kind of content in a chunk. */
export type ChunkKind = 'text' | 'table' | 'equation' | 'references'

/** A chunk of a paper's text, at most 500 tokens and within one page; neighbours overlap by up to 50 tokens. */
export type Chunk = {
  readonly id: PassageId
  /** UTF-16 code units in the snapshot's text. */
  readonly start: number
  readonly end: number
  /** 1-based; only for sources with pages. */
  readonly page?: number
  /** The nearest preceding heading. */
  readonly section?: string
  /** Counted with `cl100k_base`. */
  readonly tokens: number
  readonly kind: ChunkKind
}

/** The outcome of reading a paper. Its text is in the library, under its source. */
export type PaperReading =
  | {
      readonly ok: true
      readonly sourceId: SourceId
      /** Empty if the file has no title. */
      readonly title: string
      readonly authors: readonly string[]
      /** The library's record of the work. */
      readonly csl?: CslItem
      readonly abstract: string
      readonly pageCount: number
      readonly sections: readonly { readonly title: string; readonly page?: number }[]
      /** Number of entries in its reference list. */
      readonly referenceCount: number
      readonly chunks: readonly Chunk[]
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** Reads papers into the library. */
export interface PaperReader {
  /** Reads a file into the library and splits it into chunks; a file the library already has is not read again. */
  readFile(
    file: ListedFile,
    about: Pick<Paper, 'title' | 'csl' | 'url'>,
    signal: AbortSignal,
  ): Promise<PaperReading>
  /** Splits a source of the library into chunks. */
  readSource(sourceId: SourceId): Promise<PaperReading>
}
