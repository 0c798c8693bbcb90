import type { OptionSpec } from './option.ts'

/** Lets a command go to the web. */
export const webOption: OptionSpec = {
  name: 'web',
  help: 'Search and read on the web too: pages, Wikipedia, papers, transcripts. Default: no; nothing but calls of models leaves this machine.',
}
