import type { LanguageModelV4 } from '@ai-sdk/provider'
import { usualOutputTokens } from '../limits/output-cap.ts'
import { BrokenAnswer } from './errors/broken-answer.ts'
import { type RefusalFacts, readRefusal } from './errors/refusal-facts.ts'
import { classifyRefusal } from './errors/refusal-reason.ts'
import type { ModelBinding } from './model.ts'
import { withSchemaAsText, withToolsAsText } from './model-as-text.ts'
import type { ModelRequest } from './model-request.ts'

/**
 * What is done another way for a service that refuses it: its answer comes as a whole, its form or the tools stand in the prompt, it
 * may be no longer than usual, or not to this prompt.
 */
export type Fallback =
  | 'not-streamed'
  | 'schema-as-text'
  | 'tools-as-text'
  | 'short-answers'
  | 'short-answer'

/** What is asked, and how: whether the answer is read as it is written, and how many tokens it may have. */
export interface Asking {
  readonly request: ModelRequest
  readonly isStreamed: boolean
  readonly outputTokens: number | undefined
}

/** A whole body came where a stream was asked for. */
export class NotStreamed extends Error {
  override readonly name = 'NotStreamed'
}

/**
 * What services have refused, so that they are not asked in vain again. It is kept with the loaded model, which its
 * `ModelSource` holds: as long as the application that made it, over all of its runs. No part of a step's input.
 */
const learned = new WeakMap<LanguageModelV4, readonly Fallback[]>()

/** What is known to be needed for a model. */
export function knownFallbacks(model: LanguageModelV4): readonly Fallback[] {
  return learned.get(model) ?? []
}

/** Remembers what a model answered with. */
export function learnFallbacks(model: LanguageModelV4, fallbacks: readonly Fallback[]): void {
  // Of a prompt that is long nothing is learned for others.
  const lasting = fallbacks.filter((fallback) => fallback !== 'short-answer')
  if (lasting.length > 0) learned.set(model, [...new Set([...knownFallbacks(model), ...lasting])])
}

/** What of the asking is to be done another way after a refusal, or `undefined` when the refusal is not about that. */
export function fallbackFor(thrown: unknown, asking: Asking): Fallback | undefined {
  if (thrown instanceof NotStreamed || (thrown instanceof BrokenAnswer && thrown.mayComeWhole))
    return 'not-streamed'
  const { statusCode } = thrown as { readonly statusCode?: number }
  if (statusCode === undefined) return undefined
  const facts = readRefusal(thrown)
  // Some say back what they were sent, in which all of these words are.
  const message = facts.message.replace(echo, '')
  const { responseSchema, tools = [] } = asking.request
  const shorter = affectsRequest(asking, 'short-answers') ? shorterFor(facts, message) : undefined
  if (shorter !== undefined) return shorter
  const isOfOwnStatus = ownStatus.get(statusCode)?.test(message)
  const isOfForm = (statusCode === 400 || statusCode === 422) && isAboutForm(facts)
  if (!isOfOwnStatus && !isOfForm) return undefined
  if (responseSchema !== undefined && aboutSchema.test(message)) return 'schema-as-text'
  if (tools.length > 0 && aboutTools.test(message)) return 'tools-as-text'
  return asking.isStreamed && isOfForm && aboutStreams.test(message) ? 'not-streamed' : undefined
}

/** Whether a service refuses the answer length: in general, for the account's rate limit, or together with this prompt. */
function shorterFor(facts: RefusalFacts, message: string): Fallback | undefined {
  const { status = 0 } = facts
  if (status === 429) return aboutRate.test(message) ? 'short-answers' : undefined
  if (![400, 402, 413, 422].includes(status)) return undefined
  if (classifyRefusal(facts) === 'context_too_long') return 'short-answer'
  return aboutOutput.test(message) || aboutRate.test(message) ? 'short-answers' : undefined
}

/** Whether nothing else is known to be the reason: a key, the content, a length, a model's name. */
function isAboutForm(facts: RefusalFacts): boolean {
  return classifyRefusal(facts) === 'request_refused'
}

/** The asking with all that is done another way. */
export function applyFallbacks(asking: Asking, fallbacks: readonly Fallback[]): Asking {
  return fallbacks.reduce(applyFallback, asking)
}

function applyFallback(asking: Asking, fallback: Fallback): Asking {
  const { request } = asking
  if (fallback === 'short-answer' || fallback === 'short-answers')
    return { ...asking, outputTokens: usualOutputTokens }
  if (fallback === 'not-streamed') return { ...asking, isStreamed: false }
  if (fallback === 'schema-as-text')
    return request.responseSchema === undefined
      ? asking
      : { ...asking, request: withSchemaAsText(request) }
  return { ...asking, request: withToolsAsText(request) }
}

/** Whether a fallback would change this request. */
export function affectsRequest(
  { request, isStreamed, outputTokens = 0 }: Asking,
  fallback: Fallback,
): boolean {
  if (fallback === 'not-streamed') return isStreamed
  if (fallback === 'short-answer' || fallback === 'short-answers')
    return outputTokens > usualOutputTokens
  const { responseSchema, tools = [] } = request
  return fallback === 'schema-as-text' ? responseSchema !== undefined : tools.length > 0
}

/** The notice given in each run that uses a fallback. */
export function describeFallback({ name }: ModelBinding, fallback: Fallback): string {
  const what = {
    'not-streamed': 'does not support streaming: its answers arrive in one piece',
    'schema-as-text': 'does not support output schemas: the schema is put in the prompt',
    'tools-as-text':
      'does not support tools: they are described in the prompt, and calls are read from its text',
    'short-answers': `does not support answers of this length: the maximum is set to ${usualOutputTokens} tokens`,
    'short-answer': `has no room for a long answer after this prompt: the maximum is set to ${usualOutputTokens} tokens`,
  }
  return `${name} ${what[fallback]}.`
}

/** Services that refuse a form with a status of their own, by their very words: llama.cpp and OpenRouter. */
const ownStatus: ReadonlyMap<number, RegExp> = new Map([
  [404, /^No endpoints found that support tool use/i],
  [500, /tools param requires --jinja|JSON schema conversion failed/i],
])

/** Where vLLM and others with the same checker of requests say back what was wrong. */
const echo = /['"]input['"]\s*:.*$/is

const aboutSchema =
  /response[_ ]?(?:format|schema|mime)|json[_ ]schema|structured[_ ]output|output_(?:config|format)/i

/** Ollama: does not support tools. vLLM: "auto" tool choice requires. llama.cpp: tools param requires. OpenRouter: support tool use. */
const aboutTools =
  /(?:not support|unsupported|requires?|no endpoints|unknown|unrecognized|not permitted|unexpected)[^.\n]{0,80}\b(?:tools?|tool[_ ](?:use|choice)|functions?|function[_ ]call\w*)\b|\b(?:tools?|tool[_ ](?:use|choice|call\w*)|functions?|function[_ ]call\w*)\b[^.\n]{0,60}(?:not (?:yet )?(?:be )?(?:support|enabled|allowed|available|permitted)|unsupported|requires?\b|unknown|unrecognized)/i

/** OpenAI: supports at most 16384 completion tokens. DeepSeek: the valid range of max_tokens. OpenRouter: fewer max_tokens. */
const aboutOutput = /max_?\w*tokens|\b(?:completion|output|new) tokens\b/i

/** OpenAI and Groq count the cap into what an account may use in a minute. */
const aboutRate = /request too large|tokens per minute.*requested/is

/** OpenAI: must be verified to stream this model. Others know no stream_options. */
const aboutStreams = /\bstream(?:_options|ing)?\b/i
