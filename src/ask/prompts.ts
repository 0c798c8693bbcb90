import { loadPromptFiles, loadSharedPrompts, type SharedPrompts } from '../team/prompt-files.ts'

/** The prompts of the team and the placeholders that each must have. */
export const promptPlaceholders = {
  planner: [],
  planner_web: [],
  planner_mcp: [],
  planner_needs: [],
  planner_continued: [],
  researcher: [],
  quick: [],
  researcher_web: [],
  researcher_mcp: [],
  researcher_continued: [],
  expert: ['question', 'expert_steps', 'research_steps_and_results'],
  expert_continued: [],
  expert_final: [],
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
  rewriter: ['claims', 'passages'],
} as const satisfies Record<string, readonly string[]>

/** A prompt's name: its file without `.md`. */
export type PromptName = keyof typeof promptPlaceholders

/** The texts of all prompts. */
export type Prompts = { readonly [name in PromptName]: string } & SharedPrompts

/**
 * The prompts from their files.
 * @throws `invalid_configuration` when a file is missing or lacks a placeholder
 */
export function loadPrompts(folder: URL = new URL('./prompts/', import.meta.url)): Prompts {
  return { ...loadPromptFiles(folder, promptPlaceholders), ...loadSharedPrompts() }
}
