import type { OptionSpec } from './option.ts'

/** Gives an agent file a variable of the environment that is kept from it otherwise. */
export const secretOption: OptionSpec = {
  name: 'secret',
  value: 'NAME',
  isRepeatable: true,
  help: 'Let the file read this variable of the environment, although it has the name of a secret. Its value stays out of the log.',
}

/** The same for a run that goes on. */
export const resumedSecretOption: OptionSpec = {
  ...secretOption,
  help: 'Of an agent file: let it read this variable of the environment too, although it has the name of a secret.',
}
