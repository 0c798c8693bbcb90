/** Chain of thought, ReAct, self-correction and decomposition, each a function on a run's context; their traces and tools. */
export {
  type CotInput,
  type CotResult,
  chainOfThought,
  chooseThinkingFormat,
  type FewShotExample,
  formatCotPrompt,
  parseCotOutput,
  type ThinkingFormat,
  type Thought,
  thinkingFormats,
} from './chain-of-thought.ts'
export type { CallSettings } from './choose-reasoner.ts'
export { type DecomposeInput, type DecomposeResult, decompose } from './decompose.ts'
export { isTerminalAction } from './final-answer.ts'
export { type ReactInput, type ReactResult, type ReactStep, react } from './react.ts'
export { parseReactStep, type ReactAction, type ReactReading } from './react-step.ts'
export { isToolName, listTools, type ToolDescription, type ToolList } from './react-tools.ts'
export {
  formatCritiquePrompt,
  type ImprovementRound,
  type SelfCorrectInput,
  type SelfCorrectResult,
  selfCorrect,
  toHistoryFromInitial,
} from './self-correct.ts'
export type { SubAnswer } from './solve-problem.ts'
export { parseStructured, type StructuredReading } from './structured.ts'
export { parseDecomposition, type SubProblem } from './sub-problems.ts'
export {
  type ReasoningAction,
  type ReasoningTrace,
  type TraceEntry,
  type TraceListener,
  toNdjson,
  toTraceList,
  toTraceObject,
  traceLine,
  writeTrace,
} from './trace.ts'
