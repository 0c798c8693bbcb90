/**
 * For tests of workflows: scripted models, failing sources, crashes at every event, shuffled schedules, a log in memory, and a
 * clock without waiting.
 */

export type { SourcePage, SourceReply, SourceRequest } from './failing-source.ts'
export { type FailingSource, type SourceRoutes, startFailingSource } from './failing-source.ts'
export {
  type Crashes,
  everyEvent,
  type FaultReport,
  type FaultSubject,
  type FaultTrial,
  runFaults,
  seededCrashes,
} from './fault-runner.ts'
export { type CrashPoint, FaultStore } from './fault-store.ts'
export { faultSubject, type TrialWorld } from './fault-subject.ts'
export type { Counts } from './fault-writes.ts'
export { createMemoryStore } from './memory-store.ts'
export { createRandom } from './random.ts'
export { type ModelCallSeen, type ScriptedModels, scriptModels } from './script-models.ts'
export { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
export type {
  ModelRequestSeen,
  Script,
  ScriptedAnswer,
  ScriptedReply,
  ScriptedVectors,
} from './scripted-reply.ts'
export {
  findRole,
  type PromptPassage,
  passagesIn,
  plainReply,
  type RoleScript,
  type ScriptedRole,
  scriptTeam,
  type TeamScript,
} from './scripted-team.ts'
export {
  compareSchedules,
  Schedule,
  type ScheduledRun,
  type ScheduleReport,
} from './shuffled-schedule.ts'
export {
  runSourceFaults,
  type SourceFault,
  type SourceReport,
  sourceFaults,
} from './source-faults.ts'
export {
  createQuickClock,
  type QuickClock,
  runInMemory,
  type TestRun,
  testExecution,
} from './test-execution.ts'
