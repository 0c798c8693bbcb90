import { join } from 'node:path'
import { SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { ChatOpenAI } from '@langchain/openai'
import { questionText, systemText, toolOffer, toolResult } from '../../model-call/conversation.ts'
import { drain, lookInput, maxTurns, type OpenLibrary } from '../library.ts'

export const open: OpenLibrary = async ({ url, folder, isStored }) => {
  const { name, description } = toolOffer.function
  const tools = [tool(async () => toolResult, { name, description, schema: lookInput })]
  const chat = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: url } })
  const model = chat.bindTools(tools)
  const callModel = async ({ messages }: { readonly messages: readonly object[] }) => ({
    messages: [await model.invoke([new SystemMessage(systemText), ...messages])],
  })
  const agent = new StateGraph(MessagesAnnotation)
    .addNode('model', callModel)
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'model')
    .addConditionalEdges('model', toolsCondition, ['tools', END])
    .addEdge('tools', 'model')
    .compile(
      isStored ? { checkpointer: SqliteSaver.fromConnString(join(folder, 'checkpoints.db')) } : {},
    )
  let conversations = 0
  return async (isStreamed) => {
    const input = { messages: [{ role: 'user', content: questionText }] }
    const options = {
      recursionLimit: 2 * maxTurns,
      configurable: { thread_id: `thread-${conversations++}` },
    }
    if (isStreamed) await drain(await agent.stream(input, { ...options, streamMode: 'messages' }))
    else await agent.invoke(input, options)
  }
}
