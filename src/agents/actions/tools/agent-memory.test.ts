import { describeAgentMemory } from '../../../../test/contracts/agent-memory.ts'
import { createInProcessMemory } from './agent-memory.ts'

describeAgentMemory('A memory of the process', createInProcessMemory)
