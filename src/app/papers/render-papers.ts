import type { PapersAnswer } from './papers-answer.ts'

/** The forms in which a synthesis is written out: a report, a page that needs nothing else, papers × points as CSV. */
export type PapersForm = 'markdown' | 'html' | 'matrix'

/** A synthesis as a text of a form. */
export async function renderPapersAs(answer: PapersAnswer, form: PapersForm): Promise<string> {
  switch (form) {
    case 'markdown': {
      const { papersMarkdown } = await import('../../workflows/papers/report/papers-markdown.ts')
      return papersMarkdown(answer)
    }
    case 'html': {
      const { papersHtml } = await import('../../workflows/papers/report/papers-html.ts')
      return papersHtml(answer)
    }
    case 'matrix': {
      const { papersMatrixCsv } = await import('../../workflows/papers/report/papers-matrix-csv.ts')
      return papersMatrixCsv(answer)
    }
  }
}
