import * as z from 'zod'
import type { Message, ModelBinding, RunStore } from '../../src/kernel/index.ts'
import { libraryUrl } from '../library-url.ts'
import { questionText, systemText, toolResult } from './conversation.ts'

type Library = typeof import('../../src/index.ts')
type Kernel = typeof import('../../src/kernel/index.ts')

const { createModelSource, currentOwner, openRunStore }: Library = await import(libraryUrl())
const { createToolRegistry, defineTool, runAgent, startRun, systemClock }: Kernel = await import(
  libraryUrl('kernel/index')
)

export { openRunStore }

const look = defineTool({
  name: 'look',
  description: 'Looks at a place.',
  input: z.object({ at: z.string() }),
  effect: 'read',
  execute: async () => toolResult,
})

const messages: readonly Message[] = [
  { id: 's', role: 'system', parts: [{ type: 'text', text: systemText }], createdAt: 0 },
  { id: 'q', role: 'user', parts: [{ type: 'text', text: questionText }], createdAt: 0 },
]

/** A model of the server, as any user binds it. */
export function bindModel(url: string, isStreamed: boolean): ModelBinding {
  return createModelSource({
    choices: { default: { name: 'openai-compatible:m', baseUrl: url, isStreamed } },
    environment: {},
    builtIn: {},
  }).forRole('default')
}

/** The agent loop in a run of its own, with its log; gives the number of tool steps. */
export async function runAgentLoop(
  store: RunStore,
  runId: string,
  model: ModelBinding,
  listener?: () => void,
): Promise<number> {
  const outcome = await startRun(
    {
      name: 'bench',
      version: '1',
      promptHashes: {},
      title: () => '',
      run: async (context) => {
        const agent = { model, tools: createToolRegistry([look]), maxTurns: 100 }
        return { steps: (await runAgent(context, agent, messages)).results.length }
      },
      status: () => 'answered',
    },
    {},
    runId,
    {
      store,
      owner: currentOwner(),
      clock: systemClock,
      models: { forRole: () => model },
      limits: {},
      packageVersion: '0',
      configuration: {},
      ...(listener === undefined ? {} : { listeners: [listener] }),
    },
  )
  return outcome.result.steps as number
}
