/** What the app gives of syntheses of papers. */

export type { PapersAnswer, ReusedPapers } from '../runs/run-result.ts'
export type { PapersRequest } from './papers-input.ts'
export { type PapersForm, renderPapersAs } from './render-papers.ts'
