import { join } from 'node:path'
import { createRoute, z } from '@hono/zod-openapi'
import { ScholiumError } from '../kernel/errors.ts'
import { findAgent, listAgents } from './agent-files.ts'
import { agentName } from './run-schemas.ts'
import { type Api, errors, json, type RunSite } from './run-site.ts'

const problems = z.array(
  z.looseObject({
    severity: z.enum(['error', 'warning']),
    code: z.string(),
    message: z.string(),
    line: z.int(),
    column: z.int(),
  }),
)

const checked = {
  isValid: z.boolean().openapi({ description: 'Whether it can be run.' }),
  problems,
}

const agentCheck = z.object(checked).openapi('AgentCheck')

const agentList = z
  .object({ agents: z.array(z.object({ agent: z.string(), isValid: z.boolean() })) })
  .openapi('Agents')

const agentDetails = z
  .object({
    agent: z.string(),
    ...checked,
    text: z
      .string()
      .optional()
      .openapi({ description: 'The file as it is written; absent if a secret is written in it.' }),
    mermaid: z.string().optional().openapi({ description: 'Its graph, if it is valid.' }),
    picture: z.looseObject({ nodes: z.array(z.string()) }).optional(),
    inputSchema: z
      .looseObject({})
      .optional()
      .openapi({ description: 'The form of its input, as JSON Schema.' }),
  })
  .openapi('AgentDetails')

const list = createRoute({
  method: 'get',
  path: '/api/agents',
  summary: "The agent files of the operator's folder.",
  responses: { 200: json(agentList, 'The agents.'), ...errors },
})

const show = createRoute({
  method: 'get',
  path: '/api/agents/{name}',
  summary: 'An agent file with its graph, the form of its input and its problems.',
  request: { params: z.object({ name: agentName }) },
  responses: { 200: json(agentDetails, 'The agent.'), ...errors },
})

const validate = createRoute({
  method: 'post',
  path: '/api/agents/validate',
  summary: 'Check the text of an agent file without running it.',
  request: {
    body: {
      required: true,
      content: {
        'application/json': { schema: z.strictObject({ text: z.string().max(100_000) }) },
      },
    },
  },
  responses: { 200: json(agentCheck, 'Its problems.'), ...errors },
})

/** Adds the routes of agent files. They are read only: a file that they name lies in the operator's folder, or is not read. */
export function addAgentRoutes(api: Api, site: RunSite): void {
  const { app, policy, form } = site
  const { agentsFolder = '' } = policy
  const options = { within: agentsFolder }
  const check = async (path: string, given?: string): Promise<z.infer<typeof agentCheck>> => {
    try {
      const text = given ?? (await app.agentText(path))
      const { isValid, problems } = await app.validateAgent({ path, text }, options)
      return { isValid, problems: problems.map((problem) => ({ ...problem })) }
    } catch (error) {
      if (!(error instanceof ScholiumError) || error.code !== 'invalid_input') throw error
      return { isValid: false, problems: [unreadable(error)] }
    }
  }
  api.openapi(list, async (c) => {
    const agents: z.infer<typeof agentList>['agents'] = []
    for (const agent of await listAgents(policy)) {
      const { isValid } = await check(await findAgent(policy, agent))
      agents.push({ agent, isValid })
    }
    return c.json({ agents }, 200)
  })
  api.openapi(show, async (c) => {
    const { name: agent } = c.req.valid('param')
    const path = await findAgent(policy, agent)
    const text = await app.agentText(path)
    const outcome = await check(path, text)
    const isSecret = outcome.problems.some(({ code }) => code === 'SECRET_IN_FILE')
    const shown = { agent, ...outcome, ...(isSecret ? {} : { text }) }
    if (!outcome.isValid) return c.json(form.of(shown), 200)
    const { mermaid, picture, document } = await app.inspectAgent({ path, text }, options)
    const inputSchema = { type: 'object', ...document.inputSchema }
    const drawn = { mermaid, picture: { ...picture, nodes: [...picture.nodes] }, inputSchema }
    return c.json(form.of({ ...shown, ...drawn }), 200)
  })
  api.openapi(validate, async (c) => {
    const { text } = c.req.valid('json')
    return c.json(form.of(await check(join(agentsFolder, 'agent.yaml'), text)), 200)
  })
}

/** The problem of a file that cannot be read, or names one. */
function unreadable({ message }: ScholiumError): z.infer<typeof problems>[number] {
  return { severity: 'error', code: 'IMPORT_FAILED', message, line: 1, column: 1 }
}
