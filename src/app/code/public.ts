/** The coding agent, for those who drive it. */

export type { FileChange, Preview, Todo } from '../../tools/code/code-tool.ts'
export type {
  CodeEvent,
  PermissionAnswer,
  PermissionRequest,
} from '../../workflows/code/events.ts'
export type { CodeResult, CodeStopReason } from '../../workflows/code/result.ts'
export { requireRules } from '../../workflows/code/rules.ts'
export {
  type CodeSettings,
  type FallbackVerbosity,
  withinGranted,
} from '../../workflows/code/settings.ts'
export {
  explainSlash,
  parseSlash,
  type Slash,
  type SlashName,
  slashCommands,
  slashHelp,
} from '../../workflows/code/slash.ts'
export type {
  PastTurn,
  RefusedCall,
  SessionState,
  TurnOutcome,
} from '../../workflows/code/state.ts'
export type { SettingsChange, TurnAnswer } from '../../workflows/code/turn-answer.ts'
export type { CodeAnswer } from './code-answer.ts'
export type { CodeSession, SessionListeners } from './code-session.ts'
export type { Completions, PromptLine } from './completions.ts'
export type { CodeRequest, SessionOptions } from './open-session.ts'
export type { ListedTool, SlashReport } from './run-slash.ts'
export type { KeptMessage } from './session-messages.ts'
export type { SessionLine, SessionPast, SessionReader, ToldTurn } from './session-reader.ts'
