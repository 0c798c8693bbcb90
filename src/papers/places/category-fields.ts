import type { PaperQuery } from '../paper.ts'

/** The equivalents of an arXiv category elsewhere: wider, never narrower. */
export interface CategoryFields {
  /** Semantic Scholar's names of fields of study. */
  readonly semanticScholar: readonly string[]
  /**
   * Ids of OpenAlex's fields.
   * @see https://developers.openalex.org/api-reference/fields
   */
  readonly openAlex: readonly number[]
  /** Display name. */
  readonly name: string
}

const physics: CategoryFields = {
  semanticScholar: ['Physics'],
  openAlex: [31],
  name: 'physics',
}

/** By arXiv's archives. @see https://arxiv.org/category_taxonomy */
const fieldsByArchive: Readonly<Record<string, CategoryFields>> = {
  cs: {
    semanticScholar: ['Computer Science', 'Linguistics'],
    openAlex: [17],
    name: 'computer science',
  },
  math: { semanticScholar: ['Mathematics'], openAlex: [26], name: 'mathematics' },
  stat: {
    semanticScholar: ['Mathematics', 'Computer Science'],
    openAlex: [17, 18, 26],
    name: 'mathematics and computer science',
  },
  eess: {
    semanticScholar: ['Engineering', 'Computer Science'],
    openAlex: [17, 22],
    name: 'engineering and computer science',
  },
  econ: { semanticScholar: ['Economics'], openAlex: [20], name: 'economics' },
  'q-fin': {
    semanticScholar: ['Economics', 'Business'],
    openAlex: [14, 20],
    name: 'economics and finance',
  },
  'q-bio': {
    semanticScholar: ['Biology', 'Medicine'],
    openAlex: [11, 13, 24, 27, 28],
    name: 'biology and medicine',
  },
  physics,
  'astro-ph': physics,
  'cond-mat': physics,
  'gr-qc': physics,
  'hep-ex': physics,
  'hep-lat': physics,
  'hep-ph': physics,
  'hep-th': physics,
  'math-ph': {
    semanticScholar: ['Physics', 'Mathematics'],
    openAlex: [26, 31],
    name: 'physics and mathematics',
  },
  'nucl-ex': physics,
  'nucl-th': physics,
  'quant-ph': physics,
}

/** The fields that contain an arXiv category (`cs.CL`); `undefined` for an unknown one. */
export function categoryFields(category: string): CategoryFields | undefined {
  const archive = category.trim().toLowerCase().split('.')[0] ?? ''
  return Object.hasOwn(fieldsByArchive, archive) ? fieldsByArchive[archive] : undefined
}

/** The requested category; `undefined` for all, which may also be written `All`. */
export function wantedCategory({
  category = '',
}: Pick<PaperQuery, 'category'>): string | undefined {
  const written = category.trim()
  return written === '' || /^all$/i.test(written) ? undefined : written
}
