import { join } from 'node:path'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { questionText, systemText, toolOffer, toolResult } from '../../model-call/conversation.ts'
import { drain, lookInput, maxTurns, type OpenLibrary } from '../library.ts'

export const open: OpenLibrary = async ({ url, folder, isStored }) => {
  const { name, description } = toolOffer.function
  const look = createTool({
    id: name,
    description,
    inputSchema: lookInput,
    execute: async () => toolResult,
  })
  const agent = new Agent({
    id: 'bench',
    name: 'Bench',
    instructions: systemText,
    model: { id: 'bench/m', url, apiKey: 'none' },
    tools: { look },
    ...(isStored ? { memory: new Memory() } : {}),
  })
  const file = `file:${join(folder, 'mastra.db')}`
  const storage = isStored ? { storage: new LibSQLStore({ id: 'bench', url: file }) } : {}
  new Mastra({ agents: { agent }, logger: false, ...storage })
  let conversations = 0
  return async (isStreamed) => {
    const thread = `thread-${conversations++}`
    const options = {
      maxSteps: maxTurns,
      ...(isStored ? { memory: { thread, resource: 'reader' } } : {}),
    }
    if (isStreamed) await drain((await agent.stream(questionText, options)).textStream)
    else await agent.generate(questionText, options)
  }
}
