import type { LanguageModelV4FinishReason, LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { ScholiumError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { ModelBinding } from './model.ts'

/**
 * Checks that an answer ended as one.
 * @throws `model_failed` when the service withheld it, `model_unavailable` (retryable) when it reports an error of its own
 */
export function checkFinish(binding: ModelBinding, result: LanguageModelV4GenerateResult): void {
  const { unified, raw = unified } = result.finishReason
  const details = { finishReason: raw }
  if (unified === 'content-filter')
    throw new ScholiumError('model_failed', `${binding.name} refused to answer (${raw}).`, {
      hint: 'Rephrase the question, or use another model for this role.',
      details,
    })
  if (unified === 'error')
    throw new ScholiumError('model_unavailable', `${binding.name} ended with an error (${raw}).`, {
      retryable: true,
      hint: 'Resume the run; another model may do better.',
      details,
    })
}

/**
 * The finish reason in the AI SDK's terms; also recognizes services' own words for `length` that the SDK does not know:
 * Mistral's `model_length`, DeepSeek's `insufficient_system_resource`, vLLM's `abort`.
 */
export function readFinishReason({ unified, raw = '' }: LanguageModelV4FinishReason): string {
  return unified === 'other' && cutShort.test(raw) ? 'length' : unified
}

const cutShort =
  /^(?:max_?(?:output_?|completion_?|new_?)?(?:tokens?|length)|(?:model|context)_length\w*|\w*context_window\w*|insufficient_system_resource|abort(?:ed)?)$/i

/** Maximum length of a partial answer in the log, in UTF-16 code units. */
const maxStoredLength = 4_000

/** The part of an answer received so far, for the log if it breaks off. */
export class PartialAnswer {
  private readonly texts = { text: '', reasoning: '' }

  /** Adds a delta as sent to listeners. */
  add({ kind, text }: JsonObject): void {
    const heard = kind as 'text' | 'reasoning'
    if (this.texts[heard].length < maxStoredLength) this.texts[heard] += text
  }

  /** The failure with what was heard before it as `partial` in its details. */
  addTo(failure: ScholiumError): ScholiumError {
    const { text, reasoning } = this.texts
    if (text === '' && reasoning === '') return failure
    const { code, message, retryable, hint, cause, details } = failure
    const partial = {
      ...(text === '' ? {} : { text: text.slice(0, maxStoredLength) }),
      ...(reasoning === '' ? {} : { reasoning: reasoning.slice(0, maxStoredLength) }),
    }
    return new ScholiumError(code, message, {
      retryable,
      ...(hint === undefined ? {} : { hint }),
      ...(cause === undefined ? {} : { cause }),
      details: { ...details, partial },
    })
  }
}
