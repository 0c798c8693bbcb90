import type { OptionSpec } from './option.ts'

/** More skills for a session of the coding agent. */
export const skillsOption: OptionSpec = {
  name: 'skills',
  value: 'DIR',
  isRepeatable: true,
  help: 'A folder of skills (folders with a SKILL.md) beside .scholium/skills of the project and skills of the home.',
}
