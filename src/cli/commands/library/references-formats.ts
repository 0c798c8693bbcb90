import type { ReferenceFormat } from '../../../app.ts'

/** The forms of a list of references. */
export const referenceFormats: Readonly<Record<ReferenceFormat, true>> = {
  text: true,
  markdown: true,
  html: true,
  bibtex: true,
  ris: true,
  csl: true,
}
