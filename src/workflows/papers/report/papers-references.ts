import { toBibtex, toRis } from '../../../citations/bibliography/index.ts'
import type { ReportInput } from './report-input.ts'
import { keptPapers } from './report-points.ts'

/** The forms of references for other programs. */
export type PapersReferenceFormat = 'bibtex' | 'ris' | 'csl'

/** The kept papers by number as BibTeX, RIS or CSL-JSON. */
export async function papersReferences(
  input: ReportInput,
  format: PapersReferenceFormat,
): Promise<string> {
  const items = keptPapers(input).map(({ csl }) => csl)
  if (format === 'bibtex') return toBibtex(items)
  return format === 'ris' ? await toRis(items) : `${JSON.stringify(items, null, 2)}\n`
}
