/** What the app gives of syntheses of papers. */

export type { PapersAnswer, ReusedPapers } from './papers-answer.ts'
export type { PapersRequest } from './papers-request.ts'
export { type PapersForm, renderPapersAs } from './render-papers.ts'
