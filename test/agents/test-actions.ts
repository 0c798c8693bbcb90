import * as z from 'zod'
import type {
  Action,
  ActionRegistry,
  ComposedAction,
  ToolAction,
} from '../../src/agents/actions/action.ts'
import { defineTool } from '../../src/kernel/agent/tool.ts'
import { ScholiumError } from '../../src/kernel/errors.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** What tools of a test did to the world. */
export interface World {
  /** What was written, in order. */
  readonly written: string[]
  /** What reading tools were given, in order. */
  readonly read: string[]
  /** Awaited by each call of a tool, so that a test decides which one ends first. */
  readonly turn?: () => Promise<void>
}

/** Actions for tests of the runner, with what they do to `world`. */
export function testActions(world: World): ActionRegistry {
  const all: readonly Action[] = [...calculating, ...looping, ...tools(world)]
  const byName = new Map(all.map((action) => [nameOf(action), action]))
  return { all, get: (name) => byName.get(name) }
}

/** The name of an action. */
export function nameOf(action: Action): string {
  return action.kind === 'tool' ? action.tool.name : action.name
}

function composed(
  name: string,
  run: ComposedAction['run'],
  more: Partial<ComposedAction> = {},
): ComposedAction {
  const facts = { description: name, result: 'what it gives', params: z.looseObject({}) }
  return { kind: 'composed', name, ...facts, run, ...more }
}

const calculating = [
  composed('state.set', async (params) => params),
  composed('core.switch', async ({ value = null }) => value),
  composed('core.return', async ({ value = null }) => value),
  composed('test.fail', async ({ message = 'it failed' }) => {
    throw new ScholiumError('tool_failed', String(message))
  }),
  composed('test.bug', async () => {
    throw new TypeError('a bug')
  }),
  composed('test.nothing', async () => null),
  composed('test.soft', async () => ({ error: 'not today', success: false })),
  composed('test.needed', async () => 1, { needs: 'reasoning' }),
  composed('test.tainted', async (_params, call) => call.isTainted),
]

const looping = [
  composed(
    'test.map',
    async ({ items, text = null, does }, call) => {
      const results: Json[] = []
      for (const [index, item] of (items as readonly Json[]).entries()) {
        const names = { item }
        const inner = does as { readonly uses: string; readonly with: JsonObject } | undefined
        const context = call.context.child(`${index + 1}`)
        results.push(
          inner === undefined
            ? call.render(text as Json, names)
            : await call.performWritten(inner.uses, inner.with, context, names),
        )
      }
      return results
    },
    { lateParams: ['text', 'does'] },
  ),
  composed(
    'test.rounds',
    async ({ rounds, code }, call) => {
      const results: Json[] = []
      for (let round = 1; round <= Number(rounds); round++) {
        const given = { language: 'python', code: String(code) } as const
        const context = call.context.child(`${round}`)
        results.push(await call.withState({ round }).runCode(given, context))
      }
      return results
    },
    { lateParams: ['code'] },
  ),
  composed('test.node', async ({ node }, call) =>
    call.performNode(String(node), call.context.child('node')).then(({ result }) => result),
  ),
]

function tools(world: World): readonly ToolAction[] {
  const tool = (declaration: Parameters<typeof defineTool>[0], params: z.ZodType): ToolAction => ({
    kind: 'tool',
    tool: defineTool({ ...declaration, input: params }),
    params,
    result: 'what it gives',
  })
  const text = z.strictObject({ text: z.string() })
  let failures = 0
  return [
    tool(
      {
        name: 'test.write',
        description: 'Writes down a text.',
        input: text,
        effect: 'write',
        async execute(input) {
          await world.turn?.()
          world.written.push((input as { readonly text: string }).text)
          return { written: true }
        },
      },
      text,
    ),
    tool(
      {
        name: 'test.read',
        description: 'Gives a text back.',
        input: text,
        effect: 'read',
        untrusted: 'results',
        async execute(input) {
          const { text: given } = input as { readonly text: string }
          await world.turn?.()
          world.read.push(given)
          return { text: given, length: given.length }
        },
      },
      text,
    ),
    tool(
      {
        name: 'test.flaky',
        description: 'Fails so many times.',
        input: z.strictObject({ times: z.number() }),
        effect: 'read',
        async execute(input) {
          const { times } = input as { readonly times: number }
          if (failures++ < times) {
            throw new ScholiumError('tool_failed', `failure ${failures}`, { retryable: true })
          }
          return { after: times }
        },
      },
      z.strictObject({ times: z.number() }),
    ),
  ]
}
