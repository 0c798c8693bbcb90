import type { ReferenceFormat } from '../../../app.ts'

/** The formats of a reference list. */
export const referenceFormats: Readonly<Record<ReferenceFormat, true>> = {
  text: true,
  markdown: true,
  html: true,
  bibtex: true,
  ris: true,
  csl: true,
}
