import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { type BranchResult, defineGraph, end, replace, runGraph } from '../../src/graph/index.ts'
import {
  callModel,
  createToolRegistry,
  defineTool,
  type Execution,
  type Message,
  type ModelSource,
  messageText,
  type RunContext,
  type RunStore,
  resumeRun,
  runAgent,
  startRun,
  systemClock,
  type Tool,
  type ToolRegistry,
  type Workflow,
} from '../../src/kernel/index.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { currentOwner } from '../../src/stores/process-owner.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import {
  type FaultSubject,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from '../../src/testing/index.ts'

/** What was posted: each item `done`, or `unknown` when nobody can say whether it was. */
export type Posted = { readonly items: readonly string[]; readonly summary: string }

type PostState = {
  readonly item: string
  readonly items: readonly string[]
  readonly summary: string
  readonly parallel_results: readonly BranchResult[]
}

const words = ['one', 'two', 'three']

function asking(context: RunContext, text: string): readonly Message[] {
  const parts = [{ type: 'text' as const, text }]
  return [{ id: context.id('question'), role: 'user', parts, createdAt: context.now() }]
}

/** A tool that writes a line to a file. */
function appendTool(path: string): Tool {
  return defineTool({
    name: 'append_line',
    description: 'Appends a line to the file.',
    input: z.object({ line: z.string() }),
    effect: 'write',
    async execute({ line }) {
      appendFileSync(path, `${line}\n`)
      return { appended: line }
    },
  })
}

function postGraph(tools: ToolRegistry) {
  return defineGraph<PostState>({
    name: 'post',
    channels: {
      item: replace(''),
      items: replace<readonly string[]>([]),
      summary: replace(''),
      parallel_results: replace<readonly BranchResult[]>([]),
    },
    start: 'begin',
    nodes: {
      begin: async () => ({}),
      post: async ({ item }, context) => {
        const agent = { model: context.services.models.forRole('default'), tools, maxTurns: 3 }
        const { text } = await runAgent(context, agent, asking(context, `Append ${item}.`))
        return { item: `${item} ${text}` }
      },
      gather: async ({ parallel_results }) => ({
        items: parallel_results.map(({ patch }) => String(patch?.item)),
      }),
      summarise: async ({ items }, context) => {
        const model = context.services.models.forRole('default')
        const messages = asking(context, `Summarise: ${items.join(', ')}`)
        const { message } = await callModel(context, 'model', model, { messages })
        return { summary: messageText(message) }
      },
    },
    edges: {
      begin: {
        targets: ['post', 'gather'],
        route: () => ({
          branches: words.map((item) => ({ node: 'post', patch: { item } })),
          join: 'gather',
        }),
      },
      post: 'gather',
      gather: 'summarise',
      summarise: end,
    },
  })
}

/** An agent for each word, all at once, each of which writes a line with a tool; then a summary. */
export function postWorkflow(path: string, changeTool: (tool: Tool) => Tool = (tool) => tool) {
  const graph = postGraph(createToolRegistry([changeTool(appendTool(path))]))
  const workflow: Workflow<Record<string, never>, Posted> = {
    name: 'post',
    version: '1',
    promptHashes: {},
    title: () => 'post',
    async run(context) {
      const { items, summary } = await runGraph(graph, context, {})
      return { items, summary }
    },
    status: () => 'answered',
  }
  return workflow
}

/** Says what a good model would: writes once, and never again what may have been written. */
function reply({ lastRole, lastText }: { lastRole: string; lastText: string }): ScriptedReply {
  if (lastRole === 'tool')
    return { text: lastText.includes('unknown whether') ? 'unknown' : 'done' }
  const item = /^Append (\w+)/.exec(lastText)?.[1]
  if (item === undefined) return { text: `Posted ${lastText.match(/done/g)?.length ?? 0}.` }
  return { toolCalls: [{ name: 'append_line', input: { line: item } }] }
}

/** Starts the model that the agents ask. */
export function startPostModel(): Promise<ScriptedModel> {
  return startScriptedModel(reply)
}

/** How the workflow is driven. */
export function postExecution(store: RunStore, url: string, models?: ModelSource): Execution {
  return {
    store,
    owner: currentOwner(),
    clock: systemClock,
    models:
      models ??
      createModelSource({
        choices: { default: 'openai-compatible:scripted' },
        environment: { OPENAI_BASE_URL: url },
        builtIn: {},
      }),
    packageVersion: '0',
    configuration: {},
  }
}

/** How often each line stands in the file. */
export function linesIn(path: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  return counts
}

/** Whether a result that is not the clean one only says of some writes that their outcome is not known. */
export function isHonest({ items }: Posted): boolean {
  return (
    items.length === words.length &&
    items.every((item, index) =>
      [`${words[index]} done`, `${words[index]} unknown`].includes(item),
    ) &&
    items.some((item) => item.endsWith('unknown'))
  )
}

/** The workflow as a subject of faults inside of this process. */
export function postSubject(): FaultSubject<Posted> {
  return {
    parallelCalls: words.length,
    accepts: isHonest,
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'scholium-post-'))
      const path = join(folder, 'lines.txt')
      const model = await startPostModel()
      const store = openRunStore(join(folder, 'runs.db'))
      const workflow = postWorkflow(path)
      const execution = (view: RunStore) => postExecution(view, model.url)
      return {
        store,
        start: async (view) => {
          const { runId } = { runId: `post-${(await store.list()).length}` }
          return (await startRun(workflow, {}, runId, execution(view))).result
        },
        resume: async (view, runId) => (await resumeRun(workflow, runId, execution(view))).result,
        paidCalls: () => model.answered,
        writes: () => linesIn(path),
        async close() {
          await model.close()
          await store.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}
