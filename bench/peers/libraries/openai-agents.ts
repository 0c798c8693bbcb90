import { Agent, MemorySession, OpenAIProvider, Runner, tool } from '@openai/agents'
import { questionText, systemText, toolOffer, toolResult } from '../../model-call/conversation.ts'
import { drain, lookInput, maxTurns, type OpenLibrary } from '../library.ts'

export const open: OpenLibrary = async ({ url, isStored }) => {
  const { name, description } = toolOffer.function
  const look = tool({ name, description, parameters: lookInput, execute: async () => toolResult })
  const agent = new Agent({ name: 'Bench', model: 'm', instructions: systemText, tools: [look] })
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ baseURL: url, apiKey: 'none', useResponses: false }),
    tracingDisabled: true,
  })
  return async (isStreamed) => {
    const options = { maxTurns, ...(isStored ? { session: new MemorySession() } : {}) }
    if (isStreamed) {
      const result = await runner.run(agent, questionText, { ...options, stream: true })
      await drain(result)
      await result.completed
    } else await runner.run(agent, questionText, options)
  }
}
