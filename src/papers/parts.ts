import type { Library } from '../retrieval/library.ts'
import {
  loadPromptFiles,
  loadSharedPrompts,
  type PromptTexts,
  type SharedPrompts,
} from '../team/prompt-files.ts'
import type { PaperFiles, PaperPlace, PaperReader } from './paper.ts'
import type { WorkCache } from './reading/work-cache.ts'

/** Files and folders given to a run. */
export interface GivenFiles {
  /** Absolute paths. */
  readonly paths: readonly string[]
  /** No file outside this folder is read, even through links; absent: links are followed anywhere. */
  readonly within?: string
}

/** What the pipeline works with, in addition to the models of the context. */
export interface PapersParts {
  readonly prompts: PapersPrompts
  readonly library: Library
  /**
   * Opens a place when a run first searches it; a replay never does.
   * @param given the run's own files, for the place `files`
   * @throws `invalid_configuration` if there is no such place
   */
  place(name: string, given: GivenFiles): Promise<PaperPlace>
  /** The time limit for searching a place that sets none itself, in milliseconds. */
  searchTimeoutMs?(name: string): number | undefined
  /** Opens the store of downloaded papers, on the first download. */
  files(): Promise<PaperFiles>
  /** Creates the reader, on the first reading. */
  reader(): Promise<PaperReader>
  /** Caches search results of the broad queries; without it, each run searches again. */
  readonly cache?: WorkCache
}

const promptPlaceholders = {
  analyzer: ['question', 'paper', 'passages'],
  synthesizer: ['question', 'papers'],
} as const

/** The pipeline's prompts. */
type PapersPrompts = PromptTexts<typeof promptPlaceholders> & SharedPrompts

/**
 * Loads the prompts from their files.
 * @throws `invalid_configuration` if a file is missing or lacks a placeholder
 */
export function loadPapersPrompts(
  folder: URL = new URL('./prompts/', import.meta.url),
): PapersPrompts {
  return { ...loadPromptFiles(folder, promptPlaceholders), ...loadSharedPrompts() }
}
