import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  completable,
  fromJsonSchema,
  inputRequired,
  type McpServer,
  type RequestStateCodec,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What the conformance suite calls by name. It tests the protocol, not what Scholium does. */

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='
const pause = (timeMs: number) => new Promise((resolve) => setTimeout(resolve, timeMs))
const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] })
const user = <Content>(content: Content) => ({ role: 'user' as const, content })

/** Adds them. */
export function addFixtures(server: McpServer, states: RequestStateCodec<string>): void {
  addContents(server)
  addConversations(server)
  addResources(server)
  addPrompts(server)
  addInputTools(server, states)
}

function addContents(server: McpServer): void {
  const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
  const resource = (uri: string) => ({
    type: 'resource' as const,
    resource: { uri, mimeType: 'text/plain', text: 'This is an embedded resource content.' },
  })
  const contents = {
    test_simple_text: () => text('This is a simple text response for testing.'),
    test_image_content: () => ({ content: [image] }),
    test_audio_content: () => ({
      content: [{ type: 'audio' as const, data: wav, mimeType: 'audio/wav' }],
    }),
    test_embedded_resource: () => ({ content: [resource('test://embedded-resource')] }),
    test_multiple_content_types: () => ({
      content: [...text('Multiple content types test:').content, image, resource('test://mixed')],
    }),
    test_error_handling: () => {
      throw new Error('This tool intentionally returns an error for testing')
    },
  }
  for (const [name, answer] of Object.entries(contents))
    server.registerTool(name, { description: name }, answer)
  const inputSchema = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Of the suite.', inputSchema },
    () => text('ok'),
  )
}

function addConversations(server: McpServer): void {
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Of the suite.' },
    async ({ mcpReq: { _meta, notify } }) => {
      for (const progress of [0, 50, 100]) {
        const progressToken = _meta?.progressToken
        if (progressToken !== undefined)
          await notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100 },
          })
        await pause(50)
      }
      return text('done')
    },
  )
  for (const name of ['test_tool_with_logging', 'test_logging_tool'])
    server.registerTool(name, { description: 'Of the suite.' }, async ({ mcpReq }) => {
      for (const said of ['started', 'processing data', 'completed']) {
        await mcpReq.log('info', `Tool ${said}`)
        await pause(50)
      }
      return text('done')
    })
  server.registerTool('test_missing_capability', { description: 'Of the suite.' }, (() =>
    inputRequired({ inputRequests: { question: sample() } })) as never)
  server.registerTool('test_streaming_elicitation', { description: 'Of the suite.' }, ((
    _: unknown,
  ) => inputRequired({ inputRequests: { user_name: elicit('name') } })) as never)
  server.registerTool('test_trigger_tool_change', { description: 'Of the suite.' }, () => {
    server.sendToolListChanged()
    return text('done')
  })
  server.registerTool('test_trigger_prompt_change', { description: 'Of the suite.' }, () => {
    server.sendPromptListChanged()
    return text('done')
  })
}

function addResources(server: McpServer): void {
  const plain = { mimeType: 'text/plain' }
  server.registerResource('static-text', 'test://static-text', plain, ({ href: uri }) => ({
    contents: [{ uri, ...plain, text: 'This is the content of the static text resource.' }],
  }))
  const picture = { mimeType: 'image/png' }
  server.registerResource('static-binary', 'test://static-binary', picture, ({ href: uri }) => ({
    contents: [{ uri, ...picture, blob: png }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href: uri }, { id }) => ({
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, data: 'Data' }) }],
    }),
  )
}

