import type { CommandSpec } from '../../arguments/command-spec.ts'
import { referenceFormats } from './references-formats.ts'

/** `scholium references`. */
export const references: CommandSpec = {
  name: 'references',
  parameters: '[FROM]',
  words: [0, 1],
  summary: 'Write what an answer cites as a list of references, BibTeX, RIS or CSL-JSON.',
  details: [
    'FROM is a run (default: last), "library", or a file: BibTeX (.bib) or CSL-JSON (.json).',
    'The list of a run has the numbers of its answer, in styles with numbers.',
    'Exit code: 3 when an entry or a field of the file could not be read; each is named.',
  ],
  options: [
    {
      name: 'style',
      value: 'STYLE',
      help: 'apa (default), chicago, ieee, apa-arxiv, or a CSL file: NAME.csl, or a path.',
    },
    {
      name: 'format',
      value: 'FORM',
      help: `${Object.keys(referenceFormats).join(', ')} (default: text).`,
    },
  ],
  examples: [
    ['scholium references', 'of the last answer, in APA'],
    ['scholium references last --format bibtex > answer.bib', ''],
    ['scholium references papers.bib --style ieee', ''],
  ],
  load: async () => (await import('./references.ts')).runReferences,
}
