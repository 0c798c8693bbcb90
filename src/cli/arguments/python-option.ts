import type { OptionSpec } from './option.ts'

/** Takes Python from the expert. */
export const noPythonOption: OptionSpec = {
  name: 'no-python',
  help: 'Do not let the expert run Python. Default: allowed if the Python package is installed, in a sandbox without files or network.',
}
