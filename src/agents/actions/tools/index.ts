/** The actions of agent files that are one step each, and those that look at the state. */
export type { AgentMemory, MemoryAddition, MemoryEntry } from './agent-memory.ts'
export { createToolActions } from './create-tool-actions.ts'
export { createInProcessMemory } from './in-process-memory.ts'
export { refusedActions } from './refused-actions.ts'
export type { ToolActionServices } from './services.ts'
export { createStateActions } from './state-actions.ts'
