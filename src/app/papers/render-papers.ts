import { basename, isAbsolute, relative } from 'node:path'
import type { PapersAnswer } from '../runs/run-result.ts'

/** The forms in which a synthesis is written out: a report, a page that needs nothing else, papers × points as CSV. */
export type PapersForm = 'markdown' | 'html' | 'matrix'

/**
 * A synthesis as a text of a form. What is read by itself names no place of this machine: in Markdown a file is told by its name.
 * @param folder where the text will stand: files below it are told from there. Default: none
 */
export async function renderPapersAs(
  answer: PapersAnswer,
  form: PapersForm,
  folder?: string,
): Promise<string> {
  switch (form) {
    case 'markdown': {
      const { papersMarkdown } = await import('../../papers/report/papers-markdown.ts')
      return papersMarkdown(withShownPaths(answer, folder))
    }
    case 'html': {
      const { papersHtml } = await import('../../papers/report/papers-html.ts')
      return papersHtml(answer)
    }
    case 'matrix': {
      const { papersMatrixCsv } = await import('../../papers/report/papers-matrix-csv.ts')
      return papersMatrixCsv(answer)
    }
  }
}

function withShownPaths(answer: PapersAnswer, folder: string | undefined): PapersAnswer {
  const { papers, citations, gaps, search, errors } = answer
  const paths = [...papers, ...citations, ...gaps.map(({ source: path }) => ({ path }))].flatMap(
    ({ path }) => (path !== undefined && isAbsolute(path) ? path : []),
  )
  const longestFirst = [...new Set(paths)].toSorted((one, other) => other.length - one.length)
  const inText = (text: string) =>
    longestFirst.reduce((told, path) => told.replaceAll(path, () => shownPath(path, folder)), text)
  const inPlace = <T extends { readonly path?: string }>(one: T): T =>
    one.path === undefined ? one : { ...one, path: shownPath(one.path, folder) }
  return {
    ...answer,
    papers: papers.map(inPlace),
    citations: citations.map(inPlace),
    gaps: gaps.map((gap) => ({
      ...gap,
      detail: inText(gap.detail),
      ...(gap.source === undefined ? {} : { source: inText(gap.source) }),
    })),
    search: search.map((tier) => ({ ...tier, detail: inText(tier.detail) })),
    errors: errors.map(inText),
  }
}

function shownPath(path: string, folder: string | undefined): string {
  const way = folder === undefined ? '..' : relative(folder, path)
  return way.startsWith('..') || isAbsolute(way) ? basename(path) : way
}
