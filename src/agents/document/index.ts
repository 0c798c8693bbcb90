/** Agent files: reading, checking, one form for the builder of graphs, pictures. */
export * from './agent-document.ts'
export type { DocumentChecks, KnownAction, SourceKind, TemplateCheck } from './checks.ts'
export { stepsIn, tasksOf } from './document-tasks.ts'
export type { ReadFile } from './imports.ts'
export { agentJsonSchema } from './json-schema.ts'
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
