/** The coding agent, for programs that drive it. */

export type {
  CodeEvent,
  PermissionAnswer,
  PermissionRequest,
} from '../../code/events.ts'
export type { CodeResult, CodeStopReason } from '../../code/result.ts'
export { requireRules } from '../../code/rules.ts'
export {
  type CodeSettings,
  type FallbackVerbosity,
  limitSettings,
} from '../../code/settings.ts'
export {
  explainSlash,
  parseSlash,
  renderSlashHelp,
  type Slash,
  type SlashName,
  slashCommands,
} from '../../code/slash.ts'
export type {
  PastTurn,
  RefusedCall,
  SessionState,
  TurnOutcome,
} from '../../code/state.ts'
export type { FileChange, Preview, Todo } from '../../code/tools/code-tool.ts'
export type { SettingsChange, TurnAnswer } from '../../code/turn-answer.ts'
export type { CodeAnswer } from '../runs/run-result.ts'
export type { CodeSession, SessionListeners } from './code-session.ts'
export type { Completions, PromptLine } from './completions.ts'
export type { CodeRequest, SessionOptions } from './open-session.ts'
export type { ListedTool, SlashReport } from './run-slash.ts'
export type { StoredMessage } from './session-messages.ts'
export type {
  SessionHistory,
  SessionReader,
  SessionSummary,
  TurnMessages,
} from './session-reader.ts'
