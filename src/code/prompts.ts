import { loadPromptFiles, type PromptTexts } from '../team/prompt-files.ts'

const placeholders = { system: [], compact: ['focus', 'conversation'] } as const

/** The texts of the coding agent's prompts. */
export type CodePrompts = PromptTexts<typeof placeholders>

/** Loads the prompts from their files. @throws `invalid_configuration` if a file or a placeholder is missing */
export function loadCodePrompts(folder: URL = new URL('./prompts/', import.meta.url)): CodePrompts {
  return loadPromptFiles(folder, placeholders)
}
