import { readFileSync } from 'node:fs'
import { ScholiumError } from '../kernel/errors.ts'
import { type Hash, sha256 } from '../kernel/json.ts'

/** Placeholders that each prompt must have, by its name: that of its file without `.md`. */
export type PromptPlaceholders = Readonly<Record<string, readonly string[]>>

/** The texts of prompts. */
export type PromptTexts<Placeholders extends PromptPlaceholders> = {
  readonly [name in keyof Placeholders]: string
}

const sharedPlaceholders = { verifier: ['claims', 'passages'] } as const

/** The prompts that all workflows have. */
export type SharedPrompts = PromptTexts<typeof sharedPlaceholders>

/** The prompts that all workflows have, from their files. @throws as {@link loadPromptFiles} */
export function loadSharedPrompts(): SharedPrompts {
  return loadPromptFiles(new URL('./prompts/', import.meta.url), sharedPlaceholders)
}

/**
 * Prompts from the files of a folder.
 * @throws `invalid_configuration` when a file is missing or lacks a placeholder
 */
export function loadPromptFiles<Placeholders extends PromptPlaceholders>(
  folder: URL,
  placeholders: Placeholders,
): PromptTexts<Placeholders> {
  const texts = Object.entries(placeholders).map(([name, needed]) => [
    name,
    loadPrompt(new URL(`${name}.md`, folder), needed),
  ])
  return Object.fromEntries(texts) as PromptTexts<Placeholders>
}

function loadPrompt(file: URL, needed: readonly string[]): string {
  const text = readPrompt(file)
  const { material } = splitPrompt(text)
  const missing = needed.filter((placeholder) => !material.includes(`{${placeholder}}`))
  if (missing.length === 0) return text
  throw new ScholiumError(
    'invalid_configuration',
    `The prompt ${file.pathname.split('/').at(-1)} lacks {${missing.join('}, {')}}.`,
    {
      hint: 'Put the placeholders back below the line ---, or use the prompt that came with the package.',
    },
  )
}

function readPrompt(file: URL): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new ScholiumError(
      'invalid_configuration',
      `The prompt ${file.pathname} cannot be read.`,
      { hint: 'Reinstall the package.', cause },
    )
  }
}

/** The line between a prompt's instructions and its material. */
const divider = /\n-{3,}\n/

/** Splits a prompt at its line `---`: a role's instructions, and the material, which never becomes a system prompt. */
export function splitPrompt(prompt: string): { instructions: string; material: string } {
  const [instructions = '', material = ''] = prompt.split(divider)
  return { instructions: instructions.trim(), material: material.trim() }
}

/**
 * Fills the placeholders of a text. Placeholders inside values are left as they are.
 * @throws `invalid_configuration` for a placeholder without a value
 */
export function fillPrompt(prompt: string, values: Readonly<Record<string, string>>): string {
  return prompt.replaceAll(/\{([a-z_]+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) {
      throw new ScholiumError(
        'invalid_configuration',
        `A prompt uses {${name}}, which is not defined.`,
      )
    }
    return value
  })
}

/** The hash of each prompt, for the record of a run. */
export function promptHashes<Prompts extends Readonly<Record<string, string>>>(
  prompts: Prompts,
): { readonly [name in keyof Prompts]: Hash } {
  const hashes = Object.entries(prompts).map(([name, text]) => [name, sha256(text)])
  return Object.fromEntries(hashes) as { readonly [name in keyof Prompts]: Hash }
}
