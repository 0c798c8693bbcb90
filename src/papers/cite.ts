import { formatArxivLine } from '../bibliography/arxiv-line.ts'
import { otherAuthors } from '../bibliography/other-authors.ts'
import { compareWorks } from '../bibliography/same-work.ts'
import type { CslItem } from '../citations/source.ts'
import type { Patch } from '../graph/graph.ts'
import type { Paper } from './paper.ts'
import type { PaperReference } from './result.ts'
import { findNumber, type PapersState, type StoredReading } from './state.ts'

/**
 * The citations: a reference line for each numbered paper, in order, with remarks: that it was retracted, or that the
 * file is another work.
 */
export async function citePapers(state: PapersState): Promise<Patch<PapersState>> {
  const references = state.papers.flatMap((paper): PaperReference[] => {
    const n = findNumber(state, paper.id)
    const reading = state.readings[paper.id]
    if (n === undefined || reading === undefined) return []
    const remarks = listRemarks(paper, reading)
    return [{ n, paperId: paper.id, line: formatArxivLine(withFewAuthors(paper.csl)), remarks }]
  })
  return { references: references.toSorted((one, other) => one.n - other.n) }
}

/** Authors named in a line, as in APA. Other reference formats list all. */
const maxAuthors = 20

function withFewAuthors(item: CslItem): CslItem {
  const { author = [] } = item
  if (author.length <= maxAuthors) return item
  return { ...item, author: [...author.slice(0, maxAuthors - 1), otherAuthors] }
}

function listRemarks(paper: Paper, reading: StoredReading): readonly string[] {
  const { retraction } = paper
  return [
    ...(retraction === undefined ? [] : [`Retracted: ${retraction}`]),
    ...findIdentityRemarks(paper, reading),
    ...reading.notes,
  ]
}

/** How the file differs from the paper's record: in title, or in authors where no title is known. */
function findIdentityRemarks(
  { id, csl, title }: Paper,
  { title: fileTitle, authors }: StoredReading,
): readonly string[] {
  if (fileTitle === '' && authors.length === 0) return []
  const ofFile: CslItem = {
    id,
    type: csl.type,
    ...(fileTitle === '' ? {} : { title: fileTitle }),
    ...(authors.length === 0 ? {} : { author: authors.map((literal) => ({ literal })) }),
  }
  const { verdict, reasons } = compareWorks({ ...csl, title }, ofFile)
  if (verdict !== 'different') return []
  const differing = reasons.filter((reason) => reason.verdict === 'different')
  const said = differing.map(({ field, other }) => `${field} “${other}”`).join(', ')
  return [`The file may be a different work: it says ${said}.`]
}
