import { z } from '@hono/zod-openapi'

const maxTextChars = 100_000

/** A file that is sent with a message. */
const file = {
  filename: z.string().max(1_000).nullish(),
  file_data: z.string().nullish().openapi({ description: 'Base64, or a data URL of it.' }),
}

/** A part of a message. Other types than text and files are refused with a reason. */
const part = z.looseObject({
  type: z.string(),
  ...file,
  file: z.looseObject(file).optional(),
  text: z.string().max(maxTextChars).optional(),
  refusal: z.string().max(maxTextChars).nullish(),
})

const content = z.union([z.string().max(maxTextChars), z.array(part).max(100)])

const message = z.looseObject({
  type: z.string().optional(),
  role: z.string().optional(),
  id: z.string().max(200).nullish(),
  content: content.nullish(),
  /** Of calls of functions, and their results. */
  name: z.string().max(200).nullish(),
  arguments: z.string().max(maxTextChars).nullish(),
  call_id: z.string().max(200).nullish(),
  tool_call_id: z.string().max(200).nullish(),
  output: content.nullish(),
})

/** An item or a message, as clients send it. */
export type GivenMessage = z.infer<typeof message>

const tool = z.looseObject({ type: z.string() })
const toolChoice = z.union([z.string(), z.looseObject({})]).nullish()

/** The body of `POST /v1/responses`, as far as Scholium uses or refuses it. */
export const responsesRequest = z
  .looseObject({
    model: z.string().max(200),
    input: z.union([z.string().max(maxTextChars), z.array(message).min(1).max(1_000)]),
    instructions: z.string().max(maxTextChars).nullish(),
    previous_response_id: z.string().max(200).nullish(),
    conversation: z.unknown().optional(),
    stream: z.boolean().nullish(),
    background: z.boolean().nullish(),
    store: z.boolean().nullish(),
    metadata: z
      .record(z.string().max(64), z.string().max(512))
      .refine((pairs) => Object.keys(pairs).length <= 16, 'has more than 16 pairs')
      .nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: toolChoice,
    text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  })
  .openapi('ResponsesRequest')

/** The body of `POST /v1/chat/completions`, as far as Scholium uses or refuses it. */
export const chatRequest = z
  .looseObject({
    model: z.string().max(200),
    messages: z.array(message).min(1).max(1_000),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
    n: z.int().nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: toolChoice,
    response_format: z.looseObject({ type: z.string() }).nullish(),
  })
  .openapi('ChatRequest')

/** The query of `GET /v1/responses/{id}`. */
export const retrieveQuery = z.looseObject({
  stream: z.enum(['true', 'false']).optional(),
  starting_after: z.coerce.number().int().min(0).optional(),
})

/** @see OpenAiError */
export const openAiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .openapi('OpenAiError')

/** The models that programs can name. */
export const modelList = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        id: z.string(),
        object: z.literal('model'),
        created: z.int(),
        owned_by: z.string(),
      }),
    ),
  })
  .openapi('ModelList')

/** A response of Open Responses. */
export const responseBody = z
  .looseObject({ id: z.string(), object: z.literal('response'), status: z.string() })
  .openapi('Response')

/** A chat completion. */
export const chatBody = z
  .looseObject({ id: z.string(), object: z.literal('chat.completion') })
  .openapi('ChatCompletion')

/** A response that was deleted. */
export const deletedBody = z
  .object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) })
  .openapi('DeletedResponse')
