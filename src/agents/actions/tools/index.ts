/** The actions of agent files that are one step each, and those that look at the state. */
export type { AgentMemory, MemoryAddition, MemoryEntry } from './agent-memory.ts'
export { createInProcessMemory } from './agent-memory.ts'
export { createToolActions } from './create-tool-actions.ts'
export { refusedActions } from './refused-actions.ts'
export { createStateActions } from './state-actions.ts'
export type { ToolActionServices } from './tool-action.ts'
