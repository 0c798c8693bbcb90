import type { CommandSpec } from './command-spec.ts'

/** `scholium references`. */
export const references: CommandSpec = {
  name: 'references',
  parameters: '[FROM]',
  words: [0, 1],
  summary: 'Write what an answer cites as a list of references, BibTeX, RIS or CSL-JSON.',
  details: [
    'FROM is a run (default: last), "library", or a file: BibTeX (.bib) or CSL-JSON (.json).',
    'Exit code: 3 when an entry of the file could not be read; each is named.',
  ],
  options: [
    {
      name: 'style',
      value: 'STYLE',
      help: 'apa (default), chicago, ieee, apa-arxiv, or a CSL file.',
    },
    {
      name: 'format',
      value: 'FORM',
      help: 'text (default), markdown, html, bibtex, ris or csl.',
    },
  ],
  examples: [
    ['scholium references', 'of the last answer, in APA'],
    ['scholium references last --format bibtex > answer.bib', ''],
    ['scholium references papers.bib --style ieee', ''],
  ],
  load: async () => (await import('./references.ts')).runReferences,
}
