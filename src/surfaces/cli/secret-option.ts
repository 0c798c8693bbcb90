import type { OptionSpec } from './option.ts'

/** Gives an agent file a variable of the environment whose value stays out of the record. */
export const secretOption: OptionSpec = {
  name: 'secret',
  value: 'NAME',
  isRepeatable: true,
  help: 'Let the file use this variable of the environment. Its value stays out of the record.',
}

/** The same for a run that goes on. */
export const resumedSecretOption: OptionSpec = {
  ...secretOption,
  help: 'Of an agent file: let it use this variable of the environment too. Its value stays out of the record.',
}
