import { createRoute, type z } from '@hono/zod-openapi'
import { interruptRun } from '../interrupt-run.ts'
import { removeRun } from '../removed-runs.ts'
import { runParams } from '../run-schemas.ts'
import { type Api, findVisible, json, type RunSite } from '../run-site.ts'
import type { Principal } from '../tokens.ts'
import { type Asked, listModels } from './asked-run.ts'
import { chatFrames, toChatCompletion } from './chat-completion.ts'
import { OpenAiRequestError } from './openai-error.ts'
import {
  chatBody,
  chatRequest,
  deletedBody,
  modelList,
  openAiError,
  responseBody,
  responsesRequest,
  retrieveQuery,
} from './openai-schemas.ts'
import { openOpenAiStream, streamHeaders } from './openai-stream.ts'
import { followProgress, outputOf, readOutput, responseEvents } from './response-events.ts'
import { type AnsweredRun, readAnswered, toEcho, toResponse } from './response-resource.ts'
import { startAsked } from './start-asked.ts'

const errors = {
  default: {
    description: "An error, in OpenAI's form.",
    content: { 'application/json': { schema: openAiError } },
  },
} as const

/** An answer with a JSON body, or with events if the request asks for a stream. */
const jsonOrEvents = <Schema extends z.ZodType>(schema: Schema, description: string) => {
  const { content } = json(schema, description)
  return {
    description,
    content: { ...content, 'text/event-stream': { schema: { type: 'string' } } },
  } as const
}

const models = createRoute({
  method: 'get',
  path: '/v1/models',
  summary: 'List the models that programs can name.',
  responses: { 200: json(modelList, 'The models.'), ...errors },
})

const create = createRoute({
  method: 'post',
  path: '/v1/responses',
  summary: 'Ask, in the form of Open Responses. The id of a response is that of its run.',
  request: {
    body: { required: true, content: { 'application/json': { schema: responsesRequest } } },
  },
  responses: { 200: jsonOrEvents(responseBody, 'The response, or its events.'), ...errors },
})

const retrieve = createRoute({
  method: 'get',
  path: '/v1/responses/{id}',
  summary: 'Get a response, or its events after one of them.',
  request: { params: runParams, query: retrieveQuery },
  responses: { 200: jsonOrEvents(responseBody, 'The response, or its events.'), ...errors },
})

const cancel = createRoute({
  method: 'post',
  path: '/v1/responses/{id}/cancel',
  summary: 'Interrupt the run of a response.',
  request: { params: runParams },
  responses: { 200: json(responseBody, 'The response.'), ...errors },
})

const remove = createRoute({
  method: 'delete',
  path: '/v1/responses/{id}',
  summary: 'Delete a response with its run.',
  request: { params: runParams },
  responses: { 200: json(deletedBody, 'It is gone.'), ...errors },
})

const chat = createRoute({
  method: 'post',
  path: '/v1/chat/completions',
  summary: 'Ask, in the form of chat completions.',
  request: { body: { required: true, content: { 'application/json': { schema: chatRequest } } } },
  responses: { 200: jsonOrEvents(chatBody, 'The answer, or its chunks.'), ...errors },
})

/** Adds the routes for programs that speak OpenAI's API. @param publicUrl where a proxy offers the server */
export function addOpenAiRoutes(api: Api, site: RunSite, publicUrl: string | undefined): void {
  const baseOf = (url: string) => publicUrl?.replace(/\/$/, '') ?? new URL(url).origin
  addResponseRoutes(api, site, baseOf)
  addStoredRoutes(api, site, baseOf)
  api.openapi(models, async (c) => {
    const data = (await listModels(site)).map((id) => ({
      id,
      object: 'model' as const,
      created: 0,
      owned_by: 'scholium',
    }))
    return c.json({ object: 'list' as const, data }, 200)
  })
  api.openapi(chat, async (c) => {
    const { model, messages, tools, stream, n, ...given } = c.req.valid('json')
    if (n != null && n !== 1)
      throw new OpenAiRequestError(
        'unsupported_value',
        'n',
        'There is one answer: n can only be 1.',
      )
    const format = given.response_format?.type
    const asked = { model, messages, tools, toolChoice: given.tool_choice, format }
    const principal = c.get('principal')
    const baseUrl = baseOf(c.req.url)
    if (stream !== true) {
      const runId = await startAsked(site, asked, principal)
      const { answered } = await waitFor(
        site,
        { runId, baseUrl, signal: c.req.raw.signal },
        principal,
      )
      // A client that tries again would start the run anew.
      c.header('X-Should-Retry', 'false')
      return c.json(toChatCompletion(answered), 200)
    }
    const withUsage = given.stream_options?.include_usage === true
    const frames = await openOpenAiStream({ ...site, principal }, async () => {
      const runId = await startAsked(site, asked, principal)
      return {
        events: (signal) => chatFrames(site, { runId, baseUrl, signal }, { model, withUsage }),
        connection: c.env.outgoing,
        onLeave: () => interruptRun(site, runId, principal),
      }
    })
    return c.body(frames, 200, streamHeaders) as never
  })
}

