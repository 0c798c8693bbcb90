import type { CslItem, PassageId, SourceId } from '../citations/source.ts'
import type { Hash } from '../kernel/json.ts'
import type { ListedFile } from '../sources/list-files.ts'

/** A paper that a search found or that was given as a file. All of it is JSON, so that it can be in a state. */
export type Paper = {
  /** The same for the same work, unique in a run: `arxiv:2301.00001`, `doi:10.1/x`, `s2:…`, `openalex:W…`, `file:` and 16 digits of its hash. */
  readonly id: string
  readonly title: string
  /** Names as people write them, in order. */
  readonly authors: readonly string[]
  /** Empty where none is known. */
  readonly abstract: string
  /** A day, month or year in ISO 8601; empty where none is known. */
  readonly published: string
  /** Such as `cs.CL`. */
  readonly categories: readonly string[]
  /** With its version where that is known: `2301.00001v2`. */
  readonly arxivId?: string
  readonly doi?: string
  /** Where people read about it; only http and https. */
  readonly url?: string
  /** Where its text can be had free of charge; only http and https. */
  readonly pdfUrl?: string
  readonly citationCount?: number
  /** What a source says of a retraction. */
  readonly retraction?: string
  /** Of a file: its absolute path. */
  readonly path?: string
  /** Of a file that was found in a folder: the folder out of which it is not read. @see ListedFile */
  readonly within?: string
  /** Of what is in the library: its source. */
  readonly sourceId?: SourceId
  /** The places that know it, in order. */
  readonly foundBy: readonly string[]
  readonly csl: CslItem
}

/** What papers are looked for. */
export type PaperQuery = {
  readonly query: string
  /** A category of arXiv, such as `cs.CL`. */
  readonly category?: string
  /** How many at most, 1 to 20. */
  readonly limit: number
}

/** What one place of papers gave. */
export type PlaceOutcome =
  | {
      readonly ok: true
      readonly papers: readonly Paper[]
      /** What the person should know of it, a sentence each: what was left out, what could not be asked. */
      readonly notes?: readonly string[]
      /** Why services that belong to the place did not answer, a sentence each: it may have more than it gave. */
      readonly unanswered?: readonly string[]
    }
  | {
      readonly ok: false
      readonly reason: string
      readonly detail: string
      /** What a person can do. */
      readonly hint?: string
    }

/** How the search of one place went. A place is `not asked` where an earlier one gave papers. */
export type SearchedPlace = {
  readonly place: string
  readonly outcome: 'used' | 'empty' | 'failed' | 'not asked'
  readonly found: number
  /** Sentences for people; empty where there is nothing to say. */
  readonly detail: string
}

/** A place where papers are looked for: a service, a server, the library, a folder. */
export interface PaperPlace {
  /** For people, and part of each step's key: `arXiv`, `arXiv over MCP`, `Semantic Scholar and OpenAlex`, `library`, `files`. */
  readonly name: string
  search(query: PaperQuery, signal: AbortSignal): Promise<PlaceOutcome>
}

/** What became of a paper's file. */
export type DownloadOutcome =
  | {
      readonly ok: true
      /** SHA-256 of its bytes, under which it is kept. */
      readonly contentHash: Hash
      readonly sizeBytes: number
      /** Whether it was there already. */
      readonly isCached: boolean
      /** Where it came from: an address, or the name of an MCP server. */
      readonly from: string
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** How a download is done. */
export interface DownloadOptions {
  readonly signal: AbortSignal
  /** Called with the share that is there, 0 to 1, where the size is known. */
  onProgress(share: number): void
}

/** The files of papers, each kept once under the hash of its bytes. */
export interface PaperFiles {
  download(paper: Paper, run: DownloadOptions): Promise<DownloadOutcome>
  /** Where a downloaded file is. */
  pathOf(contentHash: Hash): string
}

/** What a stretch of a paper is. */
export type ChunkKind = 'text' | 'table' | 'equation' | 'references'

/** A stretch of a paper's text of at most 500 tokens; neighbours overlap by 50. It crosses no page. */
export type Chunk = {
  readonly id: PassageId
  /** UTF-16 code units in the snapshot's text. */
  readonly start: number
  readonly end: number
  /** 1-based; only where the source has pages. */
  readonly page?: number
  /** The nearest heading above. */
  readonly section?: string
  /** As `cl100k_base` counts them. */
  readonly tokens: number
  readonly kind: ChunkKind
}

/** What reading a paper gave. Its text is in the library, under its source. */
export type PaperReading =
  | {
      readonly ok: true
      readonly sourceId: SourceId
      /** Empty where the file names none. */
      readonly title: string
      readonly authors: readonly string[]
      /** What the library keeps of it as a work. */
      readonly csl?: CslItem
      readonly abstract: string
      readonly pageCount: number
      readonly sections: readonly { readonly title: string; readonly page?: number }[]
      /** How many entries its list of references has. */
      readonly referenceCount: number
      readonly chunks: readonly Chunk[]
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly reason: string; readonly detail: string; readonly hint?: string }

/** Reads papers into the library. */
export interface PaperReader {
  /** Reads a file into the library and cuts it; what the library has already is not read again. */
  readFile(
    file: ListedFile,
    about: Pick<Paper, 'title' | 'csl' | 'url'>,
    signal: AbortSignal,
  ): Promise<PaperReading>
  /** Cuts what is in the library. */
  readSource(sourceId: SourceId): Promise<PaperReading>
}
