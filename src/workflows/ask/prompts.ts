import { readFileSync } from 'node:fs'
import { ScholiumError } from '../../kernel/errors.ts'
import { type Hash, sha256 } from '../../kernel/json.ts'

/** The prompts of the team and the placeholders that each must have. */
export const promptPlaceholders = {
  planner: [],
  planner_web: [],
  planner_mcp: [],
  planner_needs: [],
  planner_continued: [],
  researcher: [],
  researcher_web: [],
  researcher_mcp: [],
  researcher_continued: [],
  expert: ['question', 'expert_steps', 'research_steps_and_results'],
  expert_continued: [],
  expert_python: [],
  critic_planner: ['question'],
  critic_planner_needs: [],
  critic_researcher: ['question', 'research_request', 'evidence'],
  critic_expert: ['question', 'research_steps_and_results'],
  critic_criteria: [],
  critic_continued: [],
  finalizer: [
    'question',
    'research_steps_and_results',
    'expert_steps',
    'expert_answer',
    'expert_reasoning',
  ],
  finalizer_short: [],
  finalizer_continued: [],
  verifier: ['claims', 'passages'],
  rewriter: ['claims', 'passages'],
} as const satisfies Record<string, readonly string[]>

/** A prompt's name: its file without `.md`. */
export type PromptName = keyof typeof promptPlaceholders

/** The texts of all prompts. */
export type Prompts = { readonly [name in PromptName]: string }

/**
 * The prompts from their files.
 * @throws `invalid_configuration` when a file is missing or lacks a placeholder
 */
export function loadPrompts(folder: URL = new URL('./prompts/', import.meta.url)): Prompts {
  const names = Object.keys(promptPlaceholders) as PromptName[]
  return Object.fromEntries(names.map((name) => [name, loadPrompt(folder, name)])) as Prompts
}

/** The line between a prompt's instructions and its material. */
const divider = /\n-{3,}\n/

function loadPrompt(folder: URL, name: PromptName): string {
  const text = readPrompt(new URL(`${name}.md`, folder))
  const { material } = splitPrompt(text)
  const missing = promptPlaceholders[name].filter(
    (placeholder) => !material.includes(`{${placeholder}}`),
  )
  if (missing.length === 0) return text
  throw new ScholiumError(
    'invalid_configuration',
    `The prompt ${name}.md lacks {${missing.join('}, {')}}.`,
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
      {
        hint: 'Install the package anew.',
        cause,
      },
    )
  }
}

/** A prompt's two parts: a role's instructions, and below its line `---` what it works on, which has no system prompt's authority. */
export function splitPrompt(prompt: string): { instructions: string; material: string } {
  const [instructions = '', material = ''] = prompt.split(divider)
  return { instructions: instructions.trim(), material: material.trim() }
}

/**
 * A text with its placeholders filled, each once: what a value contains is never filled again.
 * @throws `invalid_configuration` for a placeholder without a value
 */
export function fillPrompt(prompt: string, values: Readonly<Record<string, string>>): string {
  return prompt.replaceAll(/\{([a-z_]+)\}/g, (_whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) {
      throw new ScholiumError(
        'invalid_configuration',
        `A prompt asks for {${name}}, which is not given.`,
      )
    }
    return value
  })
}

/** The hash of each prompt, for the record of a run. */
export function promptHashes(prompts: Prompts): Readonly<Record<PromptName, Hash>> {
  return Object.fromEntries(
    Object.entries(prompts).map(([name, text]) => [name, sha256(text)]),
  ) as Record<PromptName, Hash>
}
