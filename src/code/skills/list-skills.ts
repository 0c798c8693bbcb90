import type { Skill } from './skill.ts'

/** Skills as a model is told of them. */
export interface ListedSkills {
  /** A line each; empty where there are none. */
  readonly text: string
  /** Those that found no place, by name. */
  readonly left: readonly string[]
}

const maxListCharacters = 8_000

/** Names and descriptions, as many as fit. */
export function listSkills(skills: readonly Skill[]): ListedSkills {
  const lines: string[] = []
  const left: string[] = []
  let characters = 0
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description}`
    characters += line.length + 1
    if (characters > maxListCharacters) left.push(name)
    else lines.push(line)
  }
  return { text: lines.join('\n'), left }
}