function addPrompts(server: McpServer): void {
  const said = (one: string) => user({ type: 'text' as const, text: one })
  server.registerPrompt('test_simple_prompt', { description: 'Of the suite.' }, () => ({
    messages: [said('A simple prompt.')],
  }))
  const argsSchema = z.object({
    arg1: completable(z.string(), (value) =>
      ['paris', 'park'].filter((one) => one.startsWith(value)),
    ),
    arg2: z.string(),
  })
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Of the suite.', argsSchema },
    ({ arg1, arg2 }) => ({
      messages: [said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  )
  const resourceUri = z.object({ resourceUri: z.string() })
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Of the suite.', argsSchema: resourceUri },
    (given) => ({
      messages: [
        user({
          type: 'resource' as const,
          resource: { uri: given.resourceUri, mimeType: 'text/plain', text: 'Embedded.' },
        }),
        said('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Of the suite.' }, () => ({
    messages: [
      user({ type: 'image' as const, data: png, mimeType: 'image/png' }),
      said('Please analyze the image above.'),
    ],
  }))
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Of the suite.' },
    ({ mcpReq }) => {
      const given = acceptedContent(mcpReq.inputResponses, 'user_context')
      return given === undefined
        ? inputRequired({ inputRequests: { user_context: elicit('context') } })
        : { messages: [said(String(given.context))] }
    },
  )
}

const elicit = (name: string) =>
  inputRequired.elicit({
    message: `What is the ${name}?`,
    requestedSchema: z.object({ [name]: name === 'ok' ? z.boolean() : z.string() }),
  })
const sample = () =>
  inputRequired.createMessage({
    messages: [user({ type: 'text' as const, text: 'What is the capital of France?' })],
    maxTokens: 100,
  })

function addInputTools(server: McpServer, states: RequestStateCodec<string>): void {
  const asking = (name: string, answer: (request: ServerContext) => unknown) =>
    server.registerTool(
      `test_input_required_result_${name}`,
      { description: 'Of the suite.' },
      answer as never,
    )
  asking('elicitation', ({ mcpReq: { inputResponses } }) => {
    const given = acceptedContent(inputResponses, 'user_name', z.object({ name: z.string() }))
    return given === undefined
      ? inputRequired({ inputRequests: { user_name: elicit('name') } })
      : text(`Hello, ${given.name}!`)
  })
  asking('sampling', ({ mcpReq: { inputResponses } }) =>
    inputResponses?.capital_question === undefined
      ? inputRequired({ inputRequests: { capital_question: sample() } })
      : text(JSON.stringify(inputResponses.capital_question)),
  )
  asking('list_roots', ({ mcpReq: { inputResponses } }) =>
    inputResponses?.client_roots === undefined
      ? inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
      : text(JSON.stringify(inputResponses.client_roots)),
  )
  for (const name of ['request_state', 'tampered_state'])
    asking(name, async (request) => {
      if (request.mcpReq.requestState<string>() === 'confirming') return text('state-ok')
      const requestState = await states.mint('confirming', request)
      return inputRequired({ inputRequests: { confirm: elicit('ok') }, requestState })
    })
  asking('multiple_inputs', async (request) =>
    request.mcpReq.inputResponses === undefined
      ? inputRequired({
          inputRequests: {
            user_name: elicit('name'),
            greeting: sample(),
            client_roots: inputRequired.listRoots(),
          },
          requestState: await states.mint('asking', request),
        })
      : text('done'),
  )
  asking('multi_round', async (request) => {
    const { inputResponses = {} } = request.mcpReq
    if (inputResponses.step2 !== undefined) return text('done')
    const step = inputResponses.step1 === undefined ? 'step1' : 'step2'
    const requestState = await states.mint(step, request)
    const question = elicit(step === 'step1' ? 'name' : 'color')
    return inputRequired({ inputRequests: { [step]: question }, requestState })
  })
  asking('capabilities', (request) => {
    const { sampling, elicitation } = capabilitiesOf(request)
    return inputRequired({
      inputRequests: {
        ...(sampling && { question: sample() }),
        ...(elicitation && { user_name: elicit('name') }),
      },
    })
  })
}

function capabilitiesOf({ mcpReq: { envelope } }: ServerContext): ClientCapabilities {
  const known: Readonly<Record<string, ClientCapabilities>> = { ...envelope }
  return known[CLIENT_CAPABILITIES_META_KEY] ?? {}
}
