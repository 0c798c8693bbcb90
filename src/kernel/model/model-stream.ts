import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { ScholiumError } from '../errors.ts'
import { maxTimerMs } from '../run/deadline.ts'
import {
  BrokenAnswer,
  describeBrokenAnswer,
  describeStall,
  isInventedReason,
  noReason,
  toError,
  unreadable,
} from './errors/broken-answer.ts'
import type { ModelBinding } from './model.ts'

/** An answer may have this many UTF-16 code units, thoughts and arguments included. */
export const maxAnswerLength = 8_000_000

/** Callbacks for a stream while it is read. */
export interface StreamListener {
  /** The first of the answer, its thoughts or its calls is there. */
  onBegin?(): void
  /** A bit of the answer or of the thoughts of one block. */
  onDelta(kind: 'text' | 'reasoning', text: string): void
  /** A block of text has ended. */
  onTextEnd(): void
}

/** How long to wait for parts after an error, which hold at most the usage. Milliseconds. */
const afterErrorMs = 1_000

type Part = LanguageModelV4StreamPart
type Block = {
  type: 'text' | 'reasoning'
  text: string
  providerMetadata?: SharedV4ProviderMetadata
}

/** The parts of a stream put together to what the same call gives as a whole. */
class StreamFold {
  readonly content: LanguageModelV4Content[] = []
  hasBegun = false
  private readonly open = new Map<string, Block>()
  /** Calls that have begun and of which the provider has not said that they are whole. */
  private readonly begun = new Map<string, { readonly toolName: string; input: string }>()
  private length = 0
  private warnings: LanguageModelV4GenerateResult['warnings'] = []
  private finish: { reason: LanguageModelV4FinishReason; usage: LanguageModelV4Usage } | undefined
  private failure: Error | undefined
  private readonly binding: ModelBinding
  private readonly listener: StreamListener

  constructor(binding: ModelBinding, listener: StreamListener) {
    this.binding = binding
    this.listener = listener
  }

  /** Whether a part reported an error. */
  get hasFailed(): boolean {
    return this.failure !== undefined
  }

  /** Takes one part in. @throws `model_failed` for an answer without end */
  take(part: Part): void {
    switch (part.type) {
      case 'text-delta':
        this.add('text', part.id, part.delta)
        break
      case 'reasoning-start':
        this.sign(part)
        break
      case 'reasoning-delta':
        this.add('reasoning', part.id, part.delta)
        this.sign(part)
        break
      case 'tool-input-start':
        if (part.providerExecuted !== true)
          this.begun.set(part.id, { toolName: part.toolName, input: '' })
        break
      case 'tool-input-delta':
        this.grow(part.delta.length)
        this.growCall(part.id, part.delta)
        break
      case 'text-end':
        this.listener.onTextEnd()
        this.open.delete(`text ${part.id}`)
        break
      case 'reasoning-end':
        this.sign(part)
        this.open.delete(`reasoning ${part.id}`)
        break
      case 'tool-call':
        this.hasBegun = true
        this.begun.delete(part.toolCallId)
        this.content.push(part)
        break
      case 'stream-start':
        this.warnings = part.warnings
        break
      case 'finish':
        this.finish = { reason: part.finishReason, usage: part.usage }
        break
      case 'error':
        this.failure ??= toError(part.error)
        break
    }
  }

  /** The whole answer, once the stream has ended. @throws {@link BrokenAnswer} when it reported an error, or not how it ended */
  result(): LanguageModelV4GenerateResult {
    const { finish, content, warnings, failure, binding } = this
    const isGarbled = unreadable.has(failure?.name ?? '')
    const isUnexplained = failure === undefined || noReason.test(failure.message)
    const isBroken = finish === undefined || isInventedReason(finish.reason)
    if (finish !== undefined && failure === undefined && !isBroken)
      return {
        content: [...content, ...this.cutCalls()],
        finishReason: finish.reason,
        usage: finish.usage,
        warnings,
      }
    throw new BrokenAnswer(
      isUnexplained || isGarbled ? describeBrokenAnswer(binding, failure) : failure,
      finish?.usage,
      isGarbled || (isUnexplained && (finish?.usage.inputTokens.total ?? 0) > 0),
    )
  }

  private growCall(id: string, delta: string): void {
    const call = this.begun.get(id)
    if (call !== undefined) call.input += delta
  }

  /** Calls in which the stream ended, their arguments as far as they came: invalid JSON, however little came. */
  private cutCalls(): readonly LanguageModelV4Content[] {
    return [...this.begun].map(([toolCallId, { toolName, input }]) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: `${input} …`,
    }))
  }

  private add(type: Block['type'], id: string, delta: string): void {
    if (delta === '') return
    this.grow(delta.length)
    this.block(type, id).text += delta
    this.listener.onDelta(type, delta)
  }

  /** Keeps what the provider wants back with thoughts, also with those that it does not show. */
  private sign(part: {
    readonly id: string
    readonly providerMetadata?: SharedV4ProviderMetadata
  }) {
    const { id, providerMetadata } = part
    if (providerMetadata !== undefined)
      this.block('reasoning', id).providerMetadata = providerMetadata
  }

  private block(type: Block['type'], id: string): Block {
    const key = `${type} ${id}`
    const known = this.open.get(key)
    if (known !== undefined) return known
    const begun: Block = { type, text: '' }
    this.open.set(key, begun)
    this.content.push(begun)
    return begun
  }

  private grow(length: number): void {
    this.hasBegun = true
    this.length += length
    if (this.length <= maxAnswerLength) return
    throw new ScholiumError(
      'model_failed',
      `${this.binding.name} did not stop; its answer was cut off after ${maxAnswerLength / 1e6} million characters.`,
      { hint: 'Try another model, or a smaller maxOutputTokens to stop it earlier.' },
    )
  }
}

/**
 * Reads a model's answer as it is written. Once it has begun, silence for half of the attempt's time counts as a lost
 * connection; before, a model may think as long as an attempt may take.
 *
 * @param signal ends the reading at once
 * @throws {@link BrokenAnswer} for an answer that broke off or reports an error, `model_unavailable` for one that stalled,
 *   `model_failed` for one without end, and the signal's reason
 */
export async function readStream(
  stream: ReadableStream<Part>,
  binding: ModelBinding,
  signal: AbortSignal,
  listener: StreamListener,
): Promise<LanguageModelV4GenerateResult> {
  const fold = new StreamFold(binding, listener)
  const reader = stream.getReader()
  let stopped: { readonly reason: unknown } | undefined
  const stop = (reason: unknown) => {
    stopped ??= { reason }
    // A source that fails while it is cancelled has nothing more to say: why the reading ended is known.
    reader.cancel(reason).catch(() => undefined)
  }
  const onAbort = () => stop(signal.reason)
  const idleMs = Math.min(binding.timeoutMs / 2, maxTimerMs)
  let timer = setTimeout(() => fold.hasBegun && stop(describeStall(binding, idleMs)), idleMs)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { hasFailed: hadFailed, hasBegun: hadBegun } = fold
      fold.take(next.value)
      if (fold.hasBegun && !hadBegun) listener.onBegin?.()
      if (fold.hasFailed && !hadFailed) {
        clearTimeout(timer)
        timer = setTimeout(() => reader.cancel().catch(() => undefined), afterErrorMs)
      } else if (!hadFailed) timer.refresh()
    }
    if (stopped !== undefined) throw stopped.reason
    return fold.result()
  } catch (error) {
    stop(error)
    throw stopped?.reason ?? error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
