import type { OptionSpec } from './option.ts'

/** More skills for a session of the coding agent. */
export const skillsOption: OptionSpec = {
  name: 'skills',
  value: 'DIR',
  isRepeatable: true,
  help: 'Another folder of skills (subfolders with a SKILL.md), in addition to .scholium/skills in the project and skills in the home.',
}
