import type { OptionSpec } from './option.ts'

/** Lets a command go to the web. */
export const webOption: OptionSpec = {
  name: 'web',
  help: 'Search and read on the web too: pages, Wikipedia, papers, transcripts. Default: what the configuration says, else no; nothing but calls of models then leaves this machine.',
}

/** Keeps a question from the web. */
export const noWebOption: OptionSpec = {
  name: 'no-web',
  help: 'Ask nothing of the web, whatever the configuration or the question before (--continue) says.',
}
