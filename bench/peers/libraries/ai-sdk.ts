import { stepCountIs, ToolLoopAgent, tool } from 'ai-7'
import { createOpenAICompatible } from 'ai-7-openai-compatible'
import { questionText, systemText, toolOffer, toolResult } from '../../model-call/conversation.ts'
import { drain, lookInput, maxTurns, type OpenLibrary } from '../library.ts'

export const open: OpenLibrary = async ({ url }) => {
  const provider = createOpenAICompatible({ name: 'bench', baseURL: url, includeUsage: true })
  const { description } = toolOffer.function
  const look = tool({ description, inputSchema: lookInput, execute: async () => toolResult })
  const agent = new ToolLoopAgent({
    model: provider('m'),
    instructions: systemText,
    tools: { look },
    stopWhen: stepCountIs(maxTurns),
  })
  return async (isStreamed) => {
    if (isStreamed) await drain((await agent.stream({ prompt: questionText })).textStream)
    else await agent.generate({ prompt: questionText })
  }
}
