import type { OptionSpec } from './option.ts'

/** Lets a command go to the web. */
export const webOption: OptionSpec = {
  name: 'web',
  help: 'Also search and read the web: pages, Wikipedia, papers, transcripts. Default: as configured, otherwise no; then only model calls leave this machine.',
}

/** Keeps a question from the web. */
export const noWebOption: OptionSpec = {
  name: 'no-web',
  help: 'Do not use the web, even if the configuration or the continued run did.',
}
