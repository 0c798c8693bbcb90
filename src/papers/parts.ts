import type { Library } from '../retrieval/library.ts'
import {
  loadPromptFiles,
  loadSharedPrompts,
  type PromptTexts,
  type SharedPrompts,
} from '../team/prompt-files.ts'
import type { PaperFiles, PaperPlace, PaperReader } from './paper.ts'
import type { WorkCache } from './reading/work-cache.ts'

/** The files and folders that a run is given. */
export interface GivenFiles {
  /** Absolute paths. */
  readonly paths: readonly string[]
  /** The folder out of which no file is read, whatever links say; absent: links are followed anywhere. */
  readonly within?: string
}

/** What the pipeline works with, beside the models that the context gives. */
export interface PapersParts {
  readonly prompts: PapersPrompts
  readonly library: Library
  /**
   * The place of a name, made when a run first asks it; a replay never does.
   * @param given the run's own files, for the place `files`
   * @throws `invalid_configuration` for a name of no place
   */
  place(name: string, given: GivenFiles): Promise<PaperPlace>
  /** Where the files of papers are kept, made when a run first downloads one. */
  files(): Promise<PaperFiles>
  /** What reads them, made when a run first does. */
  reader(): Promise<PaperReader>
  /** Where is kept what the broad queries find in a paper; each run searches again where it is absent. */
  readonly cache?: WorkCache
}

const promptPlaceholders = {
  analyzer: ['question', 'paper', 'passages'],
  synthesizer: ['question', 'papers'],
} as const

/** The texts of the pipeline's prompts. */
type PapersPrompts = PromptTexts<typeof promptPlaceholders> & SharedPrompts

/**
 * The prompts from their files.
 * @throws `invalid_configuration` when a file is missing or lacks a placeholder
 */
export function loadPapersPrompts(
  folder: URL = new URL('./prompts', import.meta.url),
): PapersPrompts {
  return { ...loadPromptFiles(folder, promptPlaceholders), ...loadSharedPrompts() }
}
