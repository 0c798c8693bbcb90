// A workflow of your own as a graph over a state: nodes, edges and channels, drawn as Mermaid.
import assert from 'node:assert/strict'
import * as z from 'zod'
import { append, defineGraph, end, replace, runGraph, toMermaid } from '../src/graph/index.ts'
import { createApp, defineWorkflow } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const toss = async () => (Math.random() < 0.5 ? 1 : -1)
const graph = defineGraph<{ readonly at: number; readonly path: readonly number[] }>({
  name: 'walk',
  channels: { at: replace(0), path: append<number>() },
  start: 'toss',
  nodes: {
    toss: async ({ at }, context) => {
      const coin = await context.step('coin', 'read', {}, toss)
      return { at: at + coin, path: [at + coin] }
    },
  },
  edges: { toss: { targets: ['toss', end], route: ({ path }) => (path[7] ? end : 'toss') } },
})
const walk = defineWorkflow({
  name: 'walk',
  input: z.object({ at: z.number() }),
  output: z.object({ path: z.array(z.number()).readonly() }),
  run: (context, input) => runGraph(graph, context.kernel, input),
})
const app = createApp({ home: temporaryFolder(), workflows: [walk] })
const { output } = await app.run(walk, { at: 300 })
console.log(`${toMermaid(graph)}\n${output.path.join(' → ')}`)
assert.equal(output.path.length, 8)
await app.close()
