/** Agent files: reading, checking, one form for the builder of graphs, pictures. */
export * from './agent-document.ts'
export { stepsIn, tasksOf } from './agent-document.ts'
export type { DocumentChecks, KnownAction, SourceKind, TemplateCheck } from './checks.ts'
export type { ReadFile } from './imports.ts'
export {
  type DocumentPicture,
  documentPicture,
  pictureToDot,
  pictureToMermaid,
} from './picture.ts'
export { type DocumentProblem, type ProblemCode, problemLine } from './problem.ts'
export {
  type DocumentOutcome,
  type ReadDocumentOptions,
  readAgentDocument,
} from './read-document.ts'
export { agentJsonSchema } from './schema/document-schema.ts'
