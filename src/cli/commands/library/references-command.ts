import type { CommandSpec } from '../../arguments/command-spec.ts'
import { referenceFormats } from './references-formats.ts'

/** `scholium references`. */
export const references: CommandSpec = {
  name: 'references',
  parameters: '[FROM]',
  words: [0, 1],
  summary: 'Print the references of an answer: formatted, or as BibTeX, RIS or CSL-JSON.',
  details: [
    'FROM is a run (default: last), "library", or a BibTeX (.bib) or CSL-JSON (.json) file.',
    'In numbered styles, the references of a run keep the numbers used in its answer.',
    'Exit code: 0, or 3 if an entry or field of the file could not be read; each is listed.',
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
    ['scholium references', 'references of the last answer, in APA style'],
    ['scholium references last --format bibtex > answer.bib', ''],
    ['scholium references papers.bib --style ieee', ''],
  ],
  load: async () => (await import('./references.ts')).runReferences,
}
