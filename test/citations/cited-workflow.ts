import * as z from 'zod'
import { createCitationManager } from '../../src/citations/manager/citation-manager.ts'
import {
  keepCitedMessages,
  loadCitedMessages,
  type MessageReference,
  renumberCitations,
} from '../../src/citations/manager/stored-message.ts'
import { CitationIndex } from '../../src/citations/numbers/citation-index.ts'
import type { IndexEntry } from '../../src/citations/numbers/index-entry.ts'
import { type BranchResult, defineGraph, end, replace } from '../../src/graph/graph.ts'
import { runGraph } from '../../src/graph/run-graph.ts'
import {
  createToolRegistry,
  defineTool,
  type JsonObject,
  type Message,
  type RunContext,
  runAgent,
  type Tool,
  type Workflow,
} from '../../src/kernel/index.ts'
import type { ModelCallSeen, ScriptedAnswer } from '../../src/testing/index.ts'

/** An address that all branches come across. */
export const sharedUrl = 'https://shared.org/page'

/** The pages of a small web; each topic has two of its own and one that all link to. */
const searchTool = defineTool({
  name: 'search',
  description: 'Searches.',
  input: z.object({ query: z.string() }),
  effect: 'read',
  execute: async ({ query }) => ({
    hits: [
      { url: `https://${query}.org/`, title: query },
      { url: sharedUrl, snippet: `See also https://more-${query}.org/ [1].` },
    ],
  }),
})
const fetchTool = defineTool({
  name: 'fetch',
  description: 'Fetches a page.',
  input: z.object({ url: z.url() }),
  effect: 'read',
  execute: async ({ url }) =>
    `page: the text of ${url} links to https://linked.org/?from=${url.length}`,
})

/** What the scripted models say; they know sources by the numbers that they are shown. */
export function sayWithNumbers({
  lastText,
  lastRole,
  role,
  prompt,
}: ModelCallSeen): ScriptedAnswer {
  const first = /\[!CITE_(\d+)!\]/.exec(lastText)?.[1]
  if (role === 'finalizer') {
    const cited = [...JSON.stringify(prompt).matchAll(/\[!CITE_(\d+)!\]/g)].map(([, n]) => n)
    return {
      text: `All agree [${cited.join(', ')}] and https://own.org/ too.\n\n[x]: https://unused.org/`,
    }
  }
  if (lastRole !== 'tool') {
    const [, topic] = /about (\w+)/.exec(lastText) ?? []
    const queries = [`${topic}-a`, `${topic}-b`]
    return { toolCalls: queries.map((query) => ({ name: 'search', input: { query } })) }
  }
  if (lastText.includes('page:')) return { text: `It is so [!CITE_${first}!], not [99].` }
  return { toolCalls: [{ name: 'fetch', input: { citation: Number(first) } }] }
}

/** A branch's work: what it cites by numbers that are its own until they are merged. */
type Found = { readonly numbers: readonly IndexEntry[]; readonly kept: readonly MessageReference[] }

type State = {
  readonly numbers: readonly IndexEntry[]
  readonly topic: string
  readonly found: JsonObject
  readonly kept: readonly MessageReference[]
  readonly answer: string
  readonly parallel_results: readonly BranchResult[]
}

const topics = ['owls', 'moles', 'bats']

/** A team whose researchers work in parallel and number independently, and a writer who continues from their answers. */
export function citedWorkflow(
  change: (tool: Tool) => Tool = (tool) => tool,
): Workflow<JsonObject, JsonObject> {
  return {
    name: 'cited',
    version: '1',
    promptHashes: {},
    title: () => 'cited',
    status: () => 'answered',
    async run(context) {
      const manager = createCitationManager()
      const takeOff = manager.install(context.services.hooks)
      try {
        const { answer, numbers } = await runGraph(graphOf(manager, change), context, {})
        return { answer, numbers }
      } finally {
        takeOff()
      }
    },
  }
}

function graphOf(manager: ReturnType<typeof createCitationManager>, change: (tool: Tool) => Tool) {
  const tools = createToolRegistry(manager.adaptTools([searchTool, fetchTool]).map(change))
  return defineGraph<State>({
    name: 'cited',
    channels: {
      numbers: replace<readonly IndexEntry[]>([]),
      topic: replace(''),
      found: replace<JsonObject>({}),
      kept: replace<readonly MessageReference[]>([]),
      answer: replace(''),
      parallel_results: replace<readonly BranchResult[]>([]),
    },
    start: 'begin',
    nodes: {
      begin: async () => ({ numbers: new CitationIndex().toJSON() }),
      research: async ({ numbers, topic }, context) => {
        const index = CitationIndex.fromJSON(numbers)
        const model = context.services.models.forRole('researcher')
        const asked = question(context, `What is there about ${topic}? Begin at ${sharedUrl}.`)
        const { messages } = await manager.within(index, () =>
          runAgent(context, { model, tools, maxTurns: 5 }, [asked]),
        )
        const kept = keepCitedMessages(context, messages.slice(-1))
        return { found: { numbers: index.toJSON(), kept } }
      },
      join: async (state) => mergeFound(state),
      write: async ({ numbers, kept }, context) => {
        const index = CitationIndex.fromJSON(numbers)
        const model = context.services.models.forRole('finalizer')
        const messages = [
          question(context, 'Which of these answers agree?'),
          ...(await loadCitedMessages(context, kept)),
        ]
        return manager.within(index, async () => {
          const agent = { model, tools: createToolRegistry([]), maxTurns: 1 }
          const outcome = await runAgent(context, agent, messages)
          const answer = manager.toMarkdown(outcome.messages.at(-1) as Message)
          return { answer, numbers: index.toJSON() }
        })
      },
    },
    edges: {
      begin: {
        targets: ['research', 'join'],
        route: () => ({
          branches: topics.map((topic) => ({ node: 'research', patch: { topic } })),
          join: 'join',
        }),
      },
      research: 'join',
      join: 'write',
      write: end,
    },
  })
}

/** What the branches found, under the numbers of one index, in branch order. */
function mergeFound({ numbers, parallel_results }: State) {
  const index = CitationIndex.fromJSON(numbers)
  const kept = parallel_results.flatMap(({ patch }) => {
    const found = patch?.found as unknown as Found
    const moved = index.merge(CitationIndex.fromJSON(found.numbers))
    return found.kept.map((message) => renumberCitations(message, moved))
  })
  return { numbers: index.toJSON(), kept }
}

/** A message of a user. */
export function question(context: RunContext, text: string): Message {
  return {
    id: context.id('question'),
    role: 'user',
    parts: [{ type: 'text', text }],
    createdAt: context.now(),
  }
}
