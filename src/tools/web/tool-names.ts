/** The names of the tools for the web. */
export const webToolNames: ReadonlySet<string> = new Set([
  'search_web',
  'search_wikipedia',
  'search_papers',
  'read_page',
  'read_wikipedia',
  'read_transcript',
])

/** The names of the tools that search, the library's among them. */
export const searchToolNames: ReadonlySet<string> = new Set([
  'search_library',
  'search_web',
  'search_wikipedia',
  'search_papers',
])