type BaseOf = (url: string) => string

function addResponseRoutes(api: Api, site: RunSite, baseOf: BaseOf): void {
  api.openapi(create, async (c) => {
    const request = c.req.valid('json')
    const { model, input, instructions, tools, background, stream } = request
    if (request.conversation != null)
      throw new OpenAiRequestError(
        'unsupported_value',
        'conversation',
        'There are no conversations here. Follow up with previous_response_id.',
      )
    if (request.store === false)
      throw new OpenAiRequestError(
        'unsupported_value',
        'store',
        'Every run is recorded. Leave store out, and delete the response when you have it.',
      )
    const asked: Asked = {
      model,
      messages: typeof input === 'string' ? [{ role: 'user', content: input }] : input,
      instructions,
      previous: request.previous_response_id,
      tools,
      toolChoice: request.tool_choice,
      format: request.text?.format?.type,
    }
    const principal = c.get('principal')
    const start = () => startAsked(site, asked, principal, { request: toEcho(request) })
    const baseUrl = baseOf(c.req.url)
    if (stream === true) {
      const frames = await openOpenAiStream({ ...site, principal }, async () => {
        const runId = await start()
        return {
          events: (signal) => responseFrames(site, { runId, baseUrl, signal }),
          connection: c.env.outgoing,
          onLeave: async () => background === true || interruptRun(site, runId, principal),
        }
      })
      return c.body(frames, 200, streamHeaders) as never
    }
    const runId = await start()
    if (background === true) return c.json(await describe(site, runId, baseUrl), 200)
    const { answered, lines } = await waitFor(
      site,
      { runId, baseUrl, signal: c.req.raw.signal },
      principal,
    )
    return c.json(toResponse(answered, outputOf(answered, lines)), 200)
  })
}

function addStoredRoutes(api: Api, site: RunSite, baseOf: BaseOf): void {
  api.openapi(retrieve, async (c) => {
    const principal = c.get('principal')
    const { runId } = await findVisible(site, c.req.valid('param').id, principal)
    const { stream, starting_after: after = -1 } = c.req.valid('query')
    const baseUrl = baseOf(c.req.url)
    if (stream !== 'true') return c.json(await describe(site, runId, baseUrl), 200)
    const frames = await openOpenAiStream({ ...site, principal }, async () => ({
      events: (signal) => responseFrames(site, { runId, baseUrl, signal }, after),
      connection: c.env.outgoing,
      onLeave: async () => {},
    }))
    return c.body(frames, 200, streamHeaders) as never
  })
  api.openapi(cancel, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    await interruptRun(site, runId, c.get('principal'))
    return c.json(await describe(site, runId, baseOf(c.req.url)), 200)
  })
  api.openapi(remove, async (c) => {
    const { runId } = await findVisible(site, c.req.valid('param').id, c.get('principal'))
    await removeRun(site, runId, c.get('principal'))
    return c.json({ id: runId, object: 'response' as const, deleted: true as const }, 200)
  })
}

interface Wait {
  readonly runId: string
  readonly baseUrl: string
  readonly signal: AbortSignal
}

/** Waits until a run has ended. A program that leaves interrupts it. */
async function waitFor(
  site: RunSite,
  wait: Wait,
  principal: Principal,
): Promise<{ readonly answered: AnsweredRun; readonly lines: readonly string[] }> {
  const lines: string[] = []
  const progress = followProgress(site, wait)
  for (;;) {
    const step = await progress.next()
    if (step.done !== true) lines.push(step.value.text)
    else if (step.value !== undefined) return { answered: step.value.answered, lines }
    else break
  }
  await interruptRun(site, wait.runId, principal)
  return { answered: await readAnswered(site, wait.runId, wait.baseUrl), lines }
}

async function describe(site: RunSite, runId: string, baseUrl: string) {
  const answered = await readAnswered(site, runId, baseUrl)
  return toResponse(answered, await readOutput(site, answered))
}

async function* responseFrames(
  site: RunSite,
  wait: Wait,
  after = -1,
): AsyncGenerator<string, void> {
  for await (const event of responseEvents(site, wait))
    if (event.sequence_number > after)
      yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
