import {
  loadPromptFiles,
  loadSharedPrompts,
  type PromptTexts,
  type SharedPrompts,
} from '../team/prompt-files.ts'

const promptPlaceholders = {
  analyzer: ['question', 'paper', 'passages'],
  synthesizer: ['question', 'papers'],
} as const

/** The texts of the pipeline's prompts. */
export type PapersPrompts = PromptTexts<typeof promptPlaceholders> & SharedPrompts

/**
 * The prompts from their files.
 * @throws `invalid_configuration` when a file is missing or lacks a placeholder
 */
export function loadPapersPrompts(
  folder: URL = new URL('./prompts/', import.meta.url),
): PapersPrompts {
  return { ...loadPromptFiles(folder, promptPlaceholders), ...loadSharedPrompts() }
}
