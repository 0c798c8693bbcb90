import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { HeldModel, question, readEvents, ServedApp } from './served-app.ts'

/** The published compliance list of Open Responses, with questions that the served library answers, and what Scholium does with each. */
const held = new HeldModel()
const served = new ServedApp()
const model = 'scholium/ask'
beforeAll(async () => {
  await held.start()
  await served.start({}, held.options)
})
afterAll(async () => {
  await served.close()
  await held.model?.close()
})

const item = z.looseObject({ type: z.string(), id: z.string(), status: z.string() })
const nothing = z.null()

/** The fields that the published form requires of a response. */
const responseForm = z.looseObject({
  id: z.string().min(1),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  model: z.string(),
  output: z.array(item),
  usage: z
    .object({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    })
    .nullable(),
  metadata: z.record(z.string(), z.string()),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  tools: z.array(z.unknown()),
  tool_choice: z.union([z.string(), z.object({})]),
  parallel_tool_calls: z.boolean(),
  truncation: z.literal('disabled'),
  text: z.object({ format: z.object({ type: z.literal('text') }) }),
  reasoning: z.object({ effort: nothing, summary: nothing }),
  temperature: z.number(),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  max_output_tokens: nothing,
  max_tool_calls: nothing,
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  safety_identifier: nothing,
  prompt_cache_key: nothing,
})

/** What each event of a stream has. */
const place = { item_id: z.string(), output_index: z.int() }
const ofText = { ...place, content_index: z.int() }
const ofSummary = { ...place, summary_index: z.int() }
const eventForms: Readonly<Record<string, z.ZodRawShape>> = {
  'response.created': { response: responseForm },
  'response.in_progress': { response: responseForm },
  'response.completed': { response: responseForm },
  'response.output_item.added': { output_index: z.int(), item },
  'response.output_item.done': { output_index: z.int(), item },
  'response.reasoning_summary_part.added': { ...ofSummary, part: z.unknown() },
  'response.reasoning_summary_text.delta': { ...ofSummary, delta: z.string() },
  'response.reasoning_summary_text.done': { ...ofSummary, text: z.string() },
  'response.reasoning_summary_part.done': { ...ofSummary, part: z.unknown() },
  'response.content_part.added': { ...ofText, part: z.unknown() },
  'response.output_text.delta': { ...ofText, delta: z.string() },
  'response.output_text.annotation.added': {
    ...ofText,
    annotation_index: z.int(),
    annotation: z.unknown(),
  },
  'response.output_text.done': { ...ofText, text: z.string() },
  'response.content_part.done': { ...ofText, part: z.unknown() },
}

const say = (role: string, content: unknown) => ({ type: 'message', role, content })
const post = (body: object) => served.call('post', '/v1/responses', { model, ...body })

async function completed(body: object) {
  const { status, body: response } = await post(body)
  expect([status, response.status]).toEqual([200, 'completed'])
  expect(responseForm.parse(response).output.map(({ type }) => type)).toContain('message')
  return response
}

describe('of the compliance list of Open Responses', () => {
  it('basic-response, system-prompt and multi-turn are completed', async () => {
    await completed({ input: [say('user', question)] })
    await completed({
      input: [say('system', 'Always speak like a pirate.'), say('user', question)],
    })
    await completed({
      input: [
        say('user', 'My name is Ada.'),
        say('assistant', 'Hello Ada.'),
        say('user', question),
      ],
    })
  })

  it('streaming-response has the published events, in order, and ends with the response', async () => {
    const response = await served.fetch('/v1/responses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: [say('user', question)], stream: true }),
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const body = new Response(text.replace('data: [DONE]\n\n', ''))
    const events = await Array.fromAsync(readEvents(body))
    for (const [index, { id, type, data }] of events.entries()) {
      expect(id).toBeUndefined()
      expect(data).toMatchObject({ type, sequence_number: index })
      z.looseObject(eventForms[type] ?? { unknown: z.never() }).parse(data)
    }
    expect(events.at(-1)?.data.response.status).toBe('completed')
  })

  it('previous-response-id follows up', async () => {
    const first = await completed({ input: question })
    await completed({ input: 'At what temperature does it melt?', previous_response_id: first.id })
  })

  it('file-search and offline-web-search are completed', async () => {
    await completed({ input: question, tools: [{ type: 'file_search', vector_store_ids: ['x'] }] })
    await completed({
      input: question,
      tools: [{ type: 'web_search', external_web_access: false }],
    })
  })

  it('file-input is completed', async () => {
    const file_data = Buffer.from('# Notes\n\nIt is a mineral.\n').toString('base64')
    const file = { type: 'input_file', filename: 'notes.md', file_data }
    await completed({ input: [say('user', [{ type: 'input_text', text: question }, file])] })
  })

  it('image-input is refused with a reason', async () => {
    const { status, body } = await post({
      input: [say('user', [{ type: 'input_image', image_url: 'data:' }])],
    })
    expect([status, body.error.code]).toEqual([400, 'unsupported_value'])
    expect(body.error.message).toContain('images')
  })
})
