import { describeAgentMemory } from '../../../../test/contracts/agent-memory.ts'
import { createInProcessMemory } from './in-process-memory.ts'

describeAgentMemory('A memory of the process', createInProcessMemory)
