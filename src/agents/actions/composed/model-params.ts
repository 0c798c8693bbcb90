import * as z from 'zod'
import type { Message } from '../../../kernel/agent/message.ts'
import { type Arrival, fromOpenAiMessages } from '../../../kernel/model/open-ai-messages.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { ignoredParam, refusedParam } from '../action.ts'

const providerNames = 'a provider, such as ollama or openai'
const noLocal = 'models are called through a service'

/** Parameters of every action that calls a model. */
export const modelParams = {
  model: z
    .string()
    .nullish()
    .describe(
      'provider:model, such as ollama:llama3.2; a name without a provider means the model of the run.',
    ),
  provider: z
    .string()
    .refine(
      (name) => name !== 'shell' && name !== 'local',
      `must be ${providerNames}: programs and model files are not supported`,
    )
    .nullish()
    .describe('The provider, if model does not include it.'),
  api_base: z
    .string()
    .nullish()
    .describe(
      'Not used: models are called at the configured address; the log notes a different one.',
    ),
  deployment: z.string().nullish().describe('The deployment of an Azure model.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullish()
    .describe('From 0 (deterministic) to 2. Default: settings.llm.temperature, otherwise 0.7.'),
  max_tokens: z.int().min(1).nullish().describe('Maximum tokens of the answer.'),
  timeout: z
    .number()
    .positive()
    .max(604_800)
    .nullish()
    .describe('Timeout of one call in seconds. Default: settings.llm.timeout, otherwise 300.'),
  shell_provider: refusedParam('programs that answer prompts are not supported'),
}

/** Parameters of sampling and stop sequences, for actions that ask once. */
export const wordingParams = {
  stop: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .describe('One or more stop sequences.'),
  top_p: z
    .number()
    .min(0)
    .max(1)
    .nullish()
    .describe('Nucleus sampling: the probability mass to sample from.'),
  seed: z.int().nullish().describe('A random seed, for services that support it.'),
  presence_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('From -2 to 2: penalty for words that already occurred.'),
  frequency_penalty: z
    .number()
    .min(-2)
    .max(2)
    .nullish()
    .describe('From -2 to 2: penalty by how often words occurred.'),
  backend: ignoredParam(noLocal),
  n_ctx: ignoredParam(noLocal),
  n_threads: ignoredParam(noLocal),
  n_gpu_layers: ignoredParam(noLocal),
  opik_trace: ignoredParam('every call is in the trace of the run'),
}

/** Values of {@link wordingParams}. */
export type WordingParams = {
  readonly [Key in keyof typeof wordingParams]?: z.output<(typeof wordingParams)[Key]>
}

/** Which model is called, and how. */
export type ModelParams = {
  readonly [Key in keyof typeof modelParams]?: z.output<(typeof modelParams)[Key]>
}

/** How often a failing call is retried, beyond the three attempts of every call. */
export const retryParams = {
  max_retries: z
    .int()
    .min(0)
    .max(100)
    .nullish()
    .describe(
      'Additional retries if the service cannot be reached, beyond the three attempts of every call.',
    ),
  base_delay: z
    .number()
    .min(0)
    .max(300)
    .nullish()
    .describe('Seconds before the first retry, doubled each time. Default 1.'),
  max_delay: z
    .number()
    .min(0)
    .max(3_600)
    .nullish()
    .describe('Maximum seconds between retries. Default 60.'),
}

const content = z.union([
  z.string(),
  z.array(
    z.strictObject({
      type: z.literal('text', 'must be text: images are not supported'),
      text: z.string(),
    }),
  ),
])

/** What a model is asked, as a conversation or a prompt. */
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
  prompt: z.string().nullish().describe('The prompt, instead of messages.'),
  system: z.string().nullish().describe('Instructions before prompt or messages.'),
}

/** A conversation as given in parameters. */
export type PromptParams = {
  readonly [Key in keyof typeof promptParams]?: z.output<(typeof promptParams)[Key]>
}

/** Whether there is a prompt or a conversation. */
export function hasPrompt({ messages, prompt }: PromptParams): boolean {
  return Boolean(messages) || Boolean(prompt)
}

/** Error text if there is neither. */
export const missingPrompt = 'give messages or prompt'

/**
 * Creates messages from a conversation; malformed chat messages are refused.
 * @throws `invalid_input`
 */
export function createConversation(
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
