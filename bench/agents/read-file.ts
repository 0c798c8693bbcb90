import * as z from 'zod'
import type { Action, ActionRegistry } from '../../src/agents/actions/action.ts'
import type { AgentDocument } from '../../src/agents/document/agent-document.ts'
import { readAgentDocument } from '../../src/agents/document/read-document.ts'
import { createTemplates } from '../../src/agents/templates/templates.ts'
import { defineTool } from '../../src/kernel/agent/tool.ts'

const looseParams = z.looseObject({})
const echoParams = z.strictObject({ text: z.string() })

const all: readonly Action[] = [
  {
    kind: 'composed',
    name: 'state.set',
    description: 'Gives its parameters.',
    params: looseParams,
    result: 'its parameters',
    run: async (params) => params,
  },
  {
    kind: 'tool',
    params: echoParams,
    result: 'the text',
    tool: defineTool({
      name: 'test.echo',
      description: 'Gives its text.',
      input: echoParams,
      effect: 'read',
      execute: async (input) => input,
    }),
  },
]

/** Two actions that cost next to nothing. */
export const actions: ActionRegistry = {
  all,
  get: (name) => all.find((action) => nameOf(action) === name),
}

function nameOf(action: Action): string {
  return action.kind === 'tool' ? action.tool.name : action.name
}

/** The document of a file's text. */
export async function documentOf(text: string): Promise<AgentDocument> {
  const known = all.map((action) => ({ name: nameOf(action), params: action.params }))
  const checks = {
    actions: new Map(known.map((action) => [action.name, action])),
    refused: new Map<string, string>(),
    templates: await createTemplates(),
  }
  const outcome = await readAgentDocument(text, { path: 'bench.yaml', checks })
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems))
  return outcome.document
}
