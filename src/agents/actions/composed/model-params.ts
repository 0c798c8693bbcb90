import * as z from 'zod'
import type { Message } from '../../../kernel/agent/message.ts'
import { type Arrival, fromOpenAiMessages } from '../../../kernel/model/open-ai-messages.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { refusedParam, unusedParam } from '../action.ts'

const providerNames = 'a provider, as in ollama or openai'
const noLocal = 'models are reached through a service'

/** How a model is chosen and called: of every action that asks one. */
export const modelParams = {
  model: z
    .string()
    .nullish()
    .describe(
      'provider:model, as in ollama:llama3.2; a name without its provider stands for the model of the run.',
    ),
  provider: z
    .string()
    .refine(
      (name) => name !== 'shell' && name !== 'local',
      `must be ${providerNames}: programs and files of models are not run`,
    )
    .nullish()
    .describe('The provider, where model does not name it.'),
  api_base: z
    .string()
    .nullish()
    .describe(
      'Not used: models are asked at the address that is configured; the log says so where this is another.',
    ),
  deployment: z.string().nullish().describe('The deployment of an Azure model.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullish()
    .describe(
      'From 0 (always the likeliest word) to 2. Default: settings.llm.temperature, else 0.7.',
    ),
  max_tokens: z.int().min(1).nullish().describe('How long the answer may be.'),
  timeout: z
    .number()
    .positive()
    .max(604_800)
    .nullish()
    .describe('Seconds that one call may take. Default: settings.llm.timeout, else 300.'),
  shell_provider: refusedParam('programs that answer prompts are not run'),
}

/** Where an answer ends and how its words are chosen: of actions that ask once. */
export const wordingParams = {
  stop: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .describe('A text, or several, before which an answer ends.'),
  top_p: z.number().min(0).max(1).nullish().describe('The share of likely words that are taken.'),
  seed: z.int().nullish().describe('A number with which a service may answer the same again.'),
  presence_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('From -2 to 2: how much words are avoided that were said.'),
  frequency_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('From -2 to 2: the same, by how often they were said.'),
  backend: unusedParam(noLocal),
  n_ctx: unusedParam(noLocal),
  n_threads: unusedParam(noLocal),
  n_gpu_layers: unusedParam(noLocal),
  opik_trace: unusedParam('every call is in the trace of the run'),
}

/** {@link wordingParams} as they are given. */
export type WordingParams = {
  readonly [Key in keyof typeof wordingParams]?: z.output<(typeof wordingParams)[Key]>
}

/** Which model, and how it is called. */
export type ModelParams = {
  readonly [Key in keyof typeof modelParams]?: z.output<(typeof modelParams)[Key]>
}

/** How often a call is tried again when the service fails, beyond the three attempts that every call has. */
export const retryParams = {
  max_retries: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .describe(
      'Times that a call is tried again when the service cannot be reached, beyond the three attempts that every call has.',
    ),
  base_delay: z
    .number()
    .min(0)
    .max(300)
    .nullish()
    .describe('Seconds before the first of these, doubled each time. Default 1.'),
  max_delay: z
    .number()
    .min(0)
    .max(3_600)
    .nullish()
    .describe('Seconds between them at most. Default 60.'),
}

const content = z.union([
  z.string(),
  z.array(
    z.strictObject({
      type: z.literal('text', 'must be text: no pictures are sent'),
      text: z.string(),
    }),
  ),
])

/** What a model is asked, as a conversation or as one prompt. */
export const promptParams = {
  messages: z
    .array(
      z.looseObject({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content: content.nullish(),
      }),
    )
    .min(1)
    .nullish()
    .describe('The conversation: a list of {role, content}.'),
  prompt: z.string().nullish().describe('What the model is asked, in place of messages.'),
  system: z.string().nullish().describe('Instructions before prompt or messages.'),
}

/** A conversation as parameters have it. */
export type PromptParams = {
  readonly [Key in keyof typeof promptParams]?: z.output<(typeof promptParams)[Key]>
}

/** Whether something is asked at all. */
export function asksSomething({ messages, prompt }: PromptParams): boolean {
  return Boolean(messages) || Boolean(prompt)
}

/** Said where it is not. */
export const nothingAsked = 'give messages or prompt'

/**
 * A conversation as messages; what is in no chat's form is refused.
 * @throws `invalid_input`
 */
export function conversationOf(
  context: RunContext,
  { messages, prompt, system }: PromptParams,
): readonly Message[] {
  const arrival: Arrival = {
    idOf: (index) => context.id(`message[${index + 1}]`),
    createdAt: context.now(),
  }
  const given = [
    ...(system ? [{ role: 'system', content: system }] : []),
    ...(messages ?? []).map((message) => ({ ...message, content: message.content ?? '' })),
    ...(prompt ? [{ role: 'user', content: prompt }] : []),
  ]
  return fromOpenAiMessages(given, arrival)
}
