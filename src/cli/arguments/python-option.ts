import type { OptionSpec } from './option.ts'

/** Takes Python from the expert. */
export const noPythonOption: OptionSpec = {
  name: 'no-python',
  help: 'Let the expert run no Python. Default: it may, in a process without files and network, where the package for it is installed.',
}
