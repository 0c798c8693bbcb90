import { loadPromptFiles, type PromptTexts } from '../team/prompt-files.ts'

const placeholders = { system: [], compact: ['focus', 'conversation'] } as const

/** The texts of the prompts that come with the coding agent. */
export type CodePrompts = PromptTexts<typeof placeholders>

/** The prompts from their files. @throws `invalid_configuration` when a file is missing or lacks a placeholder */
export function loadCodePrompts(folder: URL = new URL('./prompts/', import.meta.url)): CodePrompts {
  return loadPromptFiles(folder, placeholders)
}
