import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { Agent, createTool, Memory } from '@voltagent/core'
import { LibSQLMemoryAdapter } from '@voltagent/libsql'
import { questionText, systemText, toolOffer, toolResult } from '../../model-call/conversation.ts'
import { drain, lookInput, maxTurns, type OpenLibrary } from '../library.ts'

// For each answer it prints a warning of the AI SDK about its own system message, and at its start one if there is no network.
console.warn = () => {}

export const open: OpenLibrary = async ({ url, folder, isStored }) => {
  const { name, description } = toolOffer.function
  const provider = createOpenAICompatible({ name: 'bench', baseURL: url, includeUsage: true })
  const file = `file:${join(folder, 'memory.db')}`
  const agent = new Agent({
    name: 'Bench',
    instructions: systemText,
    model: provider('m'),
    tools: [
      createTool({ name, description, parameters: lookInput, execute: async () => toolResult }),
    ],
    maxSteps: maxTurns,
    memory: isStored && new Memory({ storage: new LibSQLMemoryAdapter({ url: file }) }),
  })
  let conversations = 0
  return async (isStreamed) => {
    const conversationId = `conversation-${conversations++}`
    const options = isStored ? { userId: 'reader', conversationId } : {}
    if (isStreamed) await drain((await agent.streamText(questionText, options)).textStream)
    else await agent.generateText(questionText, options)
  }
}
