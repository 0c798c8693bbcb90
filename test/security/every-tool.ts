import { agentActions } from '../../src/app/agents/agent-actions.ts'
import type { AppParts } from '../../src/app/app-parts.ts'
import { researchTool } from '../../src/app/code/more-tools.ts'
import { acceptLooseArguments } from '../../src/code/tools/code-tool.ts'
import type { Json, JsonObject, Tool } from '../../src/kernel/index.ts'
import { createCalculationTools } from '../../src/tools/calculator/calculation-tools.ts'
import { createLibraryTools } from '../../src/tools/library/library-tools.ts'
import { createPythonTool } from '../../src/tools/python/python-tool.ts'
import { createWebTools } from '../../src/tools/web/web-tools.ts'
import { toolWorld } from '../code/tool-world.ts'

/** A tool of some workflow, with arguments that it takes. */
export interface ToolUnderAttack {
  readonly whose: 'code' | 'ask' | 'agents'
  readonly tool: Tool
  readonly input: JsonObject
}

const nowhere = {} as never

/** Every tool that a model can be offered, papers aside: its models are offered none. */
export async function everyTool(): Promise<readonly ToolUnderAttack[]> {
  const skill = { name: 'a', description: 'b', folder: '/c', files: [] } as never
  const world = await toolWorld({ web: nowhere, skills: [skill] })
  const code = [...world.tools.map(acceptLooseArguments), researchTool({} as AppParts, false)]
  const ask = [
    ...createLibraryTools(nowhere),
    ...createCalculationTools(),
    ...createWebTools({ web: { kagi: {} }, places: nowhere, ledger: nowhere } as never),
    createPythonTool(nowhere),
  ]
  const agents = agentActions({}, { features: {}, providers: [] }).all.flatMap((action) =>
    action.kind === 'tool' ? [action.tool] : [],
  )
  await world.close()
  const found = (whose: ToolUnderAttack['whose'], tools: readonly Tool[]) =>
    tools.map((tool) => ({ whose, tool, input: inputOf(tool) }))
  return [...found('code', code), ...found('ask', ask), ...found('agents', agents)]
}

/** Arguments of tools of which the schema alone does not say enough. */
const inputs: Readonly<Record<string, JsonObject>> = {
  bash: { command: 'rm -r zoo/d', timeout_seconds: 5 },
  edit: { path: 'a', old_text: 'b', new_text: 'c "d" {e}' },
  fetch: { url: 'https://a.example' },
  write: { path: 'a', content: '// "head"\n{}' },
}

/** The required arguments of a tool, or one of its others; text first, since that is what can be half. */
function inputOf({ name, parameters }: Tool): JsonObject {
  const known = inputs[name]
  if (known !== undefined) return known
  const { properties = {}, required = [] } = parameters as {
    properties?: Readonly<Record<string, JsonObject>>
    required?: readonly string[]
  }
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((key) => [key, sampleOf(properties[key] ?? {})]))
}

function sampleOf(schema: JsonObject): Json {
  const { type, anyOf, enum: values, const: value, items, minItems, properties, required } = schema
  if (value !== undefined) return value
  if (Array.isArray(values)) return values[0] as Json
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0] as JsonObject)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'integer':
    case 'number':
      return 12
    case 'boolean':
      return true
    case 'array':
      return minItems === 0 ? [] : [sampleOf((items ?? {}) as JsonObject)]
    case 'object': {
      const members = (properties ?? {}) as Readonly<Record<string, JsonObject>>
      const names = (required ?? []) as readonly string[]
      return Object.fromEntries(names.map((key) => [key, sampleOf(members[key] ?? {})]))
    }
    default:
      return 'ab'
  }
}
